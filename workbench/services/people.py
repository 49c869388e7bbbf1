"""People: who somebody is when they sign in, who is a member of which container, and who looks after all of it."""

import threading
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from workbench.domain.documents import Container
from workbench.domain.errors import NameTaken, NotAllowed, NotFound, PinciteError
from workbench.domain.ids import ContainerId, UserId, new_id
from workbench.domain.people import (
    LOCAL_USER,
    Identity,
    Member,
    Standing,
    User,
    checked_email,
    email_key,
    with_role,
    without,
)
from workbench.domain.rights import Access, Action, Role, allowed, no_container, require
from workbench.services.library import container_name
from workbench.services.ports import Clock, LibraryStore, UserStore

SEEN_EVERY = timedelta(hours=1)
"""How often it is noted that somebody is still here."""


class Membership(NamedTuple):
    """A member with what is known of the person."""

    user: User
    role: Role


class ManagedContainer(NamedTuple):
    """A container as its owner or an administrator sees it: no document is named."""

    container: Container
    members: int
    documents: int


class People:
    """The use case of people and members.

    ``administrators`` are e-mail addresses, subjects of the provider, or ids of users. Who asks for a container that they
    cannot see is told that there is none.
    """

    def __init__(
        self, users: UserStore, library: LibraryStore, clock: Clock, administrators: Collection[str] = ()
    ) -> None:
        self._users = users
        self._library = library
        self._clock = clock
        self._administrators = frozenset(administrators) | {email_key(each) for each in administrators}
        self._signing_in = threading.Lock()

    # --- who somebody is -----------------------------------------------------------------------------------------------

    def sign_in(self, identity: Identity) -> User:
        """Return the user of an identity, made at the first sign-in; what the provider says of them is kept up to date.

        Who was invited by the e-mail address of the identity takes the invitation over, with its memberships. An address
        alone never gives anyone the account of somebody who has signed in before.
        """
        known = self._users.user_with_key(identity.key)
        if known is not None and not self._news(known, identity):
            return known
        with self._signing_in:
            return self._signed_in(identity)

    def _signed_in(self, identity: Identity) -> User:
        now = self._clock.now()
        known = self._users.user_with_key(identity.key) or self._invited(identity.email)
        user = known or User(id=UserId(new_id("user")), created_at=now)
        said = {"key": identity.key, "email": identity.email, "name": identity.name, "seen_at": now}
        user = user.model_copy(update=said)
        try:
            self._users.save_user(user)
        except NameTaken:  # of two processes that saw the first sign-in at once
            other = self._users.user_with_key(identity.key)
            if other is None:
                raise
            return other
        return user

    def _invited(self, email: str) -> User | None:
        return next((user for user in self._users.users_with_email(email) if user.key is None), None)

    def _news(self, user: User, identity: Identity) -> bool:
        told = (user.email, user.name) != (identity.email, identity.name)
        return told or user.seen_at is None or self._clock.now() - user.seen_at > SEEN_EVERY

    def standing(self, user_id: UserId) -> Standing:
        """Tell whether somebody is an administrator, or blocked."""
        if user_id == LOCAL_USER:
            return Standing()
        user = self._users.user(user_id)
        if user is None:
            return Standing(blocked=True)
        subject = user.key.partition("\n")[2] if user.key else ""
        names = {user.id, subject, user.email} - {""}
        return Standing(administrator=bool(names & self._administrators), blocked=user.blocked)

    # --- members -------------------------------------------------------------------------------------------------------

    def members(self, access: Access, container_id: ContainerId) -> list[Membership]:
        """Return a container's members, those longest in it first. Raises NotFound where it is missing or not the user's."""
        self._container(access, container_id)
        require(access, container_id, Action.SEE_MEMBERS)
        members = self._library.members(container_id)
        return [Membership(self._user(each.user_id, each.since), each.role) for each in members]

    def add_member(self, access: Access, container_id: ContainerId, email: str, role: Role) -> User:
        """Give the person of an e-mail address a role, inviting them where nobody here has that address.

        Raises NotFound and NotAllowed as :meth:`members` does, PinciteError where the address is none, is that of several
        people, or the last owner would go.
        """
        self._may_manage(access, container_id)
        user = self._of_email(checked_email(email))
        self._put(container_id, user.id, role)
        return user

    def set_role(self, access: Access, container_id: ContainerId, user_id: UserId, role: Role) -> None:
        """Give a member another role; raise as :meth:`add_member` does, and NotFound where the person is no member."""
        self._may_manage(access, container_id)

        def change(members: list[Member]) -> list[Member]:
            _require_member(members, user_id)
            return with_role(members, Member(user_id=user_id, role=role, since=self._clock.now()))

        self._library.change_members(container_id, change)

    def add_user(self, access: Access, container_id: ContainerId, user_id: UserId, role: Role) -> None:
        """Give somebody who is known here a role in a container; raise as :meth:`add_member` does."""
        self._may_manage(access, container_id)
        if user_id != LOCAL_USER and self._users.user(user_id) is None:
            raise NotFound("There is no such person here.", "Invite them by e-mail.")
        self._put(container_id, user_id, role)

    def remove_member(self, access: Access, container_id: ContainerId, user_id: UserId) -> None:
        """End a membership: it counts from the next request of that person on. Everybody may leave by themselves.

        Raises NotFound and NotAllowed as :meth:`members` does, PinciteError for the last owner.
        """
        if user_id == access.user_id and access.may_see(container_id):
            self._container(access, container_id)
        else:
            self._may_manage(access, container_id)

        def change(members: list[Member]) -> list[Member]:
            _require_member(members, user_id)
            return without(members, user_id)

        self._library.change_members(container_id, change)

    def _put(self, container_id: ContainerId, user_id: UserId, role: Role) -> None:
        member = Member(user_id=user_id, role=role, since=self._clock.now())
        self._library.change_members(container_id, lambda members: with_role(members, member))

    def _of_email(self, email: str) -> User:
        with self._signing_in:
            known = self._users.users_with_email(email)
            if len(known) > 1:
                raise PinciteError(
                    f"{len(known)} people here have the address {email}.", "Choose the person from the list instead."
                )
            if known:
                return known[0]
            invited = User(id=UserId(new_id("user")), email=email, created_at=self._clock.now())
            self._users.save_user(invited)
            return invited

    # --- containers ----------------------------------------------------------------------------------------------------

    def managed(self, access: Access) -> list[ManagedContainer]:
        """Return the containers that the user manages, by name: those they own, for an administrator all."""
        return [
            ManagedContainer(each, len(self._library.members(each.id)), len(self._library.documents([each.id])))
            for each in self._library.containers()
            if allowed(access, each.id, Action.MANAGE)
        ]

    def rename_container(self, access: Access, container_id: ContainerId, name: str) -> Container:
        """Give a container another name. Raises NotFound, NotAllowed, and NameTaken where its founder has one of that."""
        self._may_manage(access, container_id)
        self._library.rename_container(container_id, container_name(name))
        return self._container(access, container_id)

    def delete_container(self, access: Access, container_id: ContainerId) -> None:
        """Delete an empty container. Raises NotFound, NotAllowed, and PinciteError where it holds documents."""
        self._may_manage(access, container_id)
        self._library.delete_container(container_id)

    def _may_manage(self, access: Access, container_id: ContainerId) -> None:
        self._container(access, container_id)
        require(access, container_id, Action.MANAGE)

    def _container(self, access: Access, container_id: ContainerId) -> Container:
        """Return a container that the user may know of."""
        found = next((each for each in self._library.containers() if each.id == container_id), None)
        if found is None or not allowed(access, container_id, Action.SEE_MEMBERS):
            raise no_container()
        return found

    # --- everybody -----------------------------------------------------------------------------------------------------

    def everybody(self, access: Access) -> Sequence[User]:
        """Return all people known here, for an administrator. Raises NotAllowed for others."""
        _require_administrator(access)
        return self._users.users()

    def block(self, access: Access, user_id: UserId, *, blocked: bool) -> User:
        """Take everything from the sight of a person, or give it back; their memberships stay. For an administrator."""
        _require_administrator(access)
        user = self._users.user(user_id)
        if user is None:
            raise NotFound("There is no such person here.", "Choose from the list of people.")
        if user_id == access.user_id:
            raise PinciteError("You cannot block yourself.", "Ask another administrator.")
        changed = user.model_copy(update={"blocked": blocked})
        with self._signing_in:
            self._users.save_user(changed)
        return changed

    def user(self, user_id: UserId) -> User:
        """Return a person, for their own screens."""
        return self._user(user_id, self._clock.now())

    def _user(self, user_id: UserId, since: datetime) -> User:
        if user_id == LOCAL_USER:
            return User(id=LOCAL_USER, name="The user of this machine", created_at=since)
        return self._users.user(user_id) or User(id=user_id, name="A person who is not known here", created_at=since)


def _require_member(members: Sequence[Member], user_id: UserId) -> None:
    if all(member.user_id != user_id for member in members):
        raise NotFound("This person is not a member.", "Look at the list of members again.")


def _require_administrator(access: Access) -> None:
    if not access.administrator:
        raise NotAllowed("Only an administrator may do this.", "Ask an administrator.")
