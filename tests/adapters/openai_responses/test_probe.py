"""Who keeps conversations is found out by trying, against servers that say one thing and do another."""

import re
from itertools import repeat
from typing import Any

import pytest

from workbench.adapters.fakes.responses_server import ApiError, Exchange, Memory
from workbench.adapters.fakes.steps import Step, say
from workbench.adapters.openai_responses import Connection
from workbench.adapters.openai_responses.probe import probe
from workbench.adapters.openai_responses.retry import RetryPolicy
from workbench.domain.errors import ModelUnavailable

pytestmark = pytest.mark.req("ASK-12", "OPEN-3")


def attentive(exchange: Exchange) -> Step:
    """Answer like a model that read everything it was given."""
    texts = [part["text"] for item in exchange.context for part in item.get("content") or ()]
    word = re.search(r"The code word is (\w+)", " ".join(texts))
    asked = texts[-1].startswith("What is the code word")
    return say(word[1].upper() if asked and word else "OK")


@pytest.fixture
def connection(address: Any, key: str, time: Any) -> Any:
    return lambda: Connection(key, address[1], timeout=10, strict=True)


@pytest.fixture
def patience(time: Any) -> RetryPolicy:
    return RetryPolicy(monotonic=time.monotonic, wait=time.wait)


def test_a_server_that_knows_what_was_said_and_refuses_a_wrong_id_keeps_conversations(serve, connection, patience):
    server = serve(*repeat(attentive, 3))
    result = probe(connection(), "gpt-5-mini", retry=patience)
    assert (result.history, result.left) == ("chain", ())
    assert len(server.bodies) == 3
    assert server.store.ids() == []


@pytest.mark.parametrize("memory", [Memory.IGNORES, Memory.REFUSES, Memory.NO_RETENTION])
def test_a_server_without_memory_gets_the_transcript_whatever_it_echoes(serve, connection, patience, memory):
    serve(*repeat(attentive, 3), memory=memory)
    result = probe(connection(), "gpt-5-mini", retry=patience)
    assert (result.history, result.left) == ("replay", ())
    assert result.found


def test_a_server_that_answers_to_any_id_gets_the_transcript(serve, connection, patience):
    server = serve(*repeat(attentive, 3))
    known = server.store.thread
    server.store.thread = lambda given: known(given) if given in server.store.ids() else ()
    result = probe(connection(), "gpt-5-mini", retry=patience)
    assert result.history == "replay"
    assert "does not exist" in result.found


def test_a_model_that_does_not_tell_the_word_is_not_trusted(serve, connection, patience):
    serve(*repeat(say("OK"), 3))
    assert probe(connection(), "gpt-5-mini", retry=patience).history == "replay"


def test_what_could_not_be_deleted_is_named(serve, connection, patience):
    server = serve(*repeat(attentive, 3))

    def refuse(_: str) -> None:
        raise ApiError(403, "Deleting is switched off.")

    server.store.delete = refuse
    result = probe(connection(), "gpt-5-mini", retry=patience)
    assert result.history == "chain"
    assert list(result.left) == server.store.ids() != []


def test_a_server_that_does_not_answer_is_an_error_and_no_result(serve, connection, patience):
    server = serve()
    server.fail("server_error", times=9)
    with pytest.raises(ModelUnavailable):
        probe(connection(), "gpt-5-mini", retry=patience)
