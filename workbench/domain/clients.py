"""Clients: programs that use the tools in the name of a user, over MCP, and the tokens they show."""

import hashlib
import secrets
from datetime import datetime

from workbench.domain.ids import ContainerId, TokenId, UserId
from workbench.domain.rights import Access
from workbench.domain.values import Value

MARK = "pincite_"
"""How every token begins, so that people and scanners of leaked secrets know one when they see it."""


class Client(Value):
    """A program that acts for a user, and what it may use: ``None`` is everything the user may."""

    name: str
    user_id: UserId
    tools: tuple[str, ...] | None = None
    containers: tuple[ContainerId, ...] | None = None

    def may_use(self, tool: str) -> bool:
        return self.tools is None or tool in self.tools

    def narrowed(self, access: Access) -> Access:
        """Return what of the user's rights the client has. It manages nothing, whoever the user is."""
        seen = access.containers if self.containers is None else access.containers & frozenset(self.containers)
        return Access(user_id=access.user_id, containers=seen)


class ClientToken(Value):
    """A token as it is stored: of the secret only its ``digest``, which does not give it back."""

    id: TokenId
    client: Client
    digest: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None

    def refusal(self, now: datetime) -> str:
        """Say why the token opens nothing any more; empty while it does."""
        if self.revoked_at is not None:
            return f"This token was revoked on {self.revoked_at:%d %B %Y}."
        if now >= self.expires_at:
            return f"This token has expired on {self.expires_at:%d %B %Y}."
        return ""


def new_secret() -> str:
    """Return a fresh secret with 256 random bits: too many to guess, so a plain hash keeps it."""
    return f"{MARK}{secrets.token_urlsafe(32)}"


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
