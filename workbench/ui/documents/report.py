"""The ingest report of one document: how reading each page or sheet went."""

from collections import Counter
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.pages import Page, page_label
from workbench.ui.addresses import PageAddress
from workbench.ui.documents.wording import count, page_status, unread_pages
from workbench.ui.session import Session
from workbench.ui.text import cell, escaped, visible

_MANY_ROWS, _TALLEST = 14, 520
_IN_SUMMARY = {"Text": "with text", "Recognised": "recognised by OCR", "Empty": "empty", "No text": "without text"}


def summary(document: Document, outlines: Sequence[Page]) -> str:
    """Say in a line how reading went, page by page."""
    unread = frozenset(document.pages_without_text)
    counted = Counter(page_status(page, unread) for page in outlines)
    parts = ", ".join(f"{number:,} {_IN_SUMMARY[status]}" for status, number in counted.most_common())
    sheets = dict.fromkeys(page.area.sheet for page in outlines if page.area is not None)
    what = (
        f"{count(len(sheets), 'sheet')} on {count(len(outlines), 'page')}" if sheets else count(len(outlines), "page")
    )
    return f"{what}: {parts}" if parts else what


def show_remarks(document: Document) -> None:
    """Say why a document failed, which pages have no text, and what the reader left out."""
    lines = [document.error] if document.error else []
    if document.pages_without_text and not document.notes:
        lines.append(unread_pages(document))
    lines += document.notes
    if lines:
        style = "pc-report pc-failed" if document.error else "pc-report"
        title = "This document could not be used" if document.error else "Remarks of the reader"
        items = "".join(f"<li>{escaped(visible(line))}</li>" for line in lines)
        st.html(f'<div class="{style}"><p>{title}</p><ul>{items}</ul></div>')


def show(session: Session, document: Document) -> None:
    """Show the report page by page, with links into the viewer."""
    outlines = session.workbench.library.page_outlines(session.access, document.id)
    if not outlines:
        if not document.error:
            st.text("No page has been read yet.")
        return
    st.text(summary(document, outlines))
    st.dataframe(
        _frame(document, outlines, _words(session, document)),
        hide_index=True,
        height="content" if len(outlines) <= _MANY_ROWS else _TALLEST,
        column_config={
            "Page": st.column_config.TextColumn(width=110),
            "Sheet": st.column_config.TextColumn(width=150),
            "Reading": st.column_config.TextColumn(width=110),
            "Words": st.column_config.NumberColumn(width=80, format="localized"),
            "View": st.column_config.LinkColumn("", width=80, display_text="Open"),
        },
        key=f"report.{document.id}",
    )


def _words(session: Session, document: Document) -> dict[int, int]:
    """Count the words of each page. It takes a look at every page, so it is kept for the session."""
    key = f"report.words.{document.id}.{document.canonical_hash}"
    if key not in st.session_state:
        texts = session.workbench.library.page_texts(session.access, document.id)
        st.session_state[key] = {number: len(text.split()) for number, text in texts}
    words: dict[int, int] = st.session_state[key]
    return words


def _frame(document: Document, outlines: Sequence[Page], words: dict[int, int]) -> pd.DataFrame:
    unread = frozenset(document.pages_without_text)
    columns: dict[str, list[object]] = {
        "Page": [cell(page_label(page.number, page.label)) for page in outlines],
        "Sheet": [_sheet(page) for page in outlines],
        "Reading": [page_status(page, unread) for page in outlines],
        "Words": [words.get(page.number, 0) for page in outlines],
        "View": [PageAddress(document.id, page.number).url for page in outlines],
    }
    if not any(columns["Sheet"]):
        del columns["Sheet"]
    return pd.DataFrame(columns)


def _sheet(page: Page) -> str:
    return "" if page.area is None else cell(page.area.label)
