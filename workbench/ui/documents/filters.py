"""The line above the table: words, filters and the order of the list. What was chosen outlives a change of the screen."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from workbench.domain.documents import Document
from workbench.ui.documents.filtering import STATES, Column, Visibility, Wanted, tag_values
from workbench.ui.documents.wording import language_name, type_word
from workbench.ui.state import Key

_KEPT = (
    Key.DOCUMENT_WORDS,
    Key.DOCUMENT_TAGS,
    Key.DOCUMENT_STATES,
    Key.DOCUMENT_TYPES,
    Key.DOCUMENT_LANGUAGES,
    Key.DOCUMENT_FROM,
    Key.DOCUMENT_TO,
    Key.DOCUMENT_VISIBILITY,
    Key.DOCUMENT_SORT,
)
_DOWN_AT_FIRST = frozenset({Column.ADDED, Column.DATE, Column.SIZE, Column.PAGES, Column.VERSION})


def keep() -> None:
    """Keep the state of the widgets while they are not drawn: Streamlit forgets it on another screen."""
    for key in _KEPT:
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]


def wanted() -> Wanted:
    """Return what was chosen when the widgets were drawn last."""
    return Wanted(
        words=_held(Key.DOCUMENT_WORDS, ""),
        tags=tuple(_held(Key.DOCUMENT_TAGS, ())),
        states=tuple(_held(Key.DOCUMENT_STATES, ())),
        types=tuple(_held(Key.DOCUMENT_TYPES, ())),
        languages=tuple(_held(Key.DOCUMENT_LANGUAGES, ())),
        date_from=_held(Key.DOCUMENT_FROM, None),
        date_to=_held(Key.DOCUMENT_TO, None),
        visibility=_held(Key.DOCUMENT_VISIBILITY, None) or Visibility.ALL,
    )


def order() -> tuple[Column, bool]:
    """Return the column to sort by, and whether the largest comes first."""
    column = _held(Key.DOCUMENT_SORT, Column.ADDED)
    return column, _held(Key.DOCUMENT_DOWN, column in _DOWN_AT_FIRST)


def show_words() -> None:
    st.text_input(
        "Find by name or tag",
        key=Key.DOCUMENT_WORDS,
        placeholder="Find by name or tag",
        icon=":material/search:",
        label_visibility="collapsed",
        width=185,
    )


def show_filters(documents: Sequence[Document]) -> None:
    """Offer what the documents have; the button says how many filters are set."""
    number = wanted().filters
    with st.popover(f"Filters ({number})" if number else "Filters", icon=":material/filter_alt:"):
        _choice("Tags", Key.DOCUMENT_TAGS, _tags(documents), lambda tag: f"{tag[0]}: {tag[1]}")
        _choice("State", Key.DOCUMENT_STATES, list(STATES))
        _choice("Type", Key.DOCUMENT_TYPES, sorted({type_word(each) for each in documents} - {""}))
        _choice(
            "Language", Key.DOCUMENT_LANGUAGES, sorted({e.language for e in documents if e.language}), language_name
        )
        first, last = st.columns(2)
        first.date_input("Dated from", value=None, key=Key.DOCUMENT_FROM, min_value="1900-01-01", format="YYYY-MM-DD")
        last.date_input("Dated to", value=None, key=Key.DOCUMENT_TO, min_value="1900-01-01", format="YYYY-MM-DD")
        st.selectbox("Shown", list(Visibility), key=Key.DOCUMENT_VISIBILITY)
        st.button("Clear all filters", on_click=clear, disabled=not number, width="stretch")


def show_order() -> None:
    st.selectbox(
        "Sort by",
        list(Column),
        key=Key.DOCUMENT_SORT,
        format_func=lambda column: f"Sort: {column}",
        on_change=lambda: st.session_state.pop(Key.DOCUMENT_DOWN, None),
        label_visibility="collapsed",
        width=138,
    )
    down = order()[1]
    st.button(
        "",
        key="documents.sort.turn",
        icon=":material/arrow_downward:" if down else ":material/arrow_upward:",
        help="Largest or latest first" if down else "Smallest or earliest first",
        on_click=lambda: st.session_state.update({Key.DOCUMENT_DOWN: not down}),
    )


def clear() -> None:
    """Take back every filter; words and order stay."""
    for key in _KEPT[1:-1]:
        st.session_state.pop(key, None)


def clear_all() -> None:
    clear()
    st.session_state.pop(Key.DOCUMENT_WORDS, None)


def _choice(label: str, key: Key, options: Sequence[Any], words: Any = str) -> None:
    """A choice of several. What was chosen and is not on offer any more is dropped, or it could not be taken back."""
    held = st.session_state.get(key)
    if held and any(each not in options for each in held):
        st.session_state[key] = [each for each in held if each in options]
    st.multiselect(label, options, key=key, format_func=words, placeholder="Any")


def _tags(documents: Sequence[Document]) -> list[tuple[str, str]]:
    return [(key, value) for key, values in tag_values(documents).items() for value in values]


def _held(key: Key, otherwise: Any) -> Any:
    return st.session_state.get(key, otherwise)
