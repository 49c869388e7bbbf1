"""What the events of a turn have built so far."""

from typing import Any

import pytest

from workbench.domain.events import AnswerDelta, AnswerWithdrawn, Event
from workbench.ui.ask.progress import Progress


@pytest.mark.req("ASK-11")
def test_the_streamed_answer_is_the_final_one(whole_turn: list[Event]) -> None:
    progress = Progress()
    for event in whole_turn[:-1]:
        progress.add(event)
    streamed = progress.answer
    progress.add(whole_turn[-1])

    assert streamed == progress.answer
    assert progress.finished is not None


@pytest.mark.req("ASK-11")
def test_a_remark_between_steps_is_not_part_of_the_answer(make: Any) -> None:
    progress = Progress()
    for event in (AnswerDelta(text="Let me see."), AnswerWithdrawn(text="Let me see."), AnswerDelta(text="45 days.")):
        progress.add(event)

    assert progress.answer.text == "45 days."
