"""What a turn has brought so far, gathered from its events as they come."""

from workbench.domain.citations import Citation, CitedAnswer, Mention
from workbench.domain.events import AnswerDelta, AnswerWithdrawn, Event, TurnFinished


class Progress:
    """The events of a turn and the answer they have built. ``finished`` is the last event once it is there."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.finished: TurnFinished | None = None
        self._text: list[str] = []
        self._mentions: list[Mention] = []
        self._citations: list[Citation] = []

    def add(self, event: Event) -> None:
        self.events.append(event)
        match event:
            case AnswerDelta():
                self._text.append(event.text)
                self._mentions.extend(event.mentions)
                self._citations.extend(event.citations)
            case AnswerWithdrawn():
                self._text, self._mentions, self._citations = [], [], []
            case TurnFinished():
                self.finished = event
            case _:
                pass

    @property
    def answer(self) -> CitedAnswer:
        """The answer as streamed so far; the final one once the turn has ended."""
        if self.finished is not None:
            return self.finished.answer
        return CitedAnswer(text="".join(self._text), mentions=tuple(self._mentions), citations=tuple(self._citations))

    @property
    def seconds(self) -> float:
        return self.events[-1].at if self.events else 0.0
