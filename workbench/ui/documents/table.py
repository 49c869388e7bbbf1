"""The table of documents. Its cells show text as it is, never as Markdown."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.tags import SUGGESTED_KEYS
from workbench.ui.documents.wording import state_class, state_of
from workbench.ui.state import Key

_STATE = "State"
_COLOURS = {  # of the words in the state column; legible on the background of each theme
    "light": {"pc-ready": "#2b6a4b", "pc-failed": "#b3261e", "pc-working": "#274690"},
    "dark": {"pc-ready": "#86cfa6", "pc-failed": "#ff8a80", "pc-working": "#9dbaff"},
}
# Widths in pixels; together they fit a window of 1280 without scrolling sideways.
_COLUMNS: dict[str, Any] = {
    "Name": st.column_config.TextColumn(width=235),
    "Supplier": st.column_config.TextColumn(width=135),
    "Document type": st.column_config.TextColumn(width=105),
    "Region": st.column_config.TextColumn(width=110),
    "Pages": st.column_config.NumberColumn(width=55, format="localized"),
    _STATE: st.column_config.TextColumn(width=125),
    "Uploaded": st.column_config.DatetimeColumn(format="D MMM YYYY", width=105),
}
_MANY_ROWS, _TALLEST = 20, 700


def show(documents: Sequence[Document]) -> list[Document]:
    """Show ``documents`` and return those whose rows are selected."""
    colours = _state_colours(documents)
    event: Any = st.dataframe(
        _frame(documents).style.map(lambda cell: colours[str(cell)], subset=[_STATE]),
        key=selection_key(documents),
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        placeholder="",
        height="content" if len(documents) <= _MANY_ROWS else _TALLEST,
        column_config=_COLUMNS,
    )
    return [documents[row] for row in event.selection.rows]


def selection_key(documents: Sequence[Document]) -> str:
    """A selection is a list of row numbers: another list of documents needs another selection."""
    return f"{Key.DOCUMENT_TABLE}.{hash(tuple(document.id for document in documents))}"


def _frame(documents: Sequence[Document]) -> pd.DataFrame:
    columns: dict[str, list[Any]] = {"Name": [document.display_name for document in documents]}
    for tag in SUGGESTED_KEYS:
        columns[tag.capitalize()] = [_values(document, tag) for document in documents]
    columns["Pages"] = [document.page_count or None for document in documents]
    columns[_STATE] = [_state_cell(document) for document in documents]
    columns["Uploaded"] = [document.uploaded_at for document in documents]
    return pd.DataFrame(columns)


def _values(document: Document, key: str) -> str:
    return ", ".join(tag.value for tag in document.tags if tag.key == key)


def _state_cell(document: Document) -> str:
    return f"● {'Working' if document.state.working else state_of(document)}"


def _state_colours(documents: Sequence[Document]) -> dict[str, str]:
    """The style of each text that the state column holds."""
    colours = _COLOURS["dark" if st.context.theme.type == "dark" else "light"]
    return {_state_cell(each): f"color: {colours[state_class(each.state)]}" for each in documents}
