"""The frame around every screen: title, logo, navigation."""

import streamlit as st

from workbench.ui import process, screens, signing_in, theme

st.set_page_config(page_title="Pincite", page_icon=str(theme.FAVICON), layout="wide")
theme.apply()
st.logo(str(theme.LOGO), size="large")
screen = st.navigation(
    [
        st.Page(screens.ASK, title="Ask", icon=":material/forum:", default=True),
        st.Page(screens.SEARCH, title="Search", icon=":material/search:", url_path="search"),
        st.Page(screens.DOCUMENTS, title="Documents", icon=":material/folder_open:", url_path="documents"),
        st.Page(
            screens.DOCUMENT,
            title="Document",
            icon=":material/description:",
            url_path="document",
            visibility="hidden",
        ),
        st.Page(screens.VIEWER, title="Viewer", icon=":material/find_in_page:", url_path="viewer"),
        st.Page(screens.SETTINGS, title="Settings", icon=":material/tune:", url_path="settings"),
    ]
)
st.set_page_config(page_title=f"{screen.title} · Pincite")
signing_in.show_person()
screen.run()
process.warm_up()
