"""The table of documents. Its cells show text as it is, never as Markdown."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from workbench.domain.documents import Document
from workbench.ui.documents.filtering import Column
from workbench.ui.documents.wording import (
    CANCELLED,
    FAILED,
    HIDDEN,
    PARTLY,
    READY,
    REPLACED,
    standing,
    type_word,
)
from workbench.ui.state import Key
from workbench.ui.text import cell

_MANY_ROWS, _TALLEST = 20, 720


def show(documents: Sequence[Document]) -> list[Document]:
    """Show ``documents`` in their order and return those whose rows are selected."""
    event: Any = st.dataframe(
        _frame(documents),
        key=selection_key(documents),
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        placeholder="",
        height="content" if len(documents) <= _MANY_ROWS else _TALLEST,
        column_config=_columns(),
    )
    return [documents[row] for row in event.selection.rows if row < len(documents)]


def selection_key(documents: Sequence[Document]) -> str:
    """A selection is a list of row numbers: another list of documents needs another selection."""
    return f"{Key.DOCUMENT_TABLE}.{hash(tuple(document.id for document in documents))}"


def _frame(documents: Sequence[Document]) -> pd.DataFrame:
    """A plain frame: a styled one takes a second for two thousand rows."""
    return pd.DataFrame(
        {
            Column.NAME.value: [cell(each.display_name) for each in documents],
            Column.STATE.value: [_state_cell(each) for each in documents],
            Column.TYPE.value: [type_word(each) for each in documents],
            Column.PAGES.value: pd.array([each.page_count or None for each in documents], dtype="Int64"),
            Column.TAGS.value: [[cell(tag.value) for tag in each.tags] for each in documents],
            Column.LANGUAGE.value: [each.language or "" for each in documents],
            Column.DATE.value: pd.Series([each.dated for each in documents], dtype="object"),
            Column.VERSION.value: [each.version for each in documents],
            Column.SIZE.value: [each.size for each in documents],
            Column.ADDED.value: [each.uploaded_at for each in documents],
        }
    )


def _state_cell(document: Document) -> list[str]:
    return [standing(document)]


def _columns() -> dict[str, Any]:
    """Widths in pixels; together they fit a window of 1280 without scrolling sideways."""
    config = st.column_config
    states = (
        READY,
        PARTLY,
        FAILED,
        HIDDEN,
        REPLACED,
        CANCELLED,
        "Waiting",
        "Reading",
        "Chunking",
        "Embedding",
        "Indexing",
    )
    return {
        Column.NAME.value: config.TextColumn(width=205),
        Column.STATE.value: config.MultiselectColumn(width=118, options=states, color=_colours(states)),
        Column.TYPE.value: config.TextColumn(width=58),
        Column.PAGES.value: config.NumberColumn(
            width=52, format="localized", help="For a spreadsheet: parts of its sheets"
        ),
        Column.TAGS.value: config.ListColumn(width=134),
        Column.LANGUAGE.value: config.TextColumn("Lang.", width=44),
        Column.DATE.value: config.DateColumn(width=90, format="D MMM YYYY"),
        Column.VERSION.value: config.NumberColumn("Ver.", width=38, format="%d"),
        Column.SIZE.value: config.NumberColumn(width=62, format="bytes"),
        Column.ADDED.value: config.DatetimeColumn(width=90, format="D MMM YYYY"),
    }


def _colours(states: Sequence[str]) -> list[str]:
    named = {READY: "green", PARTLY: "yellow", FAILED: "red", HIDDEN: "gray", REPLACED: "gray", CANCELLED: "gray"}
    return [named.get(state, "blue") for state in states]
