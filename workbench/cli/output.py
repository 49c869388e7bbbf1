"""What the commands print: plain values for ``--json``, and lines for people."""

import json
from collections.abc import Iterable
from typing import Any

import typer

from workbench.domain.citations import Citation, Mention
from workbench.domain.conversations import Turn
from workbench.domain.documents import Document
from workbench.domain.events import EVENT, Event
from workbench.services.passages.found import Found, Passage


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def document_values(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "name": document.display_name,
        "state": document.state.value,
        "pages": document.page_count,
        "chunks": document.chunk_count,
        "pages_without_text": list(document.pages_without_text),
        "tags": {tag.key: tag.value for tag in document.tags},
        "error": document.error,
    }


def turn_values(turn: Turn, events: Iterable[Event]) -> dict[str, Any]:
    """The stored turn. Offsets of the position map count Unicode code points of ``answer``."""
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


def search_values(found: Found) -> dict[str, Any]:
    return {
        "query": found.ran,
        "documents_in_scope": found.searched,
        "candidates": found.candidates,
        "total": found.total,
        "note": " ".join(found.notes),
        "suggestions": [suggestion.text for suggestion in found.suggestions],
        "hits": [_passage(passage) for passage in found.passages],
        "cut": [each.model_dump() for each in found.cut],
    }


def _passage(passage: Passage) -> dict[str, Any]:
    return {
        "chunk": passage.chunk_id,
        "document": passage.document.name,
        "document_id": passage.document.id,
        "container": passage.container,
        "page": passage.page,
        "label": passage.pages,
        "score": passage.score,
        "words": list(passage.words),
        "text": passage.text,
    }
