"""People: signing in, invitations, members, administrators."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_users import MemoryUserStore
from workbench.domain.documents import Container, Document
from workbench.domain.errors import NotAllowed, NotFound, PinciteError
from workbench.domain.ids import ContainerId, DocumentId, UserId
from workbench.domain.people import LOCAL_USER, Identity, Member, identity
from workbench.domain.rights import Access, Role
from workbench.services.library import Library
from workbench.services.people import People

NOON = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
WILLS = ContainerId("con_wills")


class Office(NamedTuple):
    people: People
    users: MemoryUserStore
    store: MemoryLibraryStore
    library: Library

    def access(self, who: UserId) -> Access:
        return self.library.access(who)


@pytest.fixture
def office() -> Office:
    """An office with one container, owned by the user of the machine, and one administrator by address."""
    users, store, clock = MemoryUserStore(), MemoryLibraryStore(), FixedClock()
    owner = Member(user_id=LOCAL_USER, role=Role.OWNER, since=NOON)
    store.add_container(Container(id=WILLS, name="Wills", created_at=NOON), [owner])
    people = People(users, store, clock, ["Root@Example.com"])
    library = Library(store, None, None, None, None, clock, people.standing)  # type: ignore[arg-type]
    return Office(people, users, store, library)


def who(subject: str = "7", email: str = "ana@example.com", name: str = "Kim Lee", **more: Any) -> Identity:
    claims = {"iss": "https://id.example", "sub": subject, "email": email, "name": name, "iat": NOON.timestamp()} | more
    found = identity(claims)
    assert found is not None
    return found


def test_the_same_person_is_the_same_user_whatever_name_and_address_become(office: Office) -> None:
    first = office.people.sign_in(who())
    again = office.people.sign_in(who(email="ana.new@example.com", name="Kim Lee-Ortiz"))
    assert again.id == first.id
    assert office.users.user(first.id) == again
    assert again.label == "Kim Lee-Ortiz (ana.new@example.com)"


def test_people_of_one_name_are_told_apart_by_their_address(office: Office) -> None:
    ana, ben = office.people.sign_in(who()), office.people.sign_in(who("8", "ben@example.com"))
    assert ana.id != ben.id
    assert (ana.label, ben.label) == ("Kim Lee (ana@example.com)", "Kim Lee (ben@example.com)")


def test_an_invitation_is_taken_over_at_the_first_sign_in_and_by_nobody_else_later(office: Office) -> None:
    invited = office.people.add_member(office.access(LOCAL_USER), WILLS, " Ana@Example.com ", Role.EDITOR)
    assert office.people.sign_in(who()).id == invited.id
    assert office.access(invited.id).role(WILLS) is Role.EDITOR
    other = office.people.sign_in(who("another subject"))
    assert other.id != invited.id
    assert office.access(other.id).containers == frozenset()


def test_an_address_that_the_provider_has_not_verified_gives_nothing(office: Office) -> None:
    office.people.add_member(office.access(LOCAL_USER), WILLS, "ana@example.com", Role.OWNER)
    unsure = office.people.sign_in(who(email_verified=False))
    assert office.access(unsure.id).containers == frozenset()
    root = office.people.sign_in(who("9", "root@example.com", email_verified=False))
    assert not office.access(root.id).administrator


@pytest.mark.parametrize("claims", [{}, {"sub": "7", "iat": 1}, {"iss": "i", "iat": 1}, {"iss": "i", "sub": "7"}])
def test_claims_that_do_not_say_who_it_is_are_nobodys(claims: dict[str, Any]) -> None:
    assert identity(claims) is None
    assert identity({"iss": "i", "sub": "7", "iat": True}) is None


def test_a_sign_in_ends_after_its_time_and_none_is_of_the_future() -> None:
    held, lasts = who(), timedelta(hours=12)
    assert not held.ended(NOON + timedelta(hours=11), lasts)
    assert held.ended(NOON + timedelta(hours=13), lasts)
    assert held.ended(NOON - timedelta(hours=1), lasts)


def test_a_removed_member_sees_nothing_at_the_next_request(office: Office) -> None:
    owner = office.access(LOCAL_USER)
    ana = office.people.add_member(owner, WILLS, "ana@example.com", Role.READER)
    assert office.access(ana.id).may_see(WILLS)
    office.people.remove_member(owner, WILLS, ana.id)
    assert not office.access(ana.id).may_see(WILLS)
    with pytest.raises(NotFound, match="not a member"):
        office.people.remove_member(owner, WILLS, ana.id)


def test_the_last_owner_is_neither_removed_nor_demoted_and_does_not_leave(office: Office) -> None:
    owner = office.access(LOCAL_USER)
    for attempt in (
        lambda: office.people.remove_member(owner, WILLS, LOCAL_USER),
        lambda: office.people.set_role(owner, WILLS, LOCAL_USER, Role.READER),
    ):
        with pytest.raises(PinciteError, match="at least one owner"):
            attempt()
    ana = office.people.add_member(owner, WILLS, "ana@example.com", Role.OWNER)
    office.people.set_role(office.access(ana.id), WILLS, LOCAL_USER, Role.READER)
    assert office.access(LOCAL_USER).role(WILLS) is Role.READER


def test_a_reader_manages_nothing_but_may_leave_and_a_stranger_is_told_of_no_container(office: Office) -> None:
    ana = office.people.add_member(office.access(LOCAL_USER), WILLS, "ana@example.com", Role.READER)
    ben = office.people.sign_in(who("8", "ben@example.com"))
    with pytest.raises(NotAllowed, match="your role in this container is reader"):
        office.people.add_member(office.access(ana.id), WILLS, "eve@example.com", Role.READER)
    for of in (WILLS, ContainerId("con_none")):
        with pytest.raises(NotFound, match="There is no such container, or it is not yours"):
            office.people.members(office.access(ben.id), of)
    shown = {each.user.label: each.role for each in office.people.members(office.access(ana.id), WILLS)}
    assert shown == {"The user of this machine": Role.OWNER, "ana@example.com": Role.READER}
    office.people.remove_member(office.access(ana.id), WILLS, ana.id)
    assert office.access(ana.id).containers == frozenset()


def test_an_administrator_manages_all_and_reads_only_what_they_join(office: Office) -> None:
    root = office.people.sign_in(who("9", "root@example.com"))
    access = office.access(root.id)
    assert access.administrator
    assert not access.may_see(WILLS)
    assert [each.container.name for each in office.people.managed(access)] == ["Wills"]
    office.people.add_user(access, WILLS, root.id, Role.READER)
    assert office.access(root.id).may_see(WILLS)
    assert root.id in [each.user.id for each in office.people.members(office.access(LOCAL_USER), WILLS)]


def test_whoever_is_blocked_sees_nothing_and_gets_it_back(office: Office) -> None:
    ana = office.people.add_member(office.access(LOCAL_USER), WILLS, "ana@example.com", Role.EDITOR)
    root = office.access(office.people.sign_in(who("9", "root@example.com")).id)
    office.people.block(root, ana.id, blocked=True)
    assert office.access(ana.id).containers == frozenset()
    office.people.block(root, ana.id, blocked=False)
    assert office.access(ana.id).role(WILLS) is Role.EDITOR
    with pytest.raises(NotAllowed):
        office.people.block(office.access(ana.id), root.user_id, blocked=True)
    with pytest.raises(PinciteError, match="yourself"):
        office.people.block(root, root.user_id, blocked=True)


def test_somebody_who_is_not_known_sees_nothing(office: Office) -> None:
    office.store.change_members(
        WILLS, lambda held: [*held, Member(user_id=UserId("user_gone"), role=Role.OWNER, since=NOON)]
    )
    assert office.access(UserId("user_gone")).containers == frozenset()


def test_a_container_is_renamed_and_deleted_when_it_is_empty(office: Office) -> None:
    owner = office.access(LOCAL_USER)
    assert office.people.rename_container(owner, WILLS, "  Wills   and trusts ").name == "Wills and trusts"
    with pytest.raises(PinciteError, match="1 to 80"):
        office.people.rename_container(owner, WILLS, "   ")
    office.store.save_document(Document(id=DocumentId("doc_1"), container_id=WILLS, name="a.pdf", uploaded_at=NOON))
    with pytest.raises(PinciteError, match="holds documents"):
        office.people.delete_container(owner, WILLS)
    office.store.delete_document(DocumentId("doc_1"))
    office.people.delete_container(owner, WILLS)
    assert office.store.containers() == []


@pytest.mark.parametrize("address", ["", "ana", "@example.com", "ana@", "ana@nowhere", f"{'a' * 250}@example.com"])
def test_what_is_no_address_invites_nobody(office: Office, address: str) -> None:
    with pytest.raises(PinciteError, match="not an e-mail address"):
        office.people.add_member(office.access(LOCAL_USER), WILLS, address, Role.READER)
    assert office.users.users() == []


def test_a_name_that_others_have_for_their_container_is_not_taken(office: Office) -> None:
    ana = office.people.sign_in(who())
    made = office.library.create_container(office.access(ana.id), "Wills")
    assert office.access(ana.id).role(made.id) is Role.OWNER
    assert [each.id for each in office.library.containers(office.access(ana.id))] == [made.id]
