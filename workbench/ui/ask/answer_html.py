"""The answer as HTML: Markdown from a short list of what is allowed, with a chip at every mention.

Nothing a model or a document wrote can become an element, an attribute or an address. The only links are our own, built
from ids, and the only places where foreign text meets an attribute are a chip's ``title`` and ``aria-label``, both escaped.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from workbench.domain.citations import Citation, Mention
from workbench.domain.ids import ConversationId, TurnId
from workbench.ui.addresses import MentionAddress
from workbench.ui.ask import markdown
from workbench.ui.ask.document_names import full_name, short_name
from workbench.ui.ask.visible_text import one_line, visible

QUOTE_IN_TITLE = 320

# Mentions travel through the Markdown renderer as "[" + private-use characters around the mention's index + "]". The
# text's own private-use characters are stripped first, so none can be forged; the square brackets let emphasis around a
# mention open and close as it would around the label.
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACEHOLDER = re.compile(rf"\[{_OPEN}(\d+){_CLOSE}\]")


@dataclass(frozen=True)
class TurnLinks:
    """Builds the addresses of one turn's mentions. ``opened`` is the mention that the source panel shows, if any, and
    ``step`` the step at which the trace is opened."""

    conversation_id: ConversationId
    turn_id: TurnId
    opened: int | None = None
    step: str | None = None

    def to_step(self, key: str) -> str:
        """Return the address that opens the trace at a step."""
        query = {"conversation": self.conversation_id, "turn": self.turn_id, "tab": "trace", "step": key}
        return f"/?{urlencode(query)}"

    def href(self, mention: int) -> str:
        """Return the address that opens the source of a mention, here or in another tab."""
        return MentionAddress(self.conversation_id, self.turn_id, mention).url


def answer_html(text: str, mentions: Sequence[Mention], citations: Sequence[Citation], links: TurnLinks) -> str:
    """Return the HTML of an answer, or of as much of it as has been streamed.

    ``mentions`` are offsets into ``text`` in code points; every mention's citation must be among ``citations``.
    """
    by_number = {citation.number: citation for citation in citations}
    body = markdown.render(_with_placeholders(text, mentions))

    def chip(found: re.Match[str]) -> str:
        index = int(found.group(1))
        return chip_html(index, mentions[index], by_number[mentions[index].citation], links)

    return _PLACEHOLDER.sub(chip, body)


def chip_html(index: int, mention: Mention, citation: Citation, links: TurnLinks) -> str:
    """Return the link of one mention: short title and page, the quote on hover."""
    page = visible(citation.page_label)
    name = f"{full_name(citation)} {page}"
    quote = one_line(mention.quote or citation.quote, QUOTE_IN_TITLE)
    title = f"{name}\n“{quote}”" if quote else f"{name}\nThe passage could not be located on this page."
    opened = links.opened == index
    return (
        f'<a class="pc-cite{" pc-open" if opened else ""}" href="{escape(links.href(index))}"'
        f' title="{escape(title)}" aria-label="{escape(f"Source {citation.number}: {name}")}"'
        f' data-citation="{citation.number}"{" aria-current=" + chr(34) + "true" + chr(34) if opened else ""}>'
        f"{escape(short_name(citation))} {escape(page)}</a>"
    )


def _with_placeholders(text: str, mentions: Sequence[Mention]) -> str:
    pieces: list[str] = []
    cursor = 0
    for index, mention in sorted(enumerate(mentions), key=lambda pair: pair[1].start):
        pieces += (visible(text[cursor : mention.start]), f"[{_OPEN}{index}{_CLOSE}]")
        cursor = max(cursor, mention.end)
    pieces.append(visible(text[cursor:]))
    return "".join(pieces)
