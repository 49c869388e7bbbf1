"""A store of clients' tokens in memory."""

from workbench.domain.clients import ClientToken
from workbench.domain.ids import TokenId


class MemoryTokenStore:
    """A :class:`~workbench.services.ports.TokenStore` that ends with the process."""

    def __init__(self) -> None:
        self._tokens: dict[TokenId, ClientToken] = {}

    def save_token(self, token: ClientToken) -> None:
        self._tokens[token.id] = token

    def token(self, token_id: TokenId) -> ClientToken | None:
        return self._tokens.get(token_id)

    def token_with_digest(self, digest: str) -> ClientToken | None:
        return next((held for held in self.tokens() if held.digest == digest), None)

    def tokens(self) -> list[ClientToken]:
        return sorted(self._tokens.values(), key=lambda held: (held.created_at, held.id))
