"""Suggested tags: chips beside one document, and one list to go through for many."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.errors import PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.suggestions import Suggestion
from workbench.ui import session as door
from workbench.ui.addresses import PageAddress
from workbench.ui.documents.dialogs import done, mark_closed, mark_open
from workbench.ui.documents.wording import count, reason, suggestion_label
from workbench.ui.text import cell, escaped, literal, visible

MOST = 40
"""How many documents are gone through at once."""

_MANY_ROWS, _TALLEST = 14, 560

Row = tuple[DocumentId, Suggestion]


def show_chips(document: Document) -> None:
    """Offer what is suggested for a document: a chip to accept, with its reason, and a way to dismiss it."""
    session = door.require()
    found = session.workbench.tagging.suggestions(session.access, [document]).get(document.id, [])
    if not found:
        return
    st.caption("Suggested, to accept")
    for suggestion in found:
        _show_chip(session, document, suggestion)


def _show_chip(session: door.Session, document: Document, suggestion: Suggestion) -> None:
    key = f"{document.id}.{suggestion.key}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = literal(visible(suggestion_label(suggestion)))
        tagging: Any = session.workbench.tagging
        if st.button(label, icon=":material/add:", key=f"suggested.{key}"):
            _answer(session, tagging.accept, [(document.id, suggestion)])
        if st.button("", icon=":material/close:", key=f"dismissed.{key}", help="Dismiss", type="tertiary"):
            _answer(session, tagging.dismiss, [(document.id, suggestion)])
    st.html(f'<p class="pc-quiet pc-reason">{_reason_html(document, suggestion)}</p>')


def _reason_html(document: Document, suggestion: Suggestion) -> str:
    if suggestion.page is None:
        return escaped(visible(reason(suggestion)))
    link = escaped(PageAddress(document.id, suggestion.page).url)
    return f'“{escaped(visible(suggestion.quote))}” <a href="{link}">p. {suggestion.page}</a>'


@st.dialog("Review suggestions", width="large", on_dismiss=mark_closed)
def review(documents: Sequence[Document]) -> None:
    """Go through the suggestions of several documents and accept or dismiss them together."""
    mark_open()
    session = door.require()
    with st.spinner("Reading the first pages"):
        rows, looked_at = _rows(session, documents)
    if not rows:
        st.text("Nothing is suggested: these documents have their tags, or their first pages do not tell.")
        return
    st.caption(f"{count(len(rows), 'suggestion')} for {count(len({row[0].id for row in rows}), 'document')}.")
    edited = st.data_editor(
        _frame(rows),
        hide_index=True,
        disabled=["Document", "Suggestion", "Because", "Page"],
        height="content" if len(rows) <= _MANY_ROWS else _TALLEST,
        column_config={
            "Accept": st.column_config.CheckboxColumn(width=60),
            "Document": st.column_config.TextColumn(width=210),
            "Suggestion": st.column_config.TextColumn(width=220),
            "Because": st.column_config.TextColumn(width=330),
            "Page": st.column_config.LinkColumn(width=60, display_text=r"page=(\d+)"),
        },
        key=f"review.{hash(tuple((document.id, each.tag) for document, each in rows))}",
    )
    checked = [bool(value) for value in edited["Accept"]]
    if looked_at < len(documents):
        st.caption(f"The next of the {len(documents):,} documents follow when these are answered.")
    _show_answers(session, [(document.id, each) for document, each in rows], checked)


def _rows(session: door.Session, documents: Sequence[Document]) -> tuple[list[tuple[Document, Suggestion]], int]:
    """Return the suggestions of the first documents that have any, and how many documents were looked at."""
    rows: list[tuple[Document, Suggestion]] = []
    start, with_some = 0, 0
    while start < len(documents) and with_some < MOST:
        some = documents[start : start + MOST]
        found = session.workbench.tagging.suggestions(session.access, some)
        rows += [(document, each) for document in some for each in found.get(document.id, [])]
        with_some += len(found)
        start += len(some)
    return rows, start


def _frame(rows: Sequence[tuple[Document, Suggestion]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Accept": [True] * len(rows),
            "Document": [cell(document.display_name) for document, _ in rows],
            "Suggestion": [cell(suggestion_label(each)) for _, each in rows],
            "Because": [cell(reason(each)) for _, each in rows],
            "Page": [None if each.page is None else PageAddress(document.id, each.page).url for document, each in rows],
        }
    )


def _show_answers(session: door.Session, rows: Sequence[Row], checked: Sequence[bool]) -> None:
    number = sum(checked)
    accept, dismiss, rest = st.columns([2, 2, 3])
    chosen = [row for row, yes in zip(rows, checked, strict=True) if yes]
    others = [row for row, yes in zip(rows, checked, strict=True) if not yes]
    tagging: Any = session.workbench.tagging
    if accept.button(f"Accept {number} checked", type="primary", disabled=not number, width="stretch"):
        _answer(session, tagging.accept, chosen)
    if dismiss.button(f"Dismiss {number} checked", disabled=not number, width="stretch"):
        _answer(session, tagging.dismiss, chosen)
    label = f"Accept {number}, dismiss the other {len(others)}"
    if others and number and rest.button(label, width="stretch"):
        _answer(session, tagging.dismiss, others, last=False)
        _answer(session, tagging.accept, chosen)


def _answer(session: door.Session, how: Any, rows: Sequence[Row], *, last: bool = True) -> None:
    by_document: dict[DocumentId, list[Suggestion]] = {}
    for document_id, suggestion in rows:
        by_document.setdefault(document_id, []).append(suggestion)
    try:
        for document_id, answered in by_document.items():
            how(session.access, document_id, answered)
    except PinciteError as error:
        st.error(literal(str(error)))
        return
    if last:
        done()
