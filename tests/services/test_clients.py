"""Tokens of clients: made once, good for a while, ended at once; and what of a user's rights a client has."""

from datetime import timedelta

import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.adapters.fakes.memory_tokens import MemoryTokenStore
from workbench.adapters.fakes.memory_users import MemoryUserStore
from workbench.domain.clients import Client
from workbench.domain.documents import Container
from workbench.domain.errors import NotFound, NotSignedIn, PinciteError
from workbench.domain.ids import ContainerId, TokenId, UserId
from workbench.domain.people import LOCAL_USER, Member, User
from workbench.domain.rights import Access, Action, Role, allowed
from workbench.services.clients import Clients

pytestmark = pytest.mark.req("OPEN-1")
BO = UserId("user_bo")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def tokens() -> MemoryTokenStore:
    return MemoryTokenStore()


@pytest.fixture
def clients(clock: FixedClock, tokens: MemoryTokenStore) -> Clients:
    users, library = MemoryUserStore(), MemoryLibraryStore()
    users.save_user(User(id=BO, email="bo@example.com", created_at=clock.now()))
    for name, owner in (("Contracts", LOCAL_USER), ("Board", BO)):
        container = Container(id=ContainerId(f"con_{name}"), name=name, created_at=clock.now(), founder=owner)
        library.add_container(container, [Member(user_id=owner, role=Role.OWNER, since=clock.now())])
    return Clients(tokens, users, library, clock)


def test_a_secret_is_given_once_and_only_its_hash_is_kept(clients: Clients, tokens: MemoryTokenStore) -> None:
    made = clients.create("Desk", 7, tools=["ask"], containers=[" contracts "])
    assert made.secret not in str(tokens.tokens())
    assert clients.authenticate(made.secret) == made.token
    assert made.token.client == Client(
        name="Desk", user_id=LOCAL_USER, tools=("ask",), containers=(ContainerId("con_Contracts"),)
    )
    assert clients.create("Desk", 7).secret != made.secret


def test_a_token_opens_until_it_expires_and_not_a_moment_longer(clients: Clients, clock: FixedClock) -> None:
    made = clients.create("Desk", 2)
    clock.advance(timedelta(days=2).total_seconds() - 1)
    assert clients.authenticate(made.secret).id == made.token.id
    clock.advance(1)
    with pytest.raises(NotSignedIn, match="has expired on 07 January 2026"):
        clients.authenticate(made.secret)


def test_a_revoked_token_opens_nothing_and_revoking_twice_changes_nothing(clients: Clients, clock: FixedClock) -> None:
    made = clients.create("Desk", 2)
    ended = clients.revoke(made.token.id)
    clock.advance(60)
    assert clients.revoke(made.token.id) == ended
    with pytest.raises(NotSignedIn, match="was revoked"):
        clients.authenticate(made.secret)
    with pytest.raises(NotFound, match="tok_none"):
        clients.revoke(TokenId("tok_none"))


@pytest.mark.parametrize("secret", ["", "pincite_", "pincite_guess", "x" * 10_000, "sha256"])
def test_a_guess_opens_nothing(clients: Clients, secret: str) -> None:
    made = clients.create("Desk", 2)
    for guess in (secret, made.token.digest, made.secret[:-1], made.secret + "x", made.secret.upper()):
        with pytest.raises(NotSignedIn, match="not known here"):
            clients.authenticate(guess)


def test_a_token_for_another_user_names_only_their_containers(clients: Clients) -> None:
    assert clients.create("Desk", 1, user="BO@example.com").token.client.user_id == BO
    assert clients.create("Desk", 1, user=BO, containers=["Board"]).token.client.containers == ("con_Board",)
    with pytest.raises(NotFound, match="Their containers: 'Board'"):
        clients.create("Desk", 1, user=BO, containers=["Contracts"])
    with pytest.raises(NotFound, match="nobody here"):
        clients.create("Desk", 1, user="carla@example.com")


@pytest.mark.parametrize(("name", "days"), [("", 1), ("  ", 1), ("x" * 61, 1), ("a\x1b[31m", 1), ("x", 0), ("x", 367)])
def test_names_and_times_that_are_none_are_refused(clients: Clients, name: str, days: int) -> None:
    with pytest.raises(PinciteError):
        clients.create(name, days)
    assert clients.tokens() == []


def test_a_client_never_has_more_than_its_user_and_manages_nothing() -> None:
    contracts, board = ContainerId("con_Contracts"), ContainerId("con_Board")
    access = Access(user_id=BO, containers=frozenset([contracts]), roles={contracts: Role.OWNER}, administrator=True)
    client = Client(name="x", user_id=BO, containers=(contracts, board))
    assert client.narrowed(access).containers == {contracts}
    assert client.model_copy(update={"containers": ()}).narrowed(access).containers == frozenset()
    everything = client.model_copy(update={"containers": None}).narrowed(access)
    assert [action for action in Action if allowed(everything, contracts, action)] == [Action.READ, Action.SEE_MEMBERS]
    assert not client.model_copy(update={"tools": ()}).may_use("ask")
