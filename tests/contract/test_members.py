"""The contract of LibraryStore for containers and their members, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.sql.engine import Database, open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.adapters.sql.users import SqlUserStore
from workbench.domain.documents import Container, Document
from workbench.domain.errors import NameTaken, NotFound, PinciteError
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.people import LOCAL_USER, Member, with_role, without
from workbench.domain.rights import Role
from workbench.services.ports import LibraryStore

pytestmark = pytest.mark.req("CHAT-5")

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
LEASES, CLAIMS = ContainerId("con_leases"), ContainerId("con_claims")


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> LibraryStore:
    return MemoryLibraryStore() if request.param == "memory" else SqlLibraryStore(open_store(request.param))


def member(user: str, role: Role = Role.READER, minutes: int = 0) -> Member:
    return Member(user_id=UserId(user), role=role, since=NOON + timedelta(minutes=minutes))


def container(container_id: str, name: str = "Leases", founder: str = "") -> Container:
    return Container(id=ContainerId(container_id), name=name, created_at=NOON, founder=UserId(founder))


def test_members_come_back_longest_first_and_a_user_finds_every_role(store: LibraryStore, hostile: str) -> None:
    user = f"u{hostile}"
    store.add_container(container(LEASES), [member("ben", minutes=5), member(user, Role.OWNER)])
    store.add_container(container(CLAIMS, "Claims"), [member(user, Role.EDITOR)])
    assert store.members(LEASES) == [member(user, Role.OWNER), member("ben", minutes=5)]
    assert store.memberships(UserId(user)) == {LEASES: Role.OWNER, CLAIMS: Role.EDITOR}
    assert store.memberships(UserId("nobody")) == {}
    assert store.members(ContainerId("con_none")) == []


def test_one_founder_has_one_container_of_a_name_and_another_founder_too(store: LibraryStore) -> None:
    store.add_container(container(LEASES, "Leases", "ana"))
    store.add_container(container(CLAIMS, "leases", "ben"))
    with pytest.raises(NameTaken):
        store.add_container(container("con_third", "LEASES", "ana"), [member("ana", Role.OWNER)])
    assert store.memberships(UserId("ana")) == {}
    assert len(store.containers()) == 2


def test_a_container_is_renamed_but_not_to_a_name_that_is_taken(store: LibraryStore) -> None:
    store.add_container(container(LEASES, "Leases", "ana"), [member("ana", Role.OWNER)])
    store.add_container(container(CLAIMS, "Claims", "ana"))
    store.rename_container(LEASES, "Rents")
    with pytest.raises(NameTaken):
        store.rename_container(LEASES, "CLAIMS")
    with pytest.raises(NotFound):
        store.rename_container(ContainerId("con_none"), "Anything")
    store.rename_container(LEASES, "rents")  # its own name in another case
    assert [each.name for each in store.containers()] == ["Claims", "rents"]
    assert store.members(LEASES) == [member("ana", Role.OWNER)]


def test_only_an_empty_container_is_deleted_and_its_memberships_go_with_it(store: LibraryStore) -> None:
    for each in (container(LEASES), container(CLAIMS, "Claims")):
        store.add_container(each, [member("ana", Role.OWNER)])
    store.save_document(Document(id=DocumentId("doc_1"), container_id=LEASES, name="a.pdf", uploaded_at=NOON))
    with pytest.raises(PinciteError, match="holds documents"):
        store.delete_container(LEASES)
    store.delete_container(CLAIMS)
    store.delete_container(CLAIMS)
    assert [each.id for each in store.containers()] == [LEASES]
    assert store.memberships(UserId("ana")) == {LEASES: Role.OWNER}


def test_a_change_that_is_refused_changes_nothing(store: LibraryStore) -> None:
    store.add_container(container(LEASES), [member("ana", Role.OWNER), member("ben")])
    with pytest.raises(PinciteError, match="at least one owner"):
        store.change_members(LEASES, lambda members: without(members, UserId("ana")))
    with pytest.raises(NotFound):
        store.change_members(CLAIMS, lambda members: members)
    assert store.members(LEASES) == [member("ana", Role.OWNER), member("ben")]
    changed = store.change_members(LEASES, lambda members: with_role(members, member("ben", Role.EDITOR, minutes=9)))
    assert changed == [member("ana", Role.OWNER), member("ben", Role.EDITOR)]


def test_of_two_owners_that_leave_at_once_one_stays(
    store: LibraryStore, together: Callable[[Callable[[int], Any], int], list[Any]]
) -> None:
    store.add_container(container(LEASES), [member(f"owner {number}", Role.OWNER) for number in range(4)])
    left = together(
        lambda number: store.change_members(LEASES, lambda members: without(members, UserId(f"owner {number}"))), 4
    )
    assert sum(isinstance(each, PinciteError) for each in left) == 1
    assert len(store.members(LEASES)) == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_containers_of_a_database_of_before_belong_to_the_user_of_the_machine(
    tmp_path: Path, new_url: Callable[[], str], kind: str
) -> None:
    url = f"sqlite:///{tmp_path}/old.db" if kind == "sqlite" else new_url()
    earlier = open_database(url)
    held = '{"id": "con_%s", "name": "%s", "created_at": "2026-05-04T12:00:00Z"}'
    with earlier.writing() as connection:
        for table in ("members", "users"):
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text("DELETE FROM migrations WHERE name = 'add_people'"))
        for name in ("leases", "sales"):
            row = {"id": f"con_{name}", "name": name, "value": held % (name, name)}
            connection.execute(text("INSERT INTO containers (id, name_key, value) VALUES (:id, :name, :value)"), row)
    earlier.close()

    for _ in range(2):  # the second start changes nothing
        database = open_database(url)
        owned = SqlLibraryStore(database).memberships(LOCAL_USER)
        members = SqlLibraryStore(database).members(ContainerId("con_leases"))
        people = SqlUserStore(database).users()
        database.close()

        assert owned == {ContainerId("con_leases"): Role.OWNER, ContainerId("con_sales"): Role.OWNER}
        assert [(member.user_id, member.role) for member in members] == [(LOCAL_USER, Role.OWNER)]
        assert people == []
