"""Gaps: what counts as one topic."""

from datetime import UTC, datetime, timedelta

import pytest

from workbench.domain.gaps import Gap, GapOrigin, GapReason, topics
from workbench.domain.ids import ContainerId, GapId, UserId

pytestmark = pytest.mark.req("FIND-11")

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def gap(number: int, query: str, container: str = "con_leases") -> Gap:
    return Gap(
        id=GapId(f"gap_{number}"),
        user_id=UserId("ana"),
        containers=(ContainerId(container),),
        query=query,
        origin=GapOrigin.SCREEN,
        reason=GapReason.NOTHING_FOUND,
        asked_at=MONDAY + timedelta(hours=number),
    )


@pytest.mark.parametrize(
    "other",
    ["deposit insurances", "Insurance of the deposit?", "INSURANCE, deposit", "what insurance for the deposits"],
)
def test_endings_order_and_small_words_do_not_part_a_topic(other: str) -> None:
    (topic,) = topics([gap(1, "deposit insurance"), gap(2, other)])

    assert (topic.count, topic.query, topic.wordings) == (2, other, (other, "deposit insurance"))
    assert topic.last_asked == MONDAY + timedelta(hours=2)


@pytest.mark.parametrize(
    "other", ["deposit", "fire insurance", "deposit return", "Kaution", "2024 deposit insurance sum"]
)
def test_other_words_are_another_topic(other: str) -> None:
    assert len(topics([gap(1, "deposit insurance"), gap(2, other)])) == 2


def test_numbers_part_topics() -> None:
    assert len(topics([gap(1, "invoice 4711"), gap(2, "invoice 4712")])) == 2


def test_the_topic_asked_most_comes_first_and_names_all_its_containers() -> None:
    found = topics([gap(3, "parking"), gap(1, "heating cost"), gap(2, "heating costs", "con_letters")])

    assert [topic.query for topic in found] == ["heating costs", "parking"]
    assert found[0].containers == ("con_letters", "con_leases")


def test_a_query_of_signs_only_is_a_topic_of_its_own() -> None:
    assert [topic.count for topic in topics([gap(1, "???"), gap(2, "???"), gap(3, "parking")])] == [2, 1]
