"""One container: its name, its members, its end."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from workbench.domain.errors import PinciteError
from workbench.domain.ids import ContainerId
from workbench.domain.rights import Role
from workbench.services.people import ManagedContainer, Membership
from workbench.ui import session as door
from workbench.ui import signing_in
from workbench.ui.text import literal

ROLES = {
    Role.READER: "reader: reads and asks",
    Role.EDITOR: "editor: also adds, tags, hides and publishes documents",
    Role.OWNER: "owner: also deletes documents and manages members",
}
_SHORT = {role: role.value for role in Role}


@st.dialog("Container", width="large")
def show(container_id: ContainerId) -> None:
    """Let an owner, or an administrator, look after a container. Each change is made with the rights of that moment."""
    session = door.require()
    found = next(
        (each for each in session.workbench.people.managed(session.access) if each.container.id == container_id), None
    )
    if found is None:
        st.text("There is no such container, or it is not yours to manage.")
        return
    _show_name(session, found)
    if signing_in.required(session.workbench.settings):
        _show_members(session, container_id)
    _show_end(session, found)


def _show_name(session: door.Session, managed: ManagedContainer) -> None:
    with st.form("containers.rename", border=False):
        field, button = st.columns([4, 1], vertical_alignment="bottom")
        name = field.text_input("Name", value=managed.container.name, max_chars=80)
        if button.form_submit_button("Rename", width="stretch"):
            _do(lambda: session.workbench.people.rename_container(session.access, managed.container.id, name))


def _show_members(session: door.Session, container_id: ContainerId) -> None:
    st.subheader("Members", anchor=False)
    for member in session.workbench.people.members(session.access, container_id):
        _show_member(session, container_id, member)
    with st.form("containers.add", border=False, clear_on_submit=True):
        email, role, add = st.columns([4, 2, 1], vertical_alignment="bottom")
        address = email.text_input("E-mail address", help="Who has not signed in yet is invited by it.")
        chosen = role.selectbox("Role", list(Role), format_func=_SHORT.__getitem__)
        if add.form_submit_button("Add", width="stretch") and chosen is not None:
            _do(lambda: session.workbench.people.add_member(session.access, container_id, address, chosen))
    st.caption(literal(" · ".join(ROLES.values())))


def _show_member(session: door.Session, container_id: ContainerId, member: Membership) -> None:
    who, role, remove = st.columns([4, 2, 1], vertical_alignment="center")
    invited = "" if member.user.key or not member.user.email else " · invited"
    who.text(f"{member.user.label}{invited}")
    key = f"containers.role.{container_id}.{member.user.id}"
    chosen = role.selectbox(
        f"Role of {member.user.label}",
        list(Role),
        index=list(Role).index(member.role),
        format_func=_SHORT.__getitem__,
        key=key,
        label_visibility="collapsed",
    )
    people = session.workbench.people
    if chosen is not None and chosen is not member.role:
        _do(lambda: people.set_role(session.access, container_id, member.user.id, chosen))
    if remove.button("Remove", key=f"containers.remove.{container_id}.{member.user.id}", width="stretch"):
        _do(lambda: people.remove_member(session.access, container_id, member.user.id))


def _show_end(session: door.Session, managed: ManagedContainer) -> None:
    if managed.documents:
        st.caption("A container can be deleted once its documents are.")
    elif st.button("Delete this container", icon=":material/delete:"):
        _do(lambda: session.workbench.people.delete_container(session.access, managed.container.id))


def _do(change: Callable[[], Any]) -> None:
    """Make a change and draw everything anew; say what stands against it."""
    try:
        change()
    except PinciteError as error:
        st.error(literal(str(error)))
        return
    st.rerun()
