"""The recording model: it answers as the real one does, and notes what came of each call."""

from collections.abc import Generator, Iterator

import pytest

from tests.services.conftest import ACCESS, CONTRACTS
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.scripted_model import ScriptedModel, say
from workbench.domain.errors import HistoryExpired, ModelError, RateLimited
from workbench.domain.items import ModelResponse, UserMessage
from workbench.domain.recordings import RecordedError, RecordedResponse, recording
from workbench.domain.scope import build_scope
from workbench.services.agent.recording import RecordingModel
from workbench.services.ports import Interruptible, ModelEvent, ModelRequest, TextDelta

REQUEST = ModelRequest(instructions="", input=(UserMessage(text="Hello?"),), scope=build_scope(ACCESS, [CONTRACTS]))


def test_a_finished_response_is_kept_whole_with_its_cost_and_the_events_are_the_models_own() -> None:
    scripted = ScriptedModel([say("Hello there.")], price=0.25)
    model = RecordingModel(scripted, FixedClock())
    events = list(model.stream(REQUEST))
    assert events == list(ScriptedModel([say("Hello there.")]).stream(REQUEST))
    (kept,) = model.recording.responses
    assert kept.response is not None
    assert (kept.response.text, kept.text, kept.cost) == ("Hello there.", "", 0.25)
    assert kept.response_id == kept.response.id


def test_a_failure_is_kept_with_the_text_before_it_and_raised_as_it_is() -> None:
    model = RecordingModel(ScriptedModel([say("Hel").but(error=RateLimited("Slow down.", "Wait."))]), FixedClock())
    with pytest.raises(RateLimited, match="Slow down"):
        list(model.stream(REQUEST))
    (kept,) = model.recording.responses
    assert (kept.text, kept.response, kept.broken_off) == ("Hel", None, False)
    assert kept.error == RecordedError(kind="RateLimited", message="Slow down.", advice="Wait.")


def test_a_stream_that_is_closed_early_is_broken_off_and_closes_the_models() -> None:
    closed = list[bool]()

    class Slow(ScriptedModel):
        def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
            try:
                yield TextDelta("Hel")
                yield TextDelta("lo")
            finally:
                closed.append(True)

    model = RecordingModel(Slow([]), FixedClock())
    stream = model.stream(REQUEST)
    assert isinstance(stream, Generator)
    next(stream)
    stream.close()
    assert closed == [True]
    (kept,) = model.recording.responses
    assert (kept.text, kept.broken_off) == ("Hel", True)


def test_an_interruption_reaches_the_models_stream() -> None:
    interrupted = list[bool]()

    class Stream:
        def __iter__(self) -> Iterator[ModelEvent]:
            return self

        def __next__(self) -> ModelEvent:
            raise StopIteration

        def interrupt(self) -> None:
            interrupted.append(True)

    class Blocking(ScriptedModel):
        def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
            return Stream()

    stream = RecordingModel(Blocking([]), FixedClock()).stream(REQUEST)
    assert isinstance(stream, Interruptible)
    stream.interrupt()
    assert interrupted == [True]
    assert list(stream) == []


@pytest.mark.parametrize("error", [RateLimited("a", "b"), HistoryExpired("c")])
def test_an_error_comes_back_as_it_was(error: ModelError) -> None:
    again = RecordedError.of(error).error
    assert (type(again), again.message, again.advice) == (type(error), error.message, error.advice)


def test_an_error_of_a_kind_that_is_gone_is_still_an_error_of_the_model() -> None:
    assert type(RecordedError(kind="SystemExit", message="x").error) is ModelError


def test_what_is_too_much_is_left_out_and_said_to_be() -> None:
    responses = [RecordedResponse(response=ModelResponse(id=f"r{n}", output=())) for n in range(5)]
    size = len(responses[0].model_dump_json())
    assert recording(responses, 5 * size).whole
    cut = recording(responses, 3 * size)
    assert (len(cut.responses), cut.whole) == (3, False)
