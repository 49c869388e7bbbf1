"""Conversations as files: Markdown with numbered sources for people, JSON with everything that is stored for programs."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from workbench.domain.addresses import MentionAddress
from workbench.domain.citations import Citation
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.events import CodeRan, Event
from workbench.domain.ids import ConversationId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access
from workbench.services.citations.export import Link, line, quoted, to_markdown
from workbench.services.conversations import Conversations
from workbench.services.ports import Clock
from workbench.services.turn_values import turn_values

FORMAT, VERSION = "pincite.conversation", 1
UNTITLED = "Conversation without a title"


class ExportFormat(StrEnum):
    """The kinds of file, named by their extensions."""

    MARKDOWN = "md"
    JSON = "json"


_MEDIA_TYPES = {ExportFormat.MARKDOWN: "text/markdown", ExportFormat.JSON: "application/json"}


class ExportedFile(NamedTuple):
    name: str
    media_type: str
    text: str


class ConversationExport:
    """Exports a user's own conversations. ``public_url`` is where others reach the app: it makes citations links."""

    def __init__(self, conversations: Conversations, clock: Clock, public_url: str | None = None) -> None:
        self._conversations = conversations
        self._clock = clock
        self._public_url = public_url.rstrip("/") if public_url else None

    def file(self, access: Access, conversation_id: ConversationId, format_: ExportFormat) -> ExportedFile:
        """Return the conversation as a file. Raises NotFound where it is missing or another user's."""
        conversation = self._conversations.get(access, conversation_id)
        if format_ is ExportFormat.MARKDOWN:
            text = self.markdown(access, conversation_id)
        else:
            text = json.dumps(self.values(access, conversation_id), ensure_ascii=False, indent=2) + "\n"
        return ExportedFile(file_name(conversation, format_), _MEDIA_TYPES[format_], text)

    def values(self, access: Access, conversation_id: ConversationId) -> dict[str, Any]:
        """Return everything that is stored of the conversation, as JSON values."""
        conversation = self._conversations.get(access, conversation_id)
        turns = self._conversations.turns(access, conversation_id)
        return {
            "format": FORMAT,
            "version": VERSION,
            "exported_at": self._clock.now().isoformat(),
            "conversation": conversation.model_dump(mode="json"),
            "turns": [_turn(turn, self._conversations.events(access, turn.id)) for turn in turns],
        }

    def markdown(self, access: Access, conversation_id: ConversationId) -> str:
        """Return the conversation as a Markdown document: questions, answers, and the sources of each answer."""
        conversation = self._conversations.get(access, conversation_id)
        parts = [f"# {line(conversation.title) or UNTITLED}", f"Exported from Pincite on {_moment(self._clock.now())}."]
        for turn in self._conversations.turns(access, conversation_id):
            parts += self._markdown_of(turn)
        return "\n\n".join(parts) + "\n"

    def _markdown_of(self, turn: Turn) -> Iterator[str]:
        yield f"## Question {turn.number}"
        yield quoted(turn.question)
        yield f"*Asked on {_moment(turn.started_at)} · {line(turn.model)}, {turn.profile.value}*"
        yield f"### Answer {turn.number}"
        ended = "" if turn.status is TurnStatus.ANSWERED else f"{turn.status.value.capitalize()}."
        if ended or turn.reason:
            yield f"*{' '.join(filter(None, (ended, line(turn.reason))))}*"
        if turn.answer.text:
            yield to_markdown(
                turn.answer, link=self._link(turn), sources=f"### Sources of answer {turn.number}"
            ).rstrip()

    def _link(self, turn: Turn) -> Link | None:
        """Return what gives the address of a citation: that of the place where the answer cites it first."""
        base = self._public_url
        if base is None:
            return None
        first: dict[int, int] = {}
        for index, mention in enumerate(turn.answer.mentions):
            first.setdefault(mention.citation, index)

        def link(citation: Citation) -> str:
            return f"{base}{MentionAddress(turn.conversation_id, turn.id, first.get(citation.number, 0)).url}"

        return link


def _turn(turn: Turn, events: Sequence[Event]) -> dict[str, Any]:
    stored = turn.model_dump(mode="json")
    more = ("number", "containers", "filters", "provider", "listing", "coverage", "cards", "started_at", "finished_at")
    return {
        **turn_values(turn, events),
        **{name: stored[name] for name in more},
        "code_runs": [event.run.model_dump(mode="json") for event in events if isinstance(event, CodeRan)],
        "transcript": stored["items"],
        "thread": stored["thread"],
    }


def _moment(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment.tzname() or 'UTC'}"


def file_name(conversation: Conversation, format_: ExportFormat) -> str:
    """Return a name for the file that every system takes: of the title only letters and digits."""
    return f"{_stem(conversation)}.{format_.value}"


def _stem(conversation: Conversation) -> str:
    letters = unicodedata.normalize("NFKD", conversation.title).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", letters)
    return "-".join(["pincite", *words])[:60].rstrip("-") if words else f"pincite-{conversation.id}"
