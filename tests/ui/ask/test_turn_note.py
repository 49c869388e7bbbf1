"""What is said of a turn that did not simply answer."""

from datetime import UTC, datetime

import pytest

from workbench.domain.budgets import Profile
from workbench.domain.conversations import Turn
from workbench.domain.ids import ConversationId, TurnId
from workbench.domain.results import ResultType, TurnStatus
from workbench.ui.ask.turn_note import Remedy, note_of


def turn(status: TurnStatus, **changes: object) -> Turn:
    made = Turn(
        id=TurnId("turn_1"),
        conversation_id=ConversationId("conv_1"),
        number=1,
        question="q",
        containers=(),
        profile=Profile.QUICK,
        model="scripted",
        status=status,
        reason="It broke.",
        advice="Mend it.",
        started_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    return made.model_copy(update=changes)


@pytest.mark.req("ASK-11")
@pytest.mark.parametrize("status", [s for s in TurnStatus if s not in (TurnStatus.RUNNING, TurnStatus.ANSWERED)])
def test_every_other_ending_says_what_happened_and_what_to_do(status: TurnStatus) -> None:
    note = note_of(turn(status))

    assert note is not None
    assert note.label
    assert note.text == "It broke. Mend it."


@pytest.mark.req("ASK-11")
def test_a_plain_answer_speaks_for_itself() -> None:
    assert note_of(turn(TurnStatus.ANSWERED)) is None


@pytest.mark.req("ASK-11")
def test_an_expired_history_offers_a_new_chat_and_our_own_copy() -> None:
    note = note_of(turn(TurnStatus.EXPIRED))

    assert note is not None
    assert note.remedies == (Remedy.NEW_CHAT, Remedy.CONTINUE)


@pytest.mark.req("ASK-11")
def test_questions_back_and_unsourced_answers_are_called_so() -> None:
    question = note_of(turn(TurnStatus.ANSWERED, result_type=ResultType.CLARIFICATION))
    unsourced = note_of(turn(TurnStatus.ANSWERED, unsourced=True))

    assert question is not None
    assert question.label == "A question back to you"
    assert unsourced is not None
    assert unsourced.label == "Unsourced"
