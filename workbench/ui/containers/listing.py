"""The part of Settings that lists the containers one manages, and for an administrator the people."""

import streamlit as st

from workbench.domain.errors import PinciteError
from workbench.ui import signing_in
from workbench.ui.containers import dialog
from workbench.ui.session import Session
from workbench.ui.text import literal


def show(session: Session) -> None:
    """List the containers with a button each; nothing is said of them but names and numbers."""
    st.subheader("Containers", anchor=False)
    if not signing_in.required(session.workbench.settings):
        st.caption("One user, this machine's, owns every container. Switch sign-in on to share them with others.")
    managed = session.workbench.people.managed(session.access)
    if not managed:
        st.text("You own no container.")
    for each in managed:
        name, members, documents, manage = st.columns([5, 2, 2, 2], vertical_alignment="center")
        name.text(each.container.name)
        members.text(_count(each.members, "member"))
        documents.text(_count(each.documents, "document"))
        if manage.button("Manage", key=f"containers.manage.{each.container.id}", width="stretch"):
            dialog.show(each.container.id)
    if session.access.administrator:
        _show_people(session)


def _show_people(session: Session) -> None:
    st.subheader("People", anchor=False)
    st.caption("Whoever is blocked signs in to nothing, at once. What they are a member of stays as it is.")
    for user in session.workbench.people.everybody(session.access):
        who, seen, act = st.columns([5, 4, 2], vertical_alignment="center")
        who.text(user.label)
        seen.text(f"last seen on {user.seen_at:%Y-%m-%d}" if user.seen_at else "invited, not signed in yet")
        word = "Unblock" if user.blocked else "Block"
        if user.id != session.user and act.button(word, key=f"people.block.{user.id}", width="stretch"):
            try:
                session.workbench.people.block(session.access, user.id, blocked=not user.blocked)
            except PinciteError as error:
                st.error(literal(str(error)))
                return
            st.rerun()


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
