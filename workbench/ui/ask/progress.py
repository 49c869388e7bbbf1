"""What a turn has brought so far, gathered from its events as they come."""

from workbench.domain.citations import CitedAnswer
from workbench.domain.events import AnswerDelta, AnswerWithdrawn, Event, TurnFinished


class Progress:
    """The events of a turn and the answer they have built: as streamed so far, the final one once the turn has ended.
    ``finished`` is the last event once it is there."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.answer = CitedAnswer()
        self.finished: TurnFinished | None = None

    def add(self, event: Event) -> None:
        self.events.append(event)
        match event:
            case AnswerDelta():
                self.answer = self.answer.extended(event.text, event.mentions, event.citations)
            case AnswerWithdrawn():
                self.answer = CitedAnswer()
            case TurnFinished():
                self.answer, self.finished = event.answer, event
            case _:
                pass

    @property
    def seconds(self) -> float:
        return self.events[-1].at if self.events else 0.0
