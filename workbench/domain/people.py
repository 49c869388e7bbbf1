"""People: who signs in, and who is a member of a container."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from workbench.domain.errors import PinciteError
from workbench.domain.ids import UserId
from workbench.domain.rights import Role
from workbench.domain.values import Value

LONGEST_EMAIL = 254

LOCAL_USER = UserId("local")
"""The one user of an installation without sign-in."""


class Identity(Value):
    """Who somebody is, as the identity provider says. ``email`` is empty where the provider does not vouch for it."""

    issuer: str
    subject: str
    email: str = ""
    name: str = ""
    signed_in_at: datetime

    @property
    def key(self) -> str:
        """The provider and its name for the person: what never changes, and is never given to another."""
        return f"{self.issuer}\n{self.subject}"

    def ended(self, now: datetime, lasts: timedelta) -> bool:
        """Tell whether the sign-in is older than it may be, or of the future, which a right clock never says."""
        return not now - lasts <= self.signed_in_at <= now + timedelta(minutes=5)


def identity(claims: Mapping[str, Any]) -> Identity | None:
    """Read the claims of an ID token; None where they do not say who it is and since when.

    An e-mail address that the provider says it has not verified could be anyone's, so it is left out.
    """
    issuer, subject, issued = claims.get("iss"), claims.get("sub"), claims.get("iat")
    if not (isinstance(issuer, str) and isinstance(subject, str) and issuer and subject):
        return None
    if isinstance(issued, bool) or not isinstance(issued, int | float):
        return None
    verified = claims.get("email_verified", True) in (True, "true")
    email = _said(claims, "email") if verified else ""
    return Identity(
        issuer=issuer,
        subject=subject,
        email=email_key(email),
        name=_said(claims, "name") or _said(claims, "preferred_username") or email,
        signed_in_at=datetime.fromtimestamp(issued, UTC),
    )


def _said(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


class User(Value):
    """A person known here. ``key`` is that of their identity, None for one invited by e-mail who has not signed in yet.

    ``blocked`` people sign in to nothing: they see no container, whatever they are a member of.
    """

    id: UserId
    key: str | None = None
    email: str = ""
    name: str = ""
    blocked: bool = False
    created_at: datetime
    seen_at: datetime | None = None

    @property
    def label(self) -> str:
        """What tells the person from others of the same name."""
        if not self.email or self.name in ("", self.email):
            return self.email or self.name or "a person without a name"
        return f"{self.name} ({self.email})"


class Member(Value):
    """A user's role in a container."""

    user_id: UserId
    role: Role
    since: datetime


class Standing(NamedTuple):
    """What is to be known of a user, whatever the container."""

    administrator: bool = False
    blocked: bool = False


def email_key(email: str) -> str:
    """Return an e-mail address in the form in which two are the same."""
    return "".join(email.split()).casefold()


def checked_email(email: str) -> str:
    """Return the key of an address that a person wrote; raise PinciteError where it is none."""
    key = email_key(email)
    name, at, host = key.rpartition("@")
    if not (name and at and "." in host.strip(".")) or len(key) > LONGEST_EMAIL or not key.isprintable():
        raise PinciteError(f"{email.strip()!r} is not an e-mail address.", "Write it like ana@example.com.")
    return key


def without(members: Iterable[Member], user_id: UserId) -> list[Member]:
    """Return the members but one; raise PinciteError where no owner would be left."""
    kept = [member for member in members if member.user_id != user_id]
    return _with_an_owner(kept)


def with_role(members: Iterable[Member], changed: Member) -> list[Member]:
    """Return the members with one added, or given another role; raise PinciteError where no owner would be left."""
    held = list(members)
    since = next((each.since for each in held if each.user_id == changed.user_id), changed.since)
    others = [each for each in held if each.user_id != changed.user_id]
    return _with_an_owner([*others, changed.model_copy(update={"since": since})])


def _with_an_owner(members: list[Member]) -> list[Member]:
    if not any(member.role is Role.OWNER for member in members):
        raise PinciteError(
            "A container keeps at least one owner.", "Make another member an owner first, then try again."
        )
    return members
