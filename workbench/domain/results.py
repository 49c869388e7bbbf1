"""How a turn ended and what kind of result it gave."""

from enum import StrEnum


class TurnStatus(StrEnum):
    """``RUNNING`` until the end. ``PARTIAL``: a limit was reached. ``STOPPED``: by the user. ``REFUSED``: by the model or
    its provider's policy. ``EXPIRED``: the provider lost the history. ``INTERRUPTED``: the process ended meanwhile."""

    RUNNING = "running"
    ANSWERED = "answered"
    PARTIAL = "partial"
    STOPPED = "stopped"
    REFUSED = "refused"
    EXPIRED = "expired"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class ResultType(StrEnum):
    ANSWER = "answer"
    DOCUMENTS = "documents"
    COMBINED = "combined"
    CLARIFICATION = "clarification"
    RECOMMENDATION = "recommendation"
