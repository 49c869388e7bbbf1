"""A stored turn as plain values: one shape for ``ask --json``, for exports and for whoever reads them."""

from collections.abc import Iterable
from typing import Any

from workbench.domain.citations import Citation, Mention
from workbench.domain.conversations import Turn
from workbench.domain.events import EVENT, Event

POSITION_UNIT = "unicode code points of the answer"
"""What the offsets of a position map count."""


def turn_values(turn: Turn, events: Iterable[Event]) -> dict[str, Any]:
    """Return what was asked and answered, with the citations, the position map as it is stored, and the trace."""
    return {
        "conversation": turn.conversation_id,
        "turn": turn.id,
        "question": turn.question,
        "status": turn.status.value,
        "result_type": turn.result_type.value,
        "reason": turn.reason,
        "advice": turn.advice,
        "unsourced": turn.unsourced,
        "answer": turn.answer.text,
        "citations": [citation_values(citation) for citation in turn.answer.citations],
        "position_unit": POSITION_UNIT,
        "position_map": [mention_values(mention) for mention in turn.answer.mentions],
        "unknown_refs": list(turn.answer.unknown_refs),
        "usage": turn.spend.model_dump(mode="json"),
        "model": turn.model,
        "prompt_version": turn.prompt_version,
        "profile": turn.profile.value,
        "response_ids": list(turn.response_ids),
        "events": [EVENT.dump_python(event, mode="json") for event in events],
    }


def citation_values(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "document": citation.document,
        "document_id": citation.document_id,
        "container": citation.container,
        "page": citation.page,
        "label": citation.page_label,
        "text": citation.label,
        "quote": citation.quote,
        "refs": list(citation.refs),
        "found_by": list(citation.call_ids),
    }


def mention_values(mention: Mention) -> dict[str, Any]:
    return {
        "start": mention.start,
        "end": mention.end,
        "citation": mention.citation,
        "refs": list(mention.refs),
        "quote": mention.quote,
        "spans": [span.model_dump() for span in mention.spans],
    }
