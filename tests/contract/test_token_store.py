"""The contract of TokenStore, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from workbench.adapters.fakes.memory_tokens import MemoryTokenStore
from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.tokens import SqlTokenStore
from workbench.domain.clients import Client, ClientToken, digest
from workbench.domain.ids import ContainerId, TokenId, UserId
from workbench.services.ports import TokenStore

pytestmark = pytest.mark.req("CHAT-5")

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> TokenStore:
    return MemoryTokenStore() if request.param == "memory" else SqlTokenStore(open_store(request.param))


def token(number: int, name: str = "client") -> ClientToken:
    return ClientToken(
        id=TokenId(f"tok_{number}"),
        client=Client(name=name, user_id=UserId(name), tools=("ask", name), containers=(ContainerId(name),)),
        digest=digest(f"secret {number}"),
        created_at=NOON + timedelta(minutes=number),
        expires_at=NOON + timedelta(days=number),
    )


def test_a_token_comes_back_by_id_and_by_digest(store: TokenStore, hostile: str) -> None:
    kept = token(1, hostile)
    store.save_token(kept)
    assert store.token(kept.id) == store.token_with_digest(kept.digest) == kept
    assert store.token(TokenId("tok_9")) is None
    assert store.token_with_digest(digest("another secret")) is None
    assert store.token_with_digest("") is None


def test_all_tokens_come_in_order_and_a_change_replaces_one(store: TokenStore) -> None:
    first, second = token(1), token(2)
    store.save_token(second)
    store.save_token(first)
    revoked = first.model_copy(update={"revoked_at": NOON + timedelta(hours=2)})
    store.save_token(revoked)
    assert store.tokens() == [revoked, second]
