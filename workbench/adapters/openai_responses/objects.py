"""Deletes what a provider keeps of conversations, and looks that it is gone."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import httpx2
import openai

from workbench.adapters.openai_responses.client import NO_KEY, Connection, KeySource, build_client, check
from workbench.adapters.openai_responses.errors import Failure, Kind, read_failure, redact
from workbench.domain.deletions import Fate, ProviderObject, What
from workbench.domain.errors import ModelError, ModelUnavailable, PinciteError, RateLimited

SECONDS = 20.0
"""How long a request may take: deleting is quick where it works at all."""


class OpenAIProviderObjects:
    """The :class:`~workbench.services.ports.ProviderObjects` of OpenAI, Azure OpenAI, and servers that speak their API.

    What another model or deployment of the same address has made is deleted here too: an id belongs to the account. A
    promise to have deleted proves nothing, so each object is asked for afterwards. A server without such objects answers
    404 as well, but not that it looked for this one: that is not taken for gone.
    """

    def __init__(self, connection: Connection) -> None:
        check(connection)
        self._host = connection.host
        self._url = connection.url
        self._key = KeySource(connection.api_key or NO_KEY)
        http = httpx2.Client(transport=connection.transport) if connection.transport else None
        self._client = build_client(replace(connection, timeout=min(connection.timeout, SECONDS)), self._key, http)

    def close(self) -> None:
        self._client.close()

    def keeps(self, provider: str) -> bool:
        return provider.partition("#")[0].rstrip("/") == self._url.rstrip("/")

    def delete(self, kept: ProviderObject) -> Fate:
        """See the port. Raises ModelUnavailable or RateLimited where it is of no use to ask for other objects now."""
        if kept.what is What.RESPONSE and kept.provider.endswith("#replay"):
            return Fate.ALREADY_GONE  # it was asked for with the wish that nothing is stored
        deleted = self._answered(kept, _delete)
        if self._answered(kept, _is_there):
            raise PinciteError(f"{self._host} still answers to it after it was deleted.")
        return Fate.DELETED if deleted else Fate.ALREADY_GONE

    def _answered(self, kept: ProviderObject, request: Callable[[openai.OpenAI, ProviderObject], bool]) -> bool:
        """Return what a request says, False where the provider has no such object."""
        try:
            return request(self._client, kept)
        except (openai.OpenAIError, Failure) as error:
            if _says_gone(error, kept):
                return False
            # Not chained: the SDK's errors hold the request with its key.
            raise _explained(read_failure(error, time.time()), self._host, self._key.secrets) from None


def _delete(client: openai.OpenAI, kept: ProviderObject) -> bool:
    match kept.what:
        case What.RESPONSE:
            client.responses.delete(kept.id)
        case What.CODE_CONTAINER:
            client.containers.delete(kept.id)
        case What.CODE_FILE:
            client.containers.files.delete(kept.id, container_id=kept.container)
        case _:
            raise ValueError(f"A provider keeps no {kept.what}.")
    return True


def _is_there(client: openai.OpenAI, kept: ProviderObject) -> bool:
    match kept.what:
        case What.RESPONSE:
            client.responses.retrieve(kept.id)
        case What.CODE_CONTAINER:
            return client.containers.retrieve(kept.id).status not in ("deleted", "expired")
        case _:
            client.containers.files.retrieve(kept.id, container_id=kept.container)
    return True


def _says_gone(error: Exception, kept: ProviderObject) -> bool:
    """Tell whether the provider looked for the object and has none. An expired container has lost its files."""
    if not isinstance(error, openai.APIStatusError) or not isinstance(error.body, Mapping):
        return False
    message = str(error.body.get("message") or "")
    if error.status_code == 404:
        return "not found" in message.lower() or kept.id in message
    return error.status_code == 400 and kept.what is not What.RESPONSE and "expired" in message.lower()


def _explained(failure: Failure, host: str, secrets: tuple[str, ...]) -> ModelError:
    if failure.kind is Kind.STATUS:
        return _of_status(failure, host, secrets)
    if failure.kind is Kind.CREDENTIAL:
        return ModelUnavailable(f"No access token for {host} could be obtained.")
    if failure.kind in (Kind.CONNECT, Kind.TIMEOUT, Kind.CUT):
        return ModelUnavailable(f"{host} could not be reached, or did not answer in time.")
    return ModelError(f"{host} gave an answer that is not the API's.")


def _of_status(failure: Failure, host: str, secrets: tuple[str, ...]) -> ModelError:
    match failure.status:
        case 401 | 403:
            return ModelUnavailable(f"{host} did not accept the API key, or the key may not delete.")
        case 404 | 405 | 501:
            return ModelError(f"{host} has no way to delete it, or to look for it, at this address.")
        case 429:
            return RateLimited(f"{host} asks to slow down.", retry_after=failure.retry_after)
        case status if status >= 500:
            return ModelError(f"{host} failed at it (status {status}).")
        case status:
            return ModelError(f"{host} refused it (status {status}): {redact(failure.message, secrets)[:200]}")
