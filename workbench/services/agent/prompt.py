"""The instructions of a turn, from a versioned file."""

from collections.abc import Sequence
from datetime import datetime
from importlib import resources
from typing import NamedTuple

from workbench.domain.budgets import Limits
from workbench.domain.documents import Document
from workbench.domain.scope import Filters

LISTED = 40
"""How many documents the instructions name; more are found with the tools."""


class Prompt(NamedTuple):
    """A prompt file: its version, which goes into the trace, and its text with fields to fill in."""

    version: str
    template: str

    def fill(
        self,
        now: datetime,
        containers: Sequence[str],
        filters: Filters,
        documents: Sequence[Document],
        limits: Limits,
    ) -> str:
        """Return the instructions for a turn that starts at ``now`` over these documents."""
        return self.template.format(
            today=f"{now:%A, %d %B %Y}",
            zone=f"{now.tzname() or 'UTC'}, UTC{now:%z}",
            tool_calls=limits.tool_calls,
            calls_per_round=limits.calls_per_round,
            containers=", ".join(containers) or "none",
            selections=_selections(filters),
            count=len(documents),
            documents=_documents(documents),
        )


def load_prompt(name: str = "agent") -> Prompt:
    """Read a prompt file of this package; its first line is ``version: ...``."""
    text = resources.files(__package__).joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    head, _, body = text.partition("\n")
    return Prompt(head.removeprefix("version:").strip(), body.strip())


def _selections(filters: Filters) -> str:
    parts = [f"{key} = {' or '.join(values)}" for key, values in filters.tags.items()]
    if filters.date_from or filters.date_to:
        parts.append(f"dated from {filters.date_from or 'any'} to {filters.date_to or 'any'}")
    if filters.language:
        parts.append(f"language {filters.language}")
    return "; ".join(parts) or "none"


def _documents(documents: Sequence[Document]) -> str:
    lines = [f"- {document.id}: {document.display_name}{_known(document)}" for document in documents[:LISTED]]
    if len(documents) > LISTED:
        lines.append(f"- and {len(documents) - LISTED} more, which find_documents lists")
    return "\n".join(lines) or "- none"


def _known(document: Document) -> str:
    parts = [f"{tag.key}: {tag.value}" for tag in document.tags]
    parts += [f"dated {document.dated}"] if document.dated else []
    parts += [f"language {document.language}"] if document.language else []
    return f" ({', '.join(parts)})" if parts else ""
