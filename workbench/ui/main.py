"""The frame around every screen: title, logo, navigation."""

from pathlib import Path

import streamlit as st

from workbench.ui import process, theme

SCREENS = Path(__file__).parents[2] / "pages"

st.set_page_config(page_title="Pincite", page_icon=str(theme.FAVICON), layout="wide")
theme.apply()
st.logo(str(theme.LOGO), size="large")
screen = st.navigation(
    [
        st.Page(SCREENS / "ask.py", title="Ask", icon=":material/forum:", default=True),
        st.Page(SCREENS / "documents.py", title="Documents", icon=":material/folder_open:", url_path="documents"),
        st.Page(SCREENS / "viewer.py", title="Viewer", icon=":material/find_in_page:", url_path="viewer"),
        st.Page(SCREENS / "settings.py", title="Settings", icon=":material/tune:", url_path="settings"),
    ]
)
st.set_page_config(page_title=f"{screen.title} · Pincite")
screen.run()
process.warm_up()
