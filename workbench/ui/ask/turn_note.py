"""What is said of an answer that is not a plain one: partial, stopped, failed, expired, declined, unsourced, a question."""

from enum import StrEnum
from typing import NamedTuple

from workbench.domain.conversations import Turn
from workbench.domain.results import ResultType, TurnStatus


class Remedy(StrEnum):
    """What to do next, as a button's label."""

    NEW_CHAT = "Start a new chat"
    ASK_AGAIN = "Ask again"
    CONTINUE = "Continue from our copy"


class Note(NamedTuple):
    """``icon`` is the name of a Material symbol. ``wrong`` marks what failed, in contrast to what merely ended early;
    ``remedy`` is offered as a button, and ``second`` beside it where there is another way."""

    label: str
    text: str = ""
    icon: str = "info"
    wrong: bool = False
    remedy: Remedy | None = None
    second: Remedy | None = None

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        return tuple(remedy for remedy in (self.remedy, self.second) if remedy is not None)


_LABELS = {
    TurnStatus.PARTIAL: Note("Partial answer", icon="hourglass_bottom"),
    TurnStatus.STOPPED: Note("Stopped", icon="stop_circle", remedy=Remedy.ASK_AGAIN),
    TurnStatus.REFUSED: Note("Declined", icon="block"),
    TurnStatus.EXPIRED: Note(
        "This conversation's context has expired",
        icon="history_toggle_off",
        remedy=Remedy.NEW_CHAT,
        second=Remedy.CONTINUE,
    ),
    TurnStatus.FAILED: Note("No answer", icon="error", wrong=True, remedy=Remedy.ASK_AGAIN),
    TurnStatus.INTERRUPTED: Note("Interrupted", icon="error", wrong=True, remedy=Remedy.ASK_AGAIN),
}


def note_of(turn: Turn) -> Note | None:
    """Return what to say about a turn that has ended; None where the answer speaks for itself."""
    text = " ".join(part for part in (turn.reason, turn.advice) if part)
    if turn.status in _LABELS:
        return _LABELS[turn.status]._replace(text=text)
    if turn.result_type is ResultType.CLARIFICATION:
        return Note("A question back to you", "Answer it below; the work goes on from there.", icon="contact_support")
    if turn.unsourced:
        return Note("Unsourced", text)
    return None
