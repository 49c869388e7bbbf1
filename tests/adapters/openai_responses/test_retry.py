import pytest

from workbench.adapters.openai_responses.errors import Failure, Kind
from workbench.adapters.openai_responses.retry import RecentResponses, Retries, RetryPolicy, is_passing

LIMITED = Failure(Kind.STATUS, status=429, code="rate_limit_exceeded")
UNKNOWN = Failure(Kind.STATUS, status=400, code="previous_response_not_found")


@pytest.mark.parametrize(
    ("failure", "passing"),
    [
        (LIMITED, True),
        (Failure(Kind.STATUS, status=408), True),
        (Failure(Kind.STATUS, status=409), True),
        (Failure(Kind.STATUS, status=503), True),
        (Failure(Kind.CONNECT), True),
        (Failure(Kind.STREAM, code="server_error"), True),
        (Failure(Kind.STATUS, status=429, code="insufficient_quota"), False),
        (Failure(Kind.STATUS, status=400), False),
        (Failure(Kind.STATUS, status=401), False),
        (Failure(Kind.TIMEOUT), False),
        (Failure(Kind.STREAM, code="invalid_prompt"), False),
        (Failure(Kind.NOT_A_STREAM), False),
    ],
)
def test_only_what_may_pass_is_tried_again(failure: Failure, passing: bool) -> None:
    assert is_passing(failure) is passing


def test_delays_grow_to_a_bound_and_then_end() -> None:
    policy = RetryPolicy(retries=4, first_delay=1, longest_delay=3)
    retries = Retries(policy, None)
    delays = [retries.delay(LIMITED) for _ in range(5)]
    assert delays.pop() is None
    for delay, ceiling in zip(delays, [1, 2, 3, 3], strict=True):
        assert delay is not None
        assert 0.75 * ceiling <= delay <= ceiling


@pytest.mark.req("ASK-13")
@pytest.mark.parametrize(("age", "waits"), [(0.0, True), (299.0, True), (300.0, False), (None, False)])
def test_an_unknown_history_is_waited_for_only_while_it_is_young(age: float | None, waits: bool) -> None:
    assert (Retries(RetryPolicy(), age).delay(UNKNOWN) is not None) is waits


def test_ages_are_those_of_this_process_and_the_oldest_are_forgotten() -> None:
    now = [100.0]
    recent = RecentResponses(lambda: now[0])
    recent.add("resp_first")
    now[0] = 107.0
    assert recent.age("resp_first") == 7.0
    assert recent.age("resp_other") is None
    assert recent.age(None) is None
    for number in range(1000):
        recent.add(f"resp_{number}")
    assert recent.age("resp_first") is None
    assert recent.age("resp_0") == 0.0
