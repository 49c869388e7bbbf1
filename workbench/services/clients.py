"""Clients: make, list and revoke their tokens, and tell whose a token is."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import NamedTuple

from workbench.domain.clients import Client, ClientToken, digest, new_secret
from workbench.domain.errors import NotFound, NotSignedIn, PinciteError
from workbench.domain.ids import ContainerId, TokenId, UserId, new_id
from workbench.domain.people import LOCAL_USER, email_key
from workbench.services.ports import Clock, LibraryStore, TokenStore, UserStore

LONGEST_NAME = 60
LONGEST_DAYS = 366


class Made(NamedTuple):
    """A new token. ``secret`` is shown once and stored nowhere."""

    token: ClientToken
    secret: str


class Clients:
    """The use case of the operator, who lets programs in, and of the door, which lets them pass."""

    def __init__(self, store: TokenStore, users: UserStore, library: LibraryStore, clock: Clock) -> None:
        self._store = store
        self._users = users
        self._library = library
        self._clock = clock

    def create(
        self,
        name: str,
        days: int,
        *,
        tools: Collection[str] | None = None,
        containers: Sequence[str] | None = None,
        user: str | None = None,
    ) -> Made:
        """Make a token for a client that acts for ``user`` (an id or an e-mail address; None is the local user).

        ``containers`` are names. Raises PinciteError where a name or a time is none, NotFound where there is no such user or
        container of theirs.
        """
        name = " ".join(name.split())
        if not (1 <= len(name) <= LONGEST_NAME and name.isprintable()):
            raise PinciteError(f"A client's name has 1 to {LONGEST_NAME} characters.", "Choose another name.")
        if not 1 <= days <= LONGEST_DAYS:
            raise PinciteError(f"A token is good for 1 to {LONGEST_DAYS} days.", "Choose another number of days.")
        user_id = self._user(user)
        client = Client(
            name=name,
            user_id=user_id,
            tools=None if tools is None else tuple(dict.fromkeys(tools)),
            containers=None if containers is None else self._containers(user_id, containers),
        )
        secret, now = new_secret(), self._clock.now()
        token = ClientToken(
            id=TokenId(new_id("tok")),
            client=client,
            digest=digest(secret),
            created_at=now,
            expires_at=now + timedelta(days=days),
        )
        self._store.save_token(token)
        return Made(token, secret)

    def local(self, tools: Collection[str] | None, containers: Sequence[str] | None) -> Client:
        """Return the client of a program that was started by the local user. Raises NotFound as :meth:`create` does."""
        return Client(
            name="stdio",
            user_id=LOCAL_USER,
            tools=None if tools is None else tuple(dict.fromkeys(tools)),
            containers=None if containers is None else self._containers(LOCAL_USER, containers),
        )

    def tokens(self) -> list[ClientToken]:
        """Return all tokens, the oldest first."""
        return self._store.tokens()

    def refusal(self, token: ClientToken) -> str:
        """Say why a token opens nothing any more; empty while it does."""
        return token.refusal(self._clock.now())

    def revoke(self, token_id: TokenId) -> ClientToken:
        """End a token: it opens nothing from the next request on. Raises NotFound where there is none."""
        token = self._store.token(token_id)
        if token is None:
            raise NotFound(f"There is no token {token_id!r}.", "`pincite mcp token list` names them.")
        if token.revoked_at is None:
            token = token.model_copy(update={"revoked_at": self._clock.now()})
            self._store.save_token(token)
        return token

    def authenticate(self, secret: str) -> ClientToken:
        """Return the token of a secret. Raises NotSignedIn where there is none, or it opens nothing any more."""
        token = self._store.token_with_digest(digest(secret))
        if token is None:
            raise NotSignedIn("This token is not known here.", "Make one with `pincite mcp token create`.")
        refusal = self.refusal(token)
        if refusal:
            raise NotSignedIn(refusal, "Make a new one with `pincite mcp token create`.")
        return token

    def _user(self, named: str | None) -> UserId:
        if named is None:
            return LOCAL_USER
        known = self._users.user(UserId(named))
        found = [known] if known else self._users.users_with_email(email_key(named))
        if len(found) != 1:
            many = "several people" if found else "nobody"
            raise NotFound(f"{named!r} is {many} here.", "Name the user by id or by the e-mail address of one person.")
        return found[0].id

    def _containers(self, user_id: UserId, names: Sequence[str]) -> tuple[ContainerId, ...]:
        member_of = self._library.memberships(user_id)
        known = {each.name.casefold(): each for each in self._library.containers() if each.id in member_of}
        keys = [" ".join(name.split()).casefold() for name in names]
        unknown = [name for name, key in zip(names, keys, strict=True) if key not in known]
        if unknown:
            there = ", ".join(repr(each.name) for each in known.values()) or "none yet"
            raise NotFound(f"There is no container {unknown[0]!r} for this user.", f"Their containers: {there}.")
        return tuple(dict.fromkeys(known[key].id for key in keys))
