"""Deleting at a provider: what is said to be gone is gone, and what is not known is said to be not known."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from openai import OpenAI

from workbench.adapters.fakes.responses_server import FakeResponsesServer
from workbench.adapters.fakes.steps import say
from workbench.adapters.openai_responses.client import Connection
from workbench.adapters.openai_responses.objects import OpenAIProviderObjects
from workbench.domain.deletions import Fate, ProviderObject, What
from workbench.domain.errors import ConfigurationError, ModelError, ModelUnavailable, PinciteError, RateLimited

pytestmark = pytest.mark.req("CHAT-2")

Serve = Callable[..., FakeResponsesServer]


@pytest.fixture
def base_url(address: tuple[Any, str]) -> str:
    return address[1]


@pytest.fixture
def objects(base_url: str, key: str) -> Iterator[OpenAIProviderObjects]:
    made = OpenAIProviderObjects(Connection(api_key=key, base_url=base_url))
    yield made
    made.close()


@pytest.fixture
def api(base_url: str, key: str) -> Iterator[OpenAI]:
    with OpenAI(base_url=base_url, api_key=key, max_retries=0) as client:
        yield client


def response(api: OpenAI, base_url: str) -> ProviderObject:
    """Have a response made, and return it as something to delete."""
    made = api.responses.create(model="gpt-5-mini", input="Hello", max_output_tokens=64)
    return ProviderObject(what=What.RESPONSE, id=made.id, provider=f"{base_url}#gpt-5-mini#chain")


def test_a_response_is_deleted_and_a_second_time_it_is_gone(
    serve: Serve, api: OpenAI, base_url: str, objects: OpenAIProviderObjects
) -> None:
    server = serve(say("Hello."), say("And another."))
    kept, other = response(api, base_url), response(api, base_url)

    assert objects.delete(kept) is Fate.DELETED
    assert server.store.ids() == [other.id]
    assert objects.delete(kept) is Fate.ALREADY_GONE


def test_containers_and_their_files_are_deleted(serve: Serve, objects: OpenAIProviderObjects, base_url: str) -> None:
    server = serve()
    container = server.containers.create("run")
    file = server.containers.add_file(container.id, "chart.png", b"png")
    kept_file = ProviderObject(what=What.CODE_FILE, id=file.id, provider=base_url, container=container.id)
    kept = ProviderObject(what=What.CODE_CONTAINER, id=container.id, provider=base_url)

    assert objects.delete(kept_file) is Fate.DELETED
    assert server.containers.files(container.id) == []
    assert objects.delete(kept_file) is Fate.ALREADY_GONE
    assert objects.delete(kept) is Fate.DELETED
    assert server.containers.all() == []
    assert objects.delete(kept) is Fate.ALREADY_GONE
    assert objects.delete(kept_file) is Fate.ALREADY_GONE


def test_the_files_of_a_container_that_expired_are_gone(
    serve: Serve, objects: OpenAIProviderObjects, base_url: str
) -> None:
    server = serve()
    container = server.containers.create("run")
    file = server.containers.add_file(container.id, "chart.png", b"png")
    server.containers.expire(container.id)

    kept = ProviderObject(what=What.CODE_FILE, id=file.id, provider=base_url, container=container.id)
    assert objects.delete(kept) is Fate.ALREADY_GONE


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ("rate_limit_http", RateLimited, "asks to slow down"),
        ("server_error", ModelError, "failed at it"),
        ("no_route", ModelError, "has no way to delete it"),
        ("wrong_address", ModelError, "has no way to delete it"),
        ("kept", PinciteError, "still answers to it after it was deleted"),
    ],
)
def test_what_is_not_known_to_be_gone_is_not_said_to_be(
    serve: Serve,
    api: OpenAI,
    base_url: str,
    objects: OpenAIProviderObjects,
    fault: str,
    error: type[PinciteError],
    words: str,
) -> None:
    server = serve(say("Hello."))
    kept = response(api, base_url)
    server.fail_deletions(fault, retry_after=7 if fault == "rate_limit_http" else None)

    with pytest.raises(error, match=words) as told:
        objects.delete(kept)

    assert type(told.value) is error
    assert server.store.ids() == [kept.id]
    assert objects.delete(kept) is Fate.DELETED  # the next time it works


def test_a_key_that_is_refused_is_said_and_never_shown(serve: Serve, base_url: str) -> None:
    serve()
    secret = "sk-other-9f8e7d6c5b4a"
    objects = OpenAIProviderObjects(Connection(api_key=secret, base_url=base_url))

    with pytest.raises(ModelUnavailable, match="did not accept the API key") as told:
        objects.delete(ProviderObject(what=What.RESPONSE, id="resp_1", provider=base_url))

    assert secret not in str(told.value)
    assert told.value.__cause__ is None
    objects.close()


def test_a_provider_that_is_away_is_said_to_be(key: str) -> None:
    objects = OpenAIProviderObjects(Connection(api_key=key, base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(ModelUnavailable, match="could not be reached"):
        objects.delete(ProviderObject(what=What.RESPONSE, id="resp_1", provider="http://127.0.0.1:9/v1"))
    objects.close()


def test_of_a_model_that_keeps_nothing_nothing_is_asked(
    serve: Serve, objects: OpenAIProviderObjects, base_url: str
) -> None:
    server = serve()
    server.fail_deletions("server_error")
    kept = ProviderObject(what=What.RESPONSE, id="resp_1", provider=f"{base_url}#m#replay")
    assert objects.delete(kept) is Fate.ALREADY_GONE


def test_only_what_was_made_at_this_address_is_reached(objects: OpenAIProviderObjects, base_url: str) -> None:
    assert objects.keeps(f"{base_url}#gpt-5-mini#chain")
    assert objects.keeps(f"{base_url}/#another-model#replay")
    for other in (
        "",
        "https://api.openai.com/v1#gpt-5-mini#chain",
        f"{base_url}x#gpt-5-mini#chain",
        "pincite-extractive",
    ):
        assert not objects.keeps(other)


def test_what_no_provider_keeps_is_a_mistake_of_the_caller(objects: OpenAIProviderObjects, base_url: str) -> None:
    with pytest.raises(ValueError, match="keeps no pages"):
        objects.delete(ProviderObject(what=What.PAGES, id="x", provider=base_url))


def test_settings_that_cannot_work_are_told_at_the_start() -> None:
    with pytest.raises(ConfigurationError, match="No API key"):
        OpenAIProviderObjects(Connection(api_key=None))
