"""Whatever a model puts out: the loop ends, keeps its limits, answers every call once, and the next turn works."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import chain, repeat
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.services.conftest import ACCESS, CONTRACTS, QUESTION, Asking
from workbench.adapters.fakes.scripted_model import ScriptedModel, check_pairs
from workbench.adapters.fakes.steps import Call, Step, say
from workbench.domain.budgets import DEFAULT_PROFILES, Limits, Profile
from workbench.domain.conversations import Turn
from workbench.domain.errors import HistoryExpired, ModelRefused, ModelUnavailable, RateLimited, ResponseIncomplete
from workbench.domain.events import AnswerDelta, AnswerWithdrawn, Event, ModelCallFinished, TurnFinished
from workbench.domain.items import FunctionCall, FunctionCallOutput
from workbench.domain.results import TurnStatus

LIMITS = Limits(model_calls=3, tool_calls=4, chunks=3, input_tokens=900, output_tokens=120, repeated_calls=2)
PROFILES = DEFAULT_PROFILES | {Profile.QUICK: DEFAULT_PROFILES[Profile.QUICK].model_copy(update={"limits": LIMITS})}

TEXTS = st.sampled_from(
    [
        "Within 45 days [S1].",
        "See [S1, S2] and [S1-S3]; also [S99].",
        "An open marker [S",
        "【S1】 `[S1]` $5 <b>bold</b>",
        "   ",
        "word " * 40,
    ]
)
QUERIES = st.sampled_from(["payment terms", "liability cap", "nothing of the kind", ""])
NO_FILTERS = dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period"))


def made(name: str, **arguments: object) -> Call:
    return Call(name, json.dumps(arguments))


CALLS = st.one_of(
    QUERIES.map(lambda query: made("search_documents", query=query, **NO_FILTERS)),
    QUERIES.map(lambda query: made("search_documents", query=query)),
    QUERIES.map(lambda query: made("rewrite_query", query=query)),
    st.sampled_from(["Which contract?", ""]).map(lambda question: made("ask_user", question=question)),
    st.integers(-1, 9).map(lambda page: made("read_page", document_id="doc_orbex", page=page)),
    st.builds(Call, st.sampled_from(["search_documents", "read_page", "web_search", ""]), st.text(max_size=12)),
    st.sampled_from(["{", "[]", "null", '{"query": 1}', '{"query": "a"']).map(lambda a: Call("search_documents", a)),
)
ERRORS = st.sampled_from(
    [
        ModelUnavailable("It failed."),
        RateLimited("Too fast."),
        ResponseIncomplete("It was cut."),
        ModelRefused("It declined."),
        HistoryExpired("It is gone."),
    ]
)
ONE_CALL = st.builds(Step, calls=st.tuples(CALLS))
STEPS = st.one_of(
    ONE_CALL,
    st.builds(Step, text=st.just("") | TEXTS, calls=st.lists(CALLS, min_size=1, max_size=5).map(tuple)),
    st.builds(Step, text=TEXTS),
    st.builds(Step, text=TEXTS, refusal=st.just("I would rather not.")),
    st.builds(
        Step,
        text=st.just("") | TEXTS,
        calls=st.lists(CALLS, max_size=2).map(tuple),
        reasoning=st.sampled_from(["", "Hm."]),
        finish=st.sampled_from(["max_output_tokens", "content_filter"]),
    ),
    st.builds(Step, text=st.just("") | TEXTS, error=ERRORS),
    st.just(Step()),
)


def seen_at_the_end(events: list[Event]) -> str:
    """Return the text on the screen after these events."""
    text = ""
    for event in events:
        if isinstance(event, AnswerDelta):
            text += event.text
        elif isinstance(event, AnswerWithdrawn):
            text = ""
    return text


def check_limits(turn: Turn, events: list[Event]) -> None:
    spend = turn.spend
    assert spend.model_calls <= LIMITS.model_calls
    assert spend.tool_calls <= LIMITS.tool_calls
    assert spend.chunks <= LIMITS.chunks
    assert spend.repeated_calls <= LIMITS.repeated_calls
    finished = [event for event in events if isinstance(event, ModelCallFinished)]
    # What a call uses is known after it, so no call is made once a ceiling is reached.
    assert sum(event.usage.input_tokens for event in finished[:-1]) < LIMITS.input_tokens
    assert sum(event.usage.output_tokens for event in finished[:-1]) < LIMITS.output_tokens


def check_stored(turn: Turn, streamed: list[Event], stored: list[Event]) -> None:
    assert streamed == stored
    ends = [event for event in stored if isinstance(event, TurnFinished)]
    assert len(ends) == 1
    assert ends[0] == stored[-1]
    assert (ends[0].status, ends[0].answer, ends[0].spend) == (turn.status, turn.answer, turn.spend)
    assert seen_at_the_end(stored) == turn.answer.text


def check_calls(turns: list[Turn]) -> None:
    """Each call has one output: in the transcript, owed by the thread, or to be given by the user's reply."""
    items = [item for turn in turns for item in turn.items]
    thread = turns[-1].thread
    outputs = Counter(item.call_id for item in (*items, *thread.owed) if isinstance(item, FunctionCallOutput))
    outputs.update([thread.asked] if thread.asked else [])
    assert outputs == Counter(item.call_id for item in items if isinstance(item, FunctionCall))


@pytest.mark.req("ASK-2", "ASK-3", "ASK-6", "ASK-11", "CITE-5")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(STEPS, max_size=10) | st.lists(ONE_CALL, min_size=4, max_size=8),
    history=st.sampled_from(["chain", "replay"]),
    piece=st.integers(1, 40),
)
def test_any_output_of_a_model(
    asking: Callable[..., Asking], steps: list[Step], history: Literal["chain", "replay"], piece: int
) -> None:
    model = ScriptedModel(chain(steps, repeat(say("A plain answer."))), history, piece=piece)
    app = asking(model, profiles=PROFILES)
    talk = app.conversations.create(ACCESS, [CONTRACTS])
    while len(model.requests) < len(steps):
        turn = app.turns.ask(ACCESS, talk.id, QUESTION)
        streamed = [event for event in app.turns.follow(ACCESS, turn.id) if event is not None]
        turn = app.turns.wait(ACCESS, turn.id)
        assert turn.status is not TurnStatus.RUNNING
        assert "tool output" not in turn.reason, turn.reason
        check_limits(turn, streamed)
        check_stored(turn, streamed, app.turns.events(ACCESS, turn.id))
        check_calls(app.store.turns(talk.id))
    last = app.turns.wait(ACCESS, app.turns.ask(ACCESS, talk.id, "And a plain one?").id)
    assert last.status is TurnStatus.ANSWERED, last.reason
    check_pairs(item for turn in app.store.turns(talk.id) for item in turn.items)
