"""The contract of UserStore, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workbench.adapters.fakes.memory_users import MemoryUserStore
from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.users import SqlUserStore
from workbench.domain.errors import NameTaken
from workbench.domain.ids import UserId
from workbench.domain.people import User
from workbench.services.ports import UserStore

pytestmark = pytest.mark.req("CHAT-5")

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> UserStore:
    return MemoryUserStore() if request.param == "memory" else SqlUserStore(open_store(request.param))


def user(number: int, **values: Any) -> User:
    return User(**{"id": UserId(f"user_{number}"), "created_at": NOON + timedelta(minutes=number)} | values)


def test_a_user_comes_back_by_id_by_identity_and_by_address(store: UserStore, hostile: str) -> None:
    kept = user(1, key=f"https://id.example\n{hostile}", name=hostile, email="ana@example.com")
    store.save_user(kept)
    assert store.user(kept.id) == store.user_with_key(kept.key or "") == kept
    assert store.users_with_email("ana@example.com") == [kept]
    assert store.user(UserId("user_9")) is None
    assert store.user_with_key("https://other.example\nana") is None
    assert store.users_with_email("") == []


def test_the_invited_have_no_identity_and_one_identity_is_one_user(store: UserStore) -> None:
    for number in (2, 1):
        store.save_user(user(number, email="shared@example.com"))
    store.save_user(user(1, key="https://id.example\n7", email="shared@example.com", seen_at=NOON))
    with pytest.raises(NameTaken):
        store.save_user(user(2, key="https://id.example\n7"))
    assert [each.id for each in store.users_with_email("shared@example.com")] == ["user_1", "user_2"]
    assert [each.key for each in store.users()] == ["https://id.example\n7", None]


def test_of_first_sign_ins_at_once_one_makes_the_user(
    store: UserStore, together: Callable[[Callable[[int], Any], int], list[Any]]
) -> None:
    made = together(lambda number: store.save_user(user(number, key="https://id.example\n7")), 4)
    assert sorted(str(type(each).__name__) for each in made) == ["NameTaken"] * 3 + ["NoneType"]
    assert len(store.users()) == 1
