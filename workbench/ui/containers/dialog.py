"""One container: its name, its members, its end."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from workbench.domain.errors import PinciteError
from workbench.domain.ids import ContainerId
from workbench.domain.rights import Access, Role
from workbench.services.people import ManagedContainer, Membership, People
from workbench.ui import session as door
from workbench.ui import signing_in
from workbench.ui.state import Key
from workbench.ui.text import literal

ROLES = {
    Role.READER: "reader: reads and asks",
    Role.EDITOR: "editor: also adds, tags, hides and publishes documents",
    Role.OWNER: "owner: also deletes documents and manages members",
}
_SHORT = {role: role.value for role in Role}


@st.dialog("Container", width="large", on_dismiss="rerun")
def show(container_id: ContainerId) -> None:
    """Let an owner, or an administrator, look after a container. It stays open, so that several people can be added."""
    session = door.require()
    found = next(
        (each for each in session.workbench.people.managed(session.access) if each.container.id == container_id), None
    )
    refused = st.session_state.pop(Key.CONTAINER_REFUSED, "")
    if refused:
        st.error(literal(refused))
    if found is None:
        st.text("There is no such container, or it is not yours to manage.")
        return
    _show_name(session, found)
    if signing_in.required(session.workbench.settings):
        _show_members(session, container_id)
    _show_end(session, found)


def _show_name(session: door.Session, managed: ManagedContainer) -> None:
    container = managed.container
    key = f"containers.name.{container.id}"

    def rename(people: People, access: Access) -> None:
        people.rename_container(access, container.id, st.session_state[key])

    with st.form("containers.rename", border=False):
        field, button = st.columns([4, 1], vertical_alignment="bottom")
        field.text_input("Name", value=container.name, max_chars=80, key=key)
        button.form_submit_button("Rename", width="stretch", on_click=_change, args=(session, rename))


def _show_members(session: door.Session, container_id: ContainerId) -> None:
    st.subheader("Members", anchor=False)
    for member in session.workbench.people.members(session.access, container_id):
        _show_member(session, container_id, member)
    address, role = f"containers.address.{container_id}", f"containers.role.{container_id}"

    def add(people: People, access: Access) -> None:
        people.add_member(access, container_id, st.session_state[address], st.session_state[role])
        st.session_state[address] = ""  # what was refused stays, to be corrected

    with st.form("containers.add", border=False):
        left, middle, right = st.columns([4, 2, 1], vertical_alignment="bottom")
        left.text_input("E-mail address", key=address, help="Who has not signed in yet is invited by it.")
        middle.selectbox("Role", list(Role), format_func=_SHORT.__getitem__, key=role)
        right.form_submit_button("Add", width="stretch", on_click=_change, args=(session, add))
    st.caption(literal(" · ".join(ROLES.values())))


def _show_member(session: door.Session, container_id: ContainerId, member: Membership) -> None:
    user_id, label = member.user.id, member.user.label
    # With the role in the key, a role that somebody else has changed meanwhile is shown as it is, and not changed back.
    key = f"containers.role.{container_id}.{user_id}.{member.role}"

    def give(people: People, access: Access) -> None:
        role, st.session_state[key] = st.session_state[key], member.role
        people.set_role(access, container_id, user_id, role)

    def remove(people: People, access: Access) -> None:
        people.remove_member(access, container_id, user_id)

    who, middle, right = st.columns([4, 2, 1], vertical_alignment="center")
    invited = "" if member.user.key or not member.user.email else " · invited"
    who.text(f"{label}{invited}")
    middle.selectbox(
        f"Role of {label}",
        list(Role),
        index=list(Role).index(member.role),
        format_func=_SHORT.__getitem__,
        key=key,
        label_visibility="collapsed",
        on_change=_change,
        args=(session, give),
    )
    right.button(
        "Remove",
        key=f"containers.remove.{container_id}.{user_id}",
        width="stretch",
        on_click=_change,
        args=(session, remove),
    )


def _show_end(session: door.Session, managed: ManagedContainer) -> None:
    if managed.documents:
        st.caption("A container can be deleted once its documents are.")
    elif st.button("Delete this container", icon=":material/delete:"):
        _change(session, lambda people, access: people.delete_container(access, managed.container.id))
        st.rerun()


def _change(session: door.Session, do: Callable[[People, Access], Any]) -> None:
    """Make a change with the rights of this moment; what stands against it is said at the next draw."""
    workbench = session.workbench
    try:
        do(workbench.people, workbench.library.access(session.user))
    except PinciteError as error:
        st.session_state[Key.CONTAINER_REFUSED] = str(error)
