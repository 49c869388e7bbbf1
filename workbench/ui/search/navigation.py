"""Moving about the Search screen: the address changes as a whole, and Back undoes exactly one step."""

import streamlit as st

from workbench.ui.search.keys import SearchKey
from workbench.ui.search.place import SearchPlace


def go(place: SearchPlace) -> None:
    """Move to ``place``, leaving the widgets as they are. Works in a callback and in the script."""
    st.session_state[SearchKey.PLACE] = place
    st.query_params.from_dict(place.query)


def jump(place: SearchPlace) -> None:
    """Move to ``place`` with new widgets that show it, as Back does. Works in a callback."""
    _next_round()
    go(place)


def current() -> SearchPlace:
    """Return where the screen stands.

    An empty address on the way back from another screen means the search that was left behind: Streamlit clears the query
    there. On arrival the screen's own component has no state yet.
    """
    before: SearchPlace | None = st.session_state.get(SearchKey.PLACE)
    place = SearchPlace.read({name: st.query_params.get_all(name) for name in st.query_params})
    arrived = SearchKey.KEYBOARD not in st.session_state
    if arrived and place == SearchPlace() and before is not None:
        place = before
        st.query_params.from_dict(place.query)
    if before is not None and _searched(place) != _searched(before):
        _next_round()
    st.session_state[SearchKey.PLACE] = place
    return place


def current_round() -> str:
    """Return what names the widgets of this round."""
    return str(st.session_state.get(SearchKey.ROUND, 0))


def _next_round() -> None:
    st.session_state[SearchKey.ROUND] = st.session_state.get(SearchKey.ROUND, 0) + 1


def _searched(place: SearchPlace) -> SearchPlace:
    """Return the part of a place that its widgets show."""
    return place._replace(page=1, opened=None)
