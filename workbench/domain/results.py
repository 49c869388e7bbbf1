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
    """What a turn gives.

    ``DOCUMENTS``: documents were listed and none was searched or read. ``COMBINED``: documents were listed, and some were
    searched or read for the answer. ``CLARIFICATION``: a question to the user. ``RECOMMENDATION``: a message with cards of
    documents. ``ANSWER``: everything else.
    """

    ANSWER = "answer"
    DOCUMENTS = "documents"
    COMBINED = "combined"
    CLARIFICATION = "clarification"
    RECOMMENDATION = "recommendation"
