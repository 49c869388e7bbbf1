"""Rights: the one place that decides who may do what. Every path asks :func:`allowed`, at each request."""

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from workbench.domain.errors import NotAllowed, NotFound
from workbench.domain.ids import ContainerId, UserId
from workbench.domain.values import Value


class Role(StrEnum):
    """What a member is in a container, from least to most."""

    READER = "reader"
    EDITOR = "editor"
    OWNER = "owner"

    def at_least(self, other: "Role") -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


class Action(StrEnum):
    """What can be done in a container, in words that complete "Only an owner may ..."."""

    READ = "read and ask"
    EDIT = "add, tag, hide and publish documents"
    DELETE_DOCUMENTS = "delete documents"
    SEE_MEMBERS = "see its members"
    MANAGE = "rename or delete the container and manage its members"


LEAST_ROLE: Mapping[Action, Role] = {
    Action.READ: Role.READER,
    Action.EDIT: Role.EDITOR,
    Action.DELETE_DOCUMENTS: Role.OWNER,
    Action.SEE_MEMBERS: Role.READER,
    Action.MANAGE: Role.OWNER,
}
"""The least role in a container that each action needs."""

ADMINISTRATORS = frozenset({Action.SEE_MEMBERS, Action.MANAGE})
"""What an administrator may do in every container. Reading is not among it: for that they become a member, for all to see."""


class Access(Value):
    """What there is to know of one user to decide, as it was when this was read.

    ``containers`` are those the user is a member of, ``roles`` the roles in those where the user is more than a reader.
    ``administrator`` manages all containers and people.
    """

    user_id: UserId
    containers: frozenset[ContainerId]
    roles: Mapping[ContainerId, Role] = Field(default_factory=dict)
    administrator: bool = False

    def may_see(self, container_id: ContainerId) -> bool:
        """Tell whether the user may read what is in a container."""
        return allowed(self, container_id, Action.READ)

    def role(self, container_id: ContainerId) -> Role | None:
        """Return the user's role in a container, None where the user is no member."""
        return self.roles.get(container_id, Role.READER) if container_id in self.containers else None


def allowed(access: Access, container_id: ContainerId, action: Action) -> bool:
    """Tell whether the user of ``access`` may do ``action`` in a container."""
    if access.administrator and action in ADMINISTRATORS:
        return True
    role = access.role(container_id)
    return role is not None and role.at_least(LEAST_ROLE[action])


def require(access: Access, container_id: ContainerId, action: Action) -> None:
    """Return where ``action`` is allowed.

    Raises NotFound where the user may not even know of the container, in the words for one that does not exist, and
    NotAllowed where they do and their role is too low.
    """
    if allowed(access, container_id, action):
        return
    role = access.role(container_id)
    if role is None and not access.administrator:
        raise no_container()
    least = LEAST_ROLE[action]
    who = "a member" if least is Role.READER else f"an {least}"
    yours = "you are no member of this container" if role is None else f"your role in this container is {role}"
    raise NotAllowed(f"Only {who} may {action}, and {yours}.", "Ask an owner of the container.")


def no_container() -> NotFound:
    """Return the error of a container that is missing or not the user's: the two look the same."""
    return NotFound("There is no such container, or it is not yours.", "Choose from the list of containers.")


def no_document() -> NotFound:
    """Return the error of a document that is missing or not the user's: the two look the same."""
    return NotFound("There is no such document, or it is not yours.", "Choose from the list of documents.")
