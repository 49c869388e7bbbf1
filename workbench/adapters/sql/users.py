"""The store of people."""

from sqlalchemy import ColumnElement, select, true
from sqlalchemy.exc import IntegrityError

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import put, read
from workbench.adapters.sql.tables import USERS
from workbench.domain.errors import NameTaken
from workbench.domain.ids import UserId
from workbench.domain.people import User, email_key


class SqlUserStore:
    """A :class:`~workbench.services.ports.UserStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_user(self, user: User) -> None:
        values = {
            "identity_key": user.key,
            "email": email_key(user.email),
            "created_at": user.created_at,
            "value": user.model_dump_json(),
        }
        try:
            with self._database.writing() as connection:
                put(connection, USERS, {"id": user.id}, values)
        except IntegrityError as error:
            raise NameTaken("Another user has signed in with the same identity.", "Load the page again.") from error

    def user(self, user_id: UserId) -> User | None:
        return next(iter(self._found(USERS.c.id == user_id)), None)

    def user_with_key(self, key: str) -> User | None:
        return next(iter(self._found(USERS.c.identity_key == key)), None)

    def users_with_email(self, email: str) -> list[User]:
        return self._found(USERS.c.email == email) if email else []

    def users(self) -> list[User]:
        return self._found(true())

    def _found(self, condition: ColumnElement[bool]) -> list[User]:
        wanted = select(USERS.c.id, USERS.c.value).where(condition).order_by(USERS.c.created_at, USERS.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(User, value, f"user {key}") for key, value in rows]
