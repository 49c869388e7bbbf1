"""What the commands print: plain values for ``--json``, and lines for people."""

import json
from typing import Any

import typer

from workbench.domain.documents import Document
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


def one_line(text: str) -> str:
    """Return text that somebody wrote for a terminal: on one line, without characters that steer it."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
