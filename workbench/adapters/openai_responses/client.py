"""The connection to a provider: where it is, who we are, and the SDK's client for it."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx2
import openai

from workbench.adapters.openai_responses.errors import Failure, Kind
from workbench.domain.errors import ConfigurationError

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "no-key-needed"
"""The SDK insists on a key, also where the server asks for none."""
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class Connection:
    """How a provider is reached.

    ``api_key`` is the key, or a callable that returns a fresh token (Entra ID) and is called for each request; None or empty
    for a server that asks for none. ``base_url`` is None for OpenAI; for Azure it is
    ``https://RESOURCE.openai.azure.com/openai/v1/``. ``timeout`` is in seconds and counts from one received piece to the
    next. ``transport`` takes the place of the network and ``strict`` checks every event against the SDK's types (for tests).
    """

    api_key: str | Callable[[], str] | None = field(repr=False)
    base_url: str | None = None
    timeout: float = 180.0
    transport: httpx2.BaseTransport | None = None
    strict: bool = False

    @property
    def url(self) -> str:
        return self.base_url or OPENAI_URL

    @property
    def host(self) -> str:
        """The provider's name for people."""
        url = httpx2.URL(self.url)
        return f"{url.host}:{url.port}" if url.port else url.host


class KeySource:
    """Hands out the key for each request and remembers the latest, so that none of them gets into a message."""

    def __init__(self, key: str | Callable[[], str]) -> None:
        self._key = key
        self._handed_out: deque[str] = deque(maxlen=4)

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(self._handed_out)

    def __call__(self) -> str:
        key = self._fetch()
        if key not in self._handed_out:
            self._handed_out.append(key)
        return key

    def _fetch(self) -> str:
        if isinstance(self._key, str):
            return self._key
        try:
            key = self._key()
        except Exception as error:  # an identity library of the operator's choice may raise anything
            raise Failure(Kind.CREDENTIAL, f"{type(error).__name__}: {error}") from error
        if not _is_sendable(key):
            raise Failure(Kind.CREDENTIAL, "the token is empty or holds characters that cannot be sent")
        return key


def build_client(connection: Connection, key: KeySource, http: httpx2.Client | None = None) -> openai.OpenAI:
    """Return the SDK's client, on an HTTP client of its own where none is given."""
    client = openai.OpenAI(
        api_key=key,
        base_url=connection.url,
        timeout=httpx2.Timeout(connection.timeout, connect=min(connection.timeout, _CONNECT_SECONDS)),
        max_retries=0,
        http_client=http,
        _strict_response_validation=connection.strict,
    )
    # The SDK takes these from the environment, which only the settings may read.
    client.organization = client.project = client.admin_api_key = None
    return client


def check(connection: Connection) -> None:
    """Raise ConfigurationError where the key or the URL cannot work."""
    key = connection.api_key
    if not key and connection.base_url is None:
        raise ConfigurationError("No API key is set for OpenAI.", "Set the key, or the base URL of another server.")
    if isinstance(key, str) and key and not _is_sendable(key):
        raise ConfigurationError(
            "The API key holds a space, a line break or a character that keys do not have.", "Copy it once more."
        )
    try:
        url = httpx2.URL(connection.url)
    except httpx2.InvalidURL:
        url = httpx2.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigurationError(
            f"The base URL {connection.url!r} of the model's provider is not a web address.",
            "Write it as https://host/v1.",
        )


def _is_sendable(key: str) -> bool:
    return bool(key) and all("!" <= character <= "~" for character in key)
