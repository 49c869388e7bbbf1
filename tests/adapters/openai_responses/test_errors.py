import httpx2
import openai
import pytest

from workbench.adapters.openai_responses.errors import Failure, Kind, explain, read_failure, redact, stream_failure
from workbench.domain.errors import (
    BadModelRequest,
    HistoryExpired,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    RateLimited,
    ResponseIncomplete,
)

pytestmark = pytest.mark.req("ASK-13")

KEY = "sk-live-0123456789abcdef"


def status_error(status: int, error: object, **headers: str) -> openai.APIStatusError:
    request = httpx2.Request("POST", "https://api.example/v1/responses")
    response = httpx2.Response(status, json={"error": error}, headers=headers, request=request)
    return openai.APIStatusError("the SDK's words", response=response, body=error)


def explained(failure: Failure) -> ModelError:
    return explain(failure, model="gpt-5-mini", host="api.example", timeout=30, secrets=(KEY,))


CASES = [
    (400, {"code": "previous_response_not_found", "message": "x"}, HistoryExpired),
    (404, {"code": "404", "type": "invalid_request_error", "param": "response_id", "message": "x"}, HistoryExpired),
    (404, {"type": "invalid_request_error", "message": "x"}, ModelUnavailable),
    (400, {"code": "model_not_found", "message": "x"}, ModelUnavailable),
    (401, {"type": "invalid_request_error", "message": "x"}, ModelUnavailable),
    (403, {"message": "x"}, ModelUnavailable),
    (400, {"innererror": {"code": "ResponsibleAIPolicyViolation"}, "message": "x"}, ModelRefused),
    (400, {"code": "content_filter", "message": "x"}, ModelRefused),
    (400, {"code": "context_length_exceeded", "message": "x"}, BadModelRequest),
    (422, {"message": "x"}, BadModelRequest),
    (429, {"code": "rate_limit_exceeded", "message": "x"}, RateLimited),
    (429, {"message": "x"}, RateLimited),
    (429, {"type": "insufficient_quota", "message": "x"}, ModelUnavailable),
    (503, "overloaded", ModelUnavailable),
]


@pytest.mark.parametrize(("status", "error", "expected"), CASES)
def test_a_status_has_its_error(status: int, error: object, expected: type[ModelError]) -> None:
    made = explained(read_failure(status_error(status, error), 0))
    assert type(made) is expected
    assert "api.example" in made.message or "gpt-5-mini" in made.message
    assert made.advice


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"code": "server_error", "message": "x"}, ModelUnavailable),
        ({"code": "rate_limit_exceeded", "message": "x"}, RateLimited),
        ({"code": "invalid_prompt", "message": "x"}, ModelRefused),
        ({"code": "misalignment_policy_violation", "message": "x"}, ModelRefused),
        ({"type": "invalid_request_error", "message": "x"}, BadModelRequest),
        ({"code": "data_residency_mismatch", "message": "x"}, BadModelRequest),
        ({"code": "previous_response_not_found", "message": "x"}, HistoryExpired),
        (None, ModelUnavailable),
    ],
)
def test_an_error_inside_a_stream_has_its_error(error: dict[str, str] | None, expected: type[ModelError]) -> None:
    assert type(explained(stream_failure(error))) is expected


@pytest.mark.parametrize(
    ("cause", "kind", "expected"),
    [
        (httpx2.ConnectError("refused"), Kind.CONNECT, ModelUnavailable),
        (httpx2.RemoteProtocolError("closed"), Kind.CUT, ResponseIncomplete),
        (httpx2.ReadError("reset"), Kind.CUT, ResponseIncomplete),
    ],
)
def test_a_broken_connection_is_told_apart_from_an_absent_one(
    cause: Exception, kind: Kind, expected: type[ModelError]
) -> None:
    error = openai.APIConnectionError(request=httpx2.Request("POST", "https://api.example"))
    error.__cause__ = cause
    failure = read_failure(error, 0)
    assert failure.kind is kind
    assert type(explained(failure)) is expected


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert read_failure(status_error(429, {}, **headers), now=10.0).retry_after == seconds


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Rate limit reached. Please try again in 6.2s. See the docs.", 6.2),
        ("Please try again in 350ms.", 0.35),
        ("Please try again in 1m12s.", 72.0),
        ("Please retry after 40 seconds.", 40.0),
        ("Please try again in a while.", None),
    ],
)
def test_a_wait_that_stands_only_in_the_words_is_read_from_them(message: str, seconds: float | None) -> None:
    failure = stream_failure({"code": "rate_limit_exceeded", "message": message})
    assert failure.retry_after == pytest.approx(seconds)
    error = explained(failure)
    assert isinstance(error, RateLimited)
    assert error.retry_after == pytest.approx(seconds)


def test_the_providers_words_and_request_id_are_passed_on_without_the_key() -> None:
    error = status_error(400, {"message": f"bad header Bearer {KEY}\nand  more"}, **{"x-request-id": "req_9"})
    message = str(explained(read_failure(error, 0)))
    assert "bad header Bearer [key] and more" in message
    assert "req_9" in message
    assert KEY not in message


def test_a_key_of_any_form_is_taken_out() -> None:
    azure_key, local_key = "3f9c1be07d4a4e4c9a0d5b6e", "geheim!"
    text = f"Access denied for {azure_key} and {local_key}."
    assert redact(text, (azure_key, local_key)) == "Access denied for [key] and [key]."


def test_keys_that_are_not_ours_are_taken_out_as_well() -> None:
    assert redact("Incorrect key sk-proj-ab12***xy9z given", ()) == "Incorrect key [key] given"


def test_a_long_text_of_the_provider_is_cut() -> None:
    made = explained(read_failure(status_error(400, {"message": "x" * 5000}), 0))
    assert len(str(made)) < 600


def test_a_failed_request_without_a_json_body_is_explained() -> None:
    assert "failed while working" in explained(read_failure(status_error(502, None), 0)).message
