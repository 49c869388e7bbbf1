"""Recordings: what a model answered in a turn, kept so that the turn can be replayed without asking it again."""

from collections.abc import Iterable

from workbench.domain import errors
from workbench.domain.errors import ModelError
from workbench.domain.items import ModelResponse
from workbench.domain.values import Value

LARGEST = 4_000_000
"""Characters of JSON that are kept of one turn; what a turn of any profile writes is far below."""

_KINDS: dict[str, type[ModelError]] = {
    kind.__name__: kind
    for kind in (
        errors.ModelRefused,
        errors.ModelUnavailable,
        errors.RateLimited,
        errors.HistoryExpired,
        errors.ResponseIncomplete,
        errors.BadModelRequest,
    )
}


class RecordedError(Value):
    """How the model failed. ``kind`` is the name of the error's class."""

    kind: str
    message: str
    advice: str = ""

    @classmethod
    def of(cls, error: ModelError) -> "RecordedError":
        return cls(kind=type(error).__name__, message=error.message, advice=error.advice)

    @property
    def error(self) -> ModelError:
        """The error to raise again; of a kind that is not known any more, a plain ModelError."""
        return _KINDS.get(self.kind, ModelError)(self.message, self.advice)


class RecordedResponse(Value):
    """One model call: what it gave, or how it ended without.

    ``response_id`` is None where the provider had given none. ``text`` was streamed before the call failed or was broken off;
    of a finished response it stands in ``response``. ``cost`` is in US dollars.
    """

    response_id: str | None = None
    text: str = ""
    response: ModelResponse | None = None
    error: RecordedError | None = None
    seconds: float = 0.0
    cost: float | None = None

    @property
    def broken_off(self) -> bool:
        """Whether the turn ended while the model was still answering."""
        return self.response is None and self.error is None


class Recording(Value):
    """The model calls of a turn in order. It is not ``whole`` where there was more than is kept."""

    responses: tuple[RecordedResponse, ...] = ()
    whole: bool = True


def recording(responses: Iterable[RecordedResponse], largest: int = LARGEST) -> Recording:
    """Return the recording of a turn's responses, of which those over ``largest`` characters are left out from there on."""
    kept: list[RecordedResponse] = []
    size = 0
    for response in responses:
        size += len(response.model_dump_json())
        if size > largest:
            return Recording(responses=tuple(kept), whole=False)
        kept.append(response)
    return Recording(responses=tuple(kept))
