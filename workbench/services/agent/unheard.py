"""What a turn that broke off leaves to be told to the model: what the user asked and saw, and the model does not know."""

from collections.abc import Sequence

from workbench.domain.citations import CitedAnswer
from workbench.domain.conversations import Thread, Turn
from workbench.domain.items import AssistantMessage, FunctionCallOutput, Item, OpaqueItem, UserMessage
from workbench.domain.results import TurnStatus

_ENDED = {
    TurnStatus.STOPPED: "The user stopped this answer here.",
    TurnStatus.INTERRUPTED: "This answer was interrupted here.",
    TurnStatus.FAILED: "This answer broke off here.",
    TurnStatus.PARTIAL: "",
}
"""How an answer ended that the model did not finish, by the status of its turn.

A refused question is not among them: told again, it would have every question after it refused as well.
"""


def replied(question: str) -> str:
    """Return the output of a question to the user, from what the user wrote."""
    return f"The user replied: {question}"


def thread_after(turn: Turn) -> Thread:
    """Return where the turn after an ended one takes up the talk.

    Where the model has not finished its answer, the next turn tells it what the user saw of it, and the question where that
    has not reached it either. A turn that failed before anything was seen leaves no trace: it may be why it failed.
    """
    shown = _as_written(turn.answer)
    if turn.status not in _ENDED or _finished(turn.items) or (turn.status is TurnStatus.FAILED and not shown):
        return turn.thread
    thread, unheard = turn.thread, list[Item]()
    if not turn.items and thread.asked is not None:
        reply = FunctionCallOutput(call_id=thread.asked, output=replied(turn.question))
        thread = thread.model_copy(update={"owed": (*thread.owed, reply), "asked": None})
    elif not turn.items:
        unheard.append(UserMessage(text=turn.question))
    said = "\n\n".join(part for part in (shown, f"({_ENDED[turn.status]})" if _ENDED[turn.status] else "") if part)
    if said:
        unheard.append(AssistantMessage(text=said))
    return thread.model_copy(update={"unheard": (*thread.unheard, *unheard)})


def _finished(items: Sequence[Item]) -> bool:
    """Tell whether the model's last word was an answer, which it knows."""
    last = next((item for item in reversed(items) if not isinstance(item, OpaqueItem)), None)
    return isinstance(last, AssistantMessage)


def _as_written(answer: CitedAnswer) -> str:
    """Return the answer with markers in the place of labels: as the model writes, so that it goes on writing so."""
    pieces, place = list[str](), 0
    for mention in answer.mentions:
        pieces += (answer.text[place : mention.start], *(f"[{ref}]" for ref in mention.refs))
        place = mention.end
    return "".join((*pieces, answer.text[place:])).strip()
