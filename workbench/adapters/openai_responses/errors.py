"""From what the SDK or the wire reports to our errors, in words for the person who asked.

A failure is read once into a :class:`Failure` (what happened, in the provider's terms), whether it came as an HTTP status,
as an event of a stream or as a broken connection; retries look at it, and :func:`explain` puts it in words.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

import httpx2
import openai

from workbench.domain.errors import (
    BadModelRequest,
    HistoryExpired,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    RateLimited,
    ResponseIncomplete,
)


class Kind(StrEnum):
    """How a failure reached us."""

    STATUS = "status"
    STREAM = "stream"
    CONNECT = "connect"
    TIMEOUT = "timeout"
    CUT = "cut"
    DAMAGED = "damaged"
    NOT_A_STREAM = "not a stream"
    CREDENTIAL = "credential"


@dataclass(eq=False)
class Failure(Exception):
    """One failed attempt. ``status`` is the HTTP status or 0; ``retry_after`` is in seconds where the provider gave it."""

    kind: Kind
    message: str = ""
    code: str = ""
    param: str = ""
    status: int = 0
    retry_after: float | None = None
    request_id: str = ""

    @property
    def history_unknown(self) -> bool:
        """Whether the provider does not know the previous response (OpenAI and Azure by code, vLLM by its parameter)."""
        return self.code == "previous_response_not_found" or (self.status == 404 and self.param == "response_id")

    @property
    def needs_replay(self) -> bool:
        """Whether the provider keeps no responses: an organisation without data retention, or a server without memory."""
        message = self.message.lower()
        return self.status == 400 and (
            "zero data retention" in message or "does not support 'previous_response_id'" in message
        )

    @property
    def container_gone(self) -> bool:
        """Whether the container of an earlier run of code has expired or was deleted; a new one can take its place."""
        message = self.message.lower()
        return self.status in (400, 404) and "container" in message and ("expired" in message or "not found" in message)

    @property
    def reasoning_refused(self) -> bool:
        """Whether replayed reasoning is what the provider objects to; the request can be sent without it."""
        return self.code == "invalid_encrypted_content" or (
            self.status in (400, 404) and "reasoning" in self.message and "without its required" in self.message
        )


def read_failure(error: Exception, now: float) -> Failure:
    """Read an error of the SDK's call or stream. ``now`` (seconds since 1970) places a Retry-After that is a date."""
    match error:
        case Failure():
            return error
        case openai.APIStatusError():
            return _from_status(error, now)
        case openai.APITimeoutError():
            kind = Kind.CONNECT if isinstance(error.__cause__, httpx2.ConnectTimeout) else Kind.TIMEOUT
            return Failure(kind, "the time limit for a reply was reached")
        case openai.APIConnectionError():
            kind = (
                Kind.CUT if isinstance(error.__cause__, httpx2.ReadError | httpx2.RemoteProtocolError) else Kind.CONNECT
            )
            return Failure(kind, str(error.__cause__ or error.message))
        case openai.APIError():
            return stream_failure({"message": error.message, "code": error.code or error.type, "param": error.param})
        case _:
            return Failure(Kind.DAMAGED, f"{type(error).__name__}: {error}")


def stream_failure(error: Mapping[str, Any] | None) -> Failure:
    """Read the error object of a stream's ``error`` or ``response.failed`` event, or of a JSON body."""
    error = error or {}
    code, message = error.get("code") or error.get("type") or "", str(error.get("message") or "")
    return Failure(Kind.STREAM, message, str(code), str(error.get("param") or ""), retry_after=_wait_named_in(message))


def explain(failure: Failure, *, model: str, host: str, timeout: float, secrets: tuple[str, ...]) -> ModelError:
    """Return the error to raise. No secret of ours is in its words, whatever the provider echoed."""
    return _cause(failure)(_Case(failure, model, host, timeout, _quote(failure, secrets)))


