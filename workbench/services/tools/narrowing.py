"""What narrows a search or a listing: the arguments for language and time, and their meaning on the day of the turn."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from pydantic import Field

from workbench.domain.dates import DateRefused, Period, resolve
from workbench.domain.documents import Document
from workbench.domain.scope import Filters, left_out_undated, left_out_without_language
from workbench.services.tools.tool import CallRejected

Language = Annotated[
    Annotated[str, Field(pattern=r"^[a-z]{2}$")] | None,
    Field(description="Only documents written in this language: an ISO 639-1 code such as de. Null for any."),
]
DateFrom = Annotated[
    Annotated[str, Field(max_length=40)] | None,
    Field(description="Only documents dated on or after this day, YYYY-MM-DD. Null for no bound."),
]
DateTo = Annotated[
    Annotated[str, Field(max_length=40)] | None,
    Field(description="Only documents dated on or before this day, YYYY-MM-DD. Null for no bound."),
]
PeriodText = Annotated[
    Annotated[str, Field(max_length=80)] | None,
    Field(
        description="Only documents dated in this period, in the user's words: 'this year', 'last 12 months', 'Q2 2025', "
        "'since March 2024'. It is resolved for you. Null for no bound."
    ),
]


def bounds(period: str | None, date_from: str | None, date_to: str | None, today: date) -> Period:
    """Return the inclusive bounds that the arguments mean; raise CallRejected where they mean none."""
    try:
        return resolve(period, date_from, date_to, today)
    except DateRefused as error:
        raise CallRejected(error.message, error.advice) from error


def left_out_note(undated: int, without_language: int) -> str:
    """Say in words which documents were left out only because their date or language is not known."""
    parts = [
        f"{count} document{'s' if count > 1 else ''} of unknown {what} left out"
        for count, what in ((undated, "date"), (without_language, "language"))
        if count
    ]
    return f"{' and '.join(parts)}." if parts else ""


def left_out(documents: Iterable[Document], filters: Filters) -> str:
    """Return the note on what ``filters`` leave out of ``documents`` for want of a date or a language."""
    documents = list(documents)
    return left_out_note(left_out_undated(documents, filters), left_out_without_language(documents, filters))
