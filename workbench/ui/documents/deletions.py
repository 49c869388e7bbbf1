"""Receipts of deletions: what went, and what could not be confirmed yet."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from workbench.domain.deletions import Receipt
from workbench.domain.errors import PinciteError
from workbench.ui import receipt_wording
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import cell, escaped, literal, visible


def show_new(session: Session) -> None:
    """Show the receipts of what was just deleted, until they are dismissed."""
    asked = set(st.session_state.get(Key.DELETED, []))
    if not asked:
        return
    receipts = [each for each in session.workbench.deletion.receipts(session.access) if each.id in asked]
    with st.container(border=True):
        lines = "".join(f"<li>{escaped(visible(receipt_wording.told(each)))}</li>" for each in receipts)
        state = "" if any(each.open for each in receipts) else " pc-good"
        st.html(f'<div role="status" class="pc-report{state}"><p>Deleted</p><ul>{lines}</ul></div>')
        with st.expander("Receipts" if len(receipts) > 1 else "Receipt"):
            for receipt in receipts:
                _show_items(receipt)
        st.button("Dismiss", key="deleted.dismiss", on_click=lambda: st.session_state.pop(Key.DELETED, None))


def show_open(session: Session) -> None:
    """List the deletions of documents of which something is not confirmed yet, each to be tried again."""
    new = set(st.session_state.get(Key.DELETED, []))
    left = session.workbench.deletion.receipts(session.access, open_only=True)
    shown = [each for each in left if each.kind == "document" and each.id not in new]
    if not shown:
        return
    st.subheader("Deletions", anchor=False)
    for receipt in shown:
        with st.container(horizontal=True, vertical_alignment="center"):
            name = escaped(visible(receipt.name))
            line = escaped(visible(receipt_wording.left(receipt)))
            st.html(f'<div class="pc-report"><p>{name}</p><span>{line}</span></div>')
            may = session.workbench.deletion.may_retry(session.access, receipt)
            if may and st.button("Try again", key=f"deletion.retry.{receipt.id}", icon=":material/refresh:"):
                _retry(session, receipt)


def _retry(session: Session, receipt: Receipt) -> None:
    try:
        session.workbench.deletion.retry(session.access, receipt.id)
    except PinciteError as error:
        st.error(literal(str(error)))
        return
    st.rerun()


def _show_items(receipt: Receipt) -> None:
    rows: Sequence[tuple[str, str, str]] = [receipt_wording.row(item) for item in receipt.items]
    frame = pd.DataFrame(
        [tuple(cell(value) for value in row) for row in rows], columns=["Part", "Before", "What became of it"]
    )
    st.text(visible(f"{receipt.name}, {receipt.asked_at:%-d %b %Y %H:%M}"))
    st.dataframe(frame, hide_index=True, key=f"receipt.{receipt.id}")
