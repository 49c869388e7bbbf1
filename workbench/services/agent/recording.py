"""Recording: a model between the loop and the real one, which notes what came of each call so that it can be replayed."""

import threading
from collections.abc import Generator, Iterator
from types import TracebackType
from typing import Any, Literal

from workbench.domain.errors import ModelError
from workbench.domain.items import ModelResponse
from workbench.domain.recordings import RecordedError, RecordedResponse, Recording, recording
from workbench.services.ports import (
    Clock,
    Interruptible,
    Model,
    ModelEvent,
    ModelRequest,
    ResponseFinished,
    ResponseStarted,
    TextDelta,
)


class RecordingModel:
    """A :class:`~workbench.services.ports.Model` that answers as ``model`` does. It records one turn."""

    def __init__(self, model: Model, clock: Clock) -> None:
        self._model = model
        self._clock = clock
        self._tapes: list[Tape] = []
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def identity(self) -> str:
        return self._model.identity

    @property
    def history(self) -> Literal["chain", "replay"]:
        return self._model.history

    def stream(self, request: ModelRequest) -> "Tape":
        tape = Tape(self._model, request, self._clock)
        with self._lock:
            self._tapes.append(tape)
        return tape

    def cost(self, response: ModelResponse) -> float | None:
        return self._model.cost(response)

    @property
    def recording(self) -> Recording:
        """What was recorded so far. A call that has not ended counts as broken off."""
        with self._lock:
            return recording(tape.recorded for tape in self._tapes)


class Tape(Generator[ModelEvent, None, None]):
    """The stream of one call, noted as it passes. It can be interrupted wherever the model's own stream can."""

    def __init__(self, model: Model, request: ModelRequest, clock: Clock) -> None:
        self._model = model
        self._clock = clock
        self._started = clock.monotonic()
        self._stream: Iterator[ModelEvent] = model.stream(request)
        self._pieces: list[str] = []
        self._noted = RecordedResponse()

    @property
    def recorded(self) -> RecordedResponse:
        """What came of the call so far."""
        if self._noted.response is not None:
            return self._noted
        return self._noted.model_copy(update={"text": "".join(self._pieces)})

    def send(self, value: None) -> ModelEvent:
        try:
            event = next(self._stream)
        except ModelError as error:
            self._note(error=RecordedError.of(error))
            raise
        match event:
            case ResponseStarted(response_id):
                self._note(response_id=response_id)
            case TextDelta(text):
                self._pieces.append(text)
                self._note()
            case ResponseFinished(response):
                self._note(response=response, cost=self._model.cost(response))
        return event

    def throw(self, typ: Any, val: Any = None, tb: TracebackType | None = None) -> ModelEvent:
        """End the stream: that is all that is ever thrown into it."""
        if isinstance(self._stream, Generator):
            self._stream.close()
        raise typ

    def interrupt(self) -> None:
        if isinstance(self._stream, Interruptible):
            self._stream.interrupt()

    def _note(self, **changes: object) -> None:
        changes["seconds"] = round(self._clock.monotonic() - self._started, 4)
        self._noted = self._noted.model_copy(update=changes)
