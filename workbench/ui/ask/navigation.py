"""Moving about the Ask screen: the address changes as a whole, and Back undoes exactly one step."""

import streamlit as st

from workbench.ui.ask.place import Place
from workbench.ui.ask.session_keys import AskKey


def go(place: Place) -> None:
    """Move to ``place``. Works in a callback and in the script."""
    st.session_state[AskKey.PLACE] = place
    st.query_params.from_dict(place.query)


def current() -> Place:
    """Return where the screen stands.

    An empty address means a new conversation, except on the way back from another screen: Streamlit clears the query
    there, and the conversation left behind is taken up again. On arrival the screen's own component has no state yet.
    """
    place = Place.read(st.query_params)
    arrived = AskKey.KEYBOARD not in st.session_state
    if arrived and place == Place() and AskKey.PLACE in st.session_state:
        place = st.session_state[AskKey.PLACE]
        st.query_params.from_dict(place.query)
    st.session_state[AskKey.PLACE] = place
    return place
