"""A store of people in memory."""

import threading

from workbench.domain.errors import NameTaken
from workbench.domain.ids import UserId
from workbench.domain.people import User, email_key


class MemoryUserStore:
    """A :class:`~workbench.services.ports.UserStore` that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: dict[UserId, User] = {}

    def save_user(self, user: User) -> None:
        with self._lock:
            others = [held for held in self._users.values() if held.id != user.id]
            if user.key is not None and any(held.key == user.key for held in others):
                raise NameTaken("Another user has signed in with the same identity.")
            self._users[user.id] = user

    def user(self, user_id: UserId) -> User | None:
        return self._users.get(user_id)

    def user_with_key(self, key: str) -> User | None:
        return next((held for held in self.users() if held.key == key), None)

    def users_with_email(self, email: str) -> list[User]:
        return [held for held in self.users() if email and email_key(held.email) == email]

    def users(self) -> list[User]:
        with self._lock:
            return sorted(self._users.values(), key=lambda held: (held.created_at, held.id))
