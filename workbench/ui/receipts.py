"""Receipts of deletions: what is not confirmed yet, to be tried again, and what is done."""

import streamlit as st

from workbench.domain.deletions import Receipt
from workbench.domain.errors import PinciteError
from workbench.ui.receipt_wording import left, row
from workbench.ui.session import Session
from workbench.ui.text import escaped, literal, visible

_SHOWN = 20
_HEADS = ("What", "Before", "What became of it")


def show(session: Session) -> None:
    """Draw the section; without any deletion there is none."""
    receipts = session.workbench.deletion.receipts(session.access)
    if not receipts:
        return
    st.subheader("Receipts", anchor=False)
    waiting = [receipt for receipt in receipts if receipt.open]
    if not waiting:
        st.html('<p class="pc-quiet">Everything that was deleted is confirmed to be gone.</p>')
    for receipt in waiting:
        _show_open(session, receipt)
    done = [receipt for receipt in receipts if not receipt.open]
    if done:
        with st.expander(f"Done: {len(done):,}"):
            for receipt in done[:_SHOWN]:
                st.html(_receipt_html(receipt))
            if len(done) > _SHOWN:
                st.html(f'<p class="pc-quiet">and {len(done) - _SHOWN:,} earlier ones</p>')


def _show_open(session: Session, receipt: Receipt) -> None:
    with st.container(border=True, key=f"receipt-{receipt.id}"):
        st.html(_receipt_html(receipt))
        may = session.workbench.deletion.may_retry(session.access, receipt)
        if may and st.button("Try again now", icon=":material/refresh:", key=f"receipt.retry.{receipt.id}"):
            try:
                with st.spinner("Deleting, and looking whether all is gone"):
                    session.workbench.deletion.retry(session.access, receipt.id)
            except PinciteError as error:
                st.error(literal(str(error)), icon=":material/error:")
            else:
                st.rerun()


def _receipt_html(receipt: Receipt) -> str:
    """Return a receipt with its parts; of one that is open the parts that are left stand first."""
    where = f" in {escaped(visible(receipt.container))}" if receipt.container else ""
    asked = f"{receipt.asked_at.day} {receipt.asked_at:%B %Y, %H:%M %Z}"
    why = f"deleted for the {receipt.reason}" if receipt.reason else f"asked for by {receipt.asked_by}"
    head = (
        f'<p><b>{escaped(visible(receipt.name))}</b>{where}<br><span class="pc-quiet">'
        f"{escaped(visible(why))} on {escaped(asked)}</span></p>"
    )
    said = f"<p>{escaped(left(receipt))}{_next(receipt)}</p>" if receipt.open else ""
    rows = "".join(
        "<tr>" + "".join(f"<td>{escaped(visible(cell))}</td>" for cell in row(item)) + "</tr>"
        for item in sorted(receipt.items, key=lambda item: item.fate.settled)
    )
    heads = "".join(f'<th scope="col">{head}</th>' for head in _HEADS)
    table = f'<table class="pc-facts"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    return head + said + table


def _next(receipt: Receipt) -> str:
    if receipt.next_try_at is None:
        return ""
    return f" Next attempt: {receipt.next_try_at.day} {receipt.next_try_at:%B, %H:%M %Z}, or at the next start."
