"""The store of clients' tokens."""

from sqlalchemy import ColumnElement, select, true

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import put, read
from workbench.adapters.sql.tables import TOKENS
from workbench.domain.clients import ClientToken
from workbench.domain.ids import TokenId


class SqlTokenStore:
    """A :class:`~workbench.services.ports.TokenStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_token(self, token: ClientToken) -> None:
        values = {"digest": token.digest, "created_at": token.created_at, "value": token.model_dump_json()}
        with self._database.writing() as connection:
            put(connection, TOKENS, {"id": token.id}, values)

    def token(self, token_id: TokenId) -> ClientToken | None:
        return next(iter(self._found(TOKENS.c.id == token_id)), None)

    def token_with_digest(self, digest: str) -> ClientToken | None:
        return next(iter(self._found(TOKENS.c.digest == digest)), None)

    def tokens(self) -> list[ClientToken]:
        return self._found(true())

    def _found(self, condition: ColumnElement[bool]) -> list[ClientToken]:
        wanted = select(TOKENS.c.id, TOKENS.c.value).where(condition).order_by(TOKENS.c.created_at, TOKENS.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [read(ClientToken, value, f"token {key}") for key, value in rows]
