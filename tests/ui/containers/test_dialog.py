"""Looking after a container in Settings, where people sign in."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.documents.test_screen import button
from workbench import bootstrap
from workbench.domain.documents import Container
from workbench.domain.ids import UserId
from workbench.domain.rights import Role
from workbench.ui import signing_in
from workbench.ui.state import Key

pytestmark = pytest.mark.req("LIB-1")


class Desk:
    """The Settings screen of somebody who signed in, with a container's dialog open."""

    def __init__(self, library: Any, at: AppTest, container: Container) -> None:
        self.at, self.container = at, container
        self._people, self._library = library.workbench.people, library
        self._manage = f"containers.manage.{container.id}"
        self.open()

    def open(self) -> None:
        """A test runs whole scripts only, which close the dialog: it is opened again in the same run."""
        self.at.button(key=self._manage).click().run()
        assert not self.at.exception

    @property
    def roles(self) -> dict[str, Role]:
        members = self._people.members(self._library.access, self.container.id)
        return {member.user.email or str(member.user.id): member.role for member in members}

    @property
    def refusals(self) -> str:
        return " ".join(each.value.replace("\\", "") for each in self.at.error)

    def add(self, address: str, role: Role = Role.READER) -> UserId | None:
        self.at.text_input(key=f"containers.address.{self.container.id}").set_value(address)
        self.at.selectbox(key=f"containers.role.{self.container.id}").set_value(role)
        button(self.at, "Add").click()
        self.open()
        members = self._people.members(self._library.access, self.container.id)
        return next((each.user.id for each in members if each.user.email == address), None)

    def role_of(self, user: UserId, shown: Role) -> Any:
        return self.at.selectbox(key=f"containers.role.{self.container.id}.{user}.{shown}")

    def remove(self, user: UserId) -> None:
        self.at.button(key=f"containers.remove.{self.container.id}.{user}").click()
        self.open()


@pytest.fixture
def desk(library: Any, open_screen: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(signing_in, "required", lambda _: True)
    monkeypatch.setattr(signing_in, "access_for", lambda _: library.access)
    container = library.container("Leases")
    return Desk(library, open_screen("settings"), container)


def test_a_person_is_invited_given_another_role_and_removed(desk: Desk) -> None:
    ana = desk.add("ana@example.com")
    assert ana is not None
    assert desk.roles == {bootstrap.LOCAL_USER: Role.OWNER, "ana@example.com": Role.READER}
    assert any(each.value == "ana@example.com · invited" for each in desk.at.text)
    assert desk.at.text_input(key=f"containers.address.{desk.container.id}").value == ""

    desk.role_of(ana, Role.READER).set_value(Role.EDITOR)
    desk.open()
    assert desk.roles["ana@example.com"] is Role.EDITOR

    desk.remove(ana)
    assert desk.roles == {bootstrap.LOCAL_USER: Role.OWNER}
    assert not desk.refusals


def test_what_is_no_address_is_said_and_stays_to_be_corrected(desk: Desk) -> None:
    assert desk.add("ana at example") is None
    assert "'ana at example' is not an e-mail address" in desk.refusals
    assert desk.at.text_input(key=f"containers.address.{desk.container.id}").value == "ana at example"


def test_the_last_owner_stays_one_whatever_is_tried(desk: Desk) -> None:
    desk.role_of(bootstrap.LOCAL_USER, Role.OWNER).set_value(Role.READER)
    desk.open()
    assert "at least one owner" in desk.refusals
    assert desk.role_of(bootstrap.LOCAL_USER, Role.OWNER).value is Role.OWNER
    desk.remove(bootstrap.LOCAL_USER)
    assert "at least one owner" in desk.refusals
    assert desk.roles == {bootstrap.LOCAL_USER: Role.OWNER}


def test_a_role_that_another_owner_changed_meanwhile_is_not_changed_back(desk: Desk, library: Any) -> None:
    ana = desk.add("ana@example.com")
    assert ana is not None
    library.workbench.people.set_role(library.access, desk.container.id, ana, Role.EDITOR)
    desk.add("ben@example.com")
    assert desk.roles["ana@example.com"] is Role.EDITOR
    assert desk.role_of(ana, Role.EDITOR).value is Role.EDITOR


def test_a_container_is_renamed(desk: Desk) -> None:
    desk.at.text_input(key=f"containers.name.{desk.container.id}").set_value("Leases 2026")
    button(desk.at, "Rename").click()
    desk.open()
    assert any(each.value == "Leases 2026" for each in desk.at.text)


def test_an_empty_container_is_deleted_and_one_with_documents_is_not(
    desk: Desk, library: Any, pdf: Callable[..., bytes]
) -> None:
    document = library.add("lease.pdf", pdf("The rent"), container="Leases")
    desk.open()
    assert "Delete this container" not in [each.label for each in desk.at.button]
    library.workbench.deletion.delete_document(library.access, document.id)
    desk.open()
    desk.at.button(key=f"containers.manage.{desk.container.id}").click()
    button(desk.at, "Delete this container").click().run()
    assert not desk.at.exception
    assert library.workbench.library.containers(library.access) == []
    assert any("lease.pdf" in each.proto.body for each in desk.at.get("html"))  # its receipt is still there


def test_who_has_lost_the_ownership_meanwhile_changes_nothing(desk: Desk, library: Any) -> None:
    ana = desk.add("ana@example.com", Role.OWNER)
    assert ana is not None
    library.workbench.people.remove_member(library.access, desk.container.id, library.access.user_id)
    desk.at.button(key=f"containers.remove.{desk.container.id}.{ana}").click().run()
    kept = library.workbench.people.members(library.workbench.library.access(ana), desk.container.id)
    assert [member.user.id for member in kept] == [ana]
    assert "no such container" in desk.at.session_state[Key.CONTAINER_REFUSED]