def redact(text: str, secrets: tuple[str, ...]) -> str:
    """Take our secrets, and whatever looks like a key, out of a text."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "[key]")
    return _KEY.sub("[key]", text)


_KEY = re.compile(r"\bsk-[\w*-]{4,}|(?<=Bearer )\S+")
_WAIT = re.compile(
    r"(?:again in|retry after) (?:(?P<minutes>\d+)m)?(?P<number>\d+(?:\.\d+)?) ?(?P<unit>ms|s)", re.IGNORECASE
)
_LONGEST_QUOTE = 300
_SHORTEST_SECRET = 4


@dataclass(frozen=True)
class _Case:
    failure: Failure
    model: str
    host: str
    timeout: float
    quote: str

    @property
    def said(self) -> str:
        return f" The provider says: {self.quote}" if self.quote else ""

    @property
    def detail(self) -> str:
        return f" Detail: {self.quote}" if self.quote else ""


def _from_status(error: openai.APIStatusError, now: float) -> Failure:
    headers = error.response.headers
    body = error.body if isinstance(error.body, Mapping) else {}
    inner = body.get("innererror")
    code = error.code or (inner.get("code") if isinstance(inner, Mapping) else "") or error.type or ""
    return Failure(
        Kind.STATUS,
        str(body.get("message") or error.message),
        str(code),
        str(error.param or ""),
        error.status_code,
        _retry_after(headers, now),
        error.request_id or "",
    )


def _retry_after(headers: Mapping[str, str], now: float) -> float | None:
    milliseconds, value = headers.get("retry-after-ms", ""), headers.get("retry-after", "")
    if _is_number(milliseconds):
        return float(milliseconds) / 1000
    if _is_number(value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now) if value else None
    except ValueError:
        return None


def _wait_named_in(message: str) -> float | None:
    # Inside a stream there are no headers; the wait is in the words only ("Please try again in 6.2s").
    found = _WAIT.search(message)
    if found is None:
        return None
    minutes, number, unit = found["minutes"], found["number"], found["unit"]
    return float(minutes or 0) * 60 + float(number) / (1000 if unit == "ms" else 1)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _quote(failure: Failure, secrets: tuple[str, ...]) -> str:
    text = " ".join(redact(failure.message, secrets).split())
    if len(text) > _LONGEST_QUOTE:
        text = text[:_LONGEST_QUOTE].rstrip() + "…"
    request = f"(request {failure.request_id})" if failure.request_id else ""
    return " ".join(part for part in (f"“{text}”" if text else "", request) if part)


def _history_expired(case: _Case) -> ModelError:
    return HistoryExpired(
        f"This conversation's context has expired: {case.host} no longer knows its last response.", "Start a new chat."
    )


def _no_chain(case: _Case) -> ModelError:
    return BadModelRequest(
        f"{case.host} does not keep conversations, so they cannot be continued by id.{case.said}",
        "Set the model's history to “replay” in the settings.",
    )


def _refused(case: _Case) -> ModelError:
    return ModelRefused(
        f"The content policy of {case.host} stopped this question.{case.said}", "Rephrase the question and ask again."
    )


def _rate_limited(case: _Case) -> ModelError:
    after = case.failure.retry_after
    wait = "in a minute" if after is None else f"in {max(1, round(after))} seconds"
    return RateLimited(
        f"{case.host} is limiting how often “{case.model}” is called.{case.said}", f"Ask again {wait}.", after
    )


def _out_of_credit(case: _Case) -> ModelError:
    return ModelUnavailable(
        f"The account at {case.host} has no credit left.{case.said}",
        "Whoever runs this workbench has to add credit or raise the account's limit.",
    )


def _key_refused(case: _Case) -> ModelError:
    return ModelUnavailable(
        f"{case.host} did not accept the API key, or the key may not use “{case.model}”.",
        "Whoever runs this workbench has to check the key and its rights in the settings.",
    )


def _not_there(case: _Case) -> ModelError:
    return ModelUnavailable(
        f"{case.host} knows no model “{case.model}”, or does not serve the Responses API at this address.{case.said}",
        "Check the model (on Azure: the deployment's name) and the base URL in the settings; it often ends in /v1.",
    )


def _too_long(case: _Case) -> ModelError:
    return BadModelRequest(
        f"The conversation is longer than “{case.model}” can read.{case.said}",
        "Start a new chat or ask a narrower question.",
    )


def _rejected(case: _Case) -> ModelError:
    return BadModelRequest(
        f"{case.host} rejected the request for “{case.model}”.{case.said}",
        "Ask again in a new chat; if it stays, the settings do not fit this provider.",
    )


def _server_failed(case: _Case) -> ModelError:
    return ModelUnavailable(f"{case.host} failed while working on this question.{case.said}", "Ask again in a moment.")


def _unreachable(case: _Case) -> ModelError:
    return ModelUnavailable(
        f"{case.host} could not be reached.{case.detail}",
        "Check the network and the base URL in the settings, then ask again.",
    )


def _timed_out(case: _Case) -> ModelError:
    return ModelUnavailable(
        f"{case.host} sent nothing for {case.timeout:g} seconds.",
        "Ask again; if it stays, raise the model's time limit.",
    )


def _cut(case: _Case) -> ModelError:
    return ResponseIncomplete(f"The connection to {case.host} ended before the answer was complete.", "Ask again.")


def _damaged(case: _Case) -> ModelError:
    return ResponseIncomplete(
        f"The answer of {case.host} arrived damaged and is not used.{case.detail}",
        "Ask again; if it stays, check that the base URL serves the Responses API.",
    )


def _not_a_stream(case: _Case) -> ModelError:
    return ModelUnavailable(
        f"{case.host} answered, but not with the event stream of the Responses API.{case.detail}",
        "Check the base URL in the settings (it often ends in /v1) and that nothing between rewrites replies.",
    )


def _no_credential(case: _Case) -> ModelError:
    return ModelUnavailable(
        f"No access token for {case.host} could be obtained.{case.detail}",
        "Whoever runs this workbench has to check its identity and rights at the provider.",
    )


def _cause(failure: Failure) -> Callable[[_Case], ModelError]:
    if failure.history_unknown:
        return _history_expired
    if failure.needs_replay:
        return _no_chain
    known = _BY_CODE.get(failure.code) or _BY_KIND.get(failure.kind) or _BY_STATUS.get(failure.status)
    if known:
        return known
    broken = failure.status >= 500 or (not failure.status and failure.code != "invalid_request_error")
    return _server_failed if broken else _rejected


_BY_KIND = {
    Kind.CONNECT: _unreachable,
    Kind.TIMEOUT: _timed_out,
    Kind.CUT: _cut,
    Kind.DAMAGED: _damaged,
    Kind.NOT_A_STREAM: _not_a_stream,
    Kind.CREDENTIAL: _no_credential,
}
_BY_STATUS = {
    401: _key_refused,
    403: _key_refused,
    404: _not_there,
    408: _server_failed,
    409: _server_failed,
    429: _rate_limited,
}
_BY_CODE = {
    "rate_limit_exceeded": _rate_limited,
    "rate_limit_error": _rate_limited,
    "too_many_requests": _rate_limited,
    "insufficient_quota": _out_of_credit,
    "invalid_api_key": _key_refused,
    "model_not_found": _not_there,
    "DeploymentNotFound": _not_there,
    "context_length_exceeded": _too_long,
    "content_filter": _refused,
    "ResponsibleAIPolicyViolation": _refused,
    "invalid_prompt": _refused,
    "bio_policy": _refused,
    "misalignment_policy_violation": _refused,
    "image_content_policy_violation": _refused,
    "data_residency_mismatch": _rejected,
}
