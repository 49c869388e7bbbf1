"""The one function of rights, case by case."""

import pytest

from workbench.domain.errors import NotAllowed, NotFound
from workbench.domain.ids import ContainerId, UserId
from workbench.domain.rights import Access, Action, Role, allowed, require

HERE, THERE = ContainerId("con_here"), ContainerId("con_there")
MAY = {
    None: set(),
    Role.READER: {Action.READ, Action.SEE_MEMBERS},
    Role.EDITOR: {Action.READ, Action.SEE_MEMBERS, Action.EDIT},
    Role.OWNER: set(Action),
}


def access(role: Role | None, *, administrator: bool = False) -> Access:
    held = frozenset() if role is None else frozenset([HERE])
    roles = {} if role is None else {HERE: role}
    return Access(user_id=UserId("ana"), containers=held, roles=roles, administrator=administrator)


@pytest.mark.req("FIND-1")
@pytest.mark.parametrize("role", [None, *Role])
@pytest.mark.parametrize("action", Action)
def test_each_role_may_do_what_is_its_own(role: Role | None, action: Action) -> None:
    assert allowed(access(role), HERE, action) is (action in MAY[role])
    assert not allowed(access(role), THERE, action)


@pytest.mark.parametrize("action", Action)
def test_an_administrator_manages_every_container_and_reads_none_by_that(action: Action) -> None:
    managing = {Action.MANAGE, Action.SEE_MEMBERS}
    assert allowed(access(None, administrator=True), THERE, action) is (action in managing)


def test_a_member_without_a_stated_role_only_reads() -> None:
    member = Access(user_id=UserId("ana"), containers=frozenset([HERE]))
    assert [each for each in Action if allowed(member, HERE, each)] == [Action.READ, Action.SEE_MEMBERS]


def test_a_role_outside_the_containers_counts_for_nothing() -> None:
    stray = Access(user_id=UserId("ana"), containers=frozenset(), roles={HERE: Role.OWNER})
    assert not any(allowed(stray, HERE, each) for each in Action)


def test_who_may_not_know_of_it_is_told_that_it_does_not_exist() -> None:
    with pytest.raises(NotFound, match="no such container"):
        require(access(None), HERE, Action.EDIT)
    with pytest.raises(NotAllowed, match="your role in this container is reader"):
        require(access(Role.READER), HERE, Action.EDIT)
    require(access(Role.EDITOR), HERE, Action.EDIT)
