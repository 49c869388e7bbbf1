"""The sources under an answer: one row a cited page, with its quote and the search that found it."""

from collections.abc import Mapping
from html import escape

from workbench.domain.citations import Citation, CitedAnswer
from workbench.domain.documents import display_name
from workbench.ui.ask.answer_html import TurnLinks
from workbench.ui.ask.visible_text import one_line, visible
from workbench.ui.ask.wording import counted

_QUOTE = 150


def sources_html(answer: CitedAnswer, links: TurnLinks, found_by: Mapping[str, str]) -> str:
    """Return the list of cited pages, empty where nothing is cited. ``found_by`` names steps by their call ids."""
    if not answer.citations:
        return ""
    first_mention: dict[int, int] = {}
    for index, mention in enumerate(answer.mentions):
        first_mention.setdefault(mention.citation, index)
    opened = None if links.opened is None else answer.mentions[links.opened].citation
    rows = "".join(
        _row(citation, first_mention.get(citation.number), links, found_by, citation.number == opened)
        for citation in answer.citations
    )
    heading = f"Sources · {counted(len(answer.citations), 'page')}"
    return f'<section class="pc-sources"><h3 class="pc-sources-title">{heading}</h3><ol>{rows}</ol></section>'


def _row(citation: Citation, mention: int | None, links: TurnLinks, found_by: Mapping[str, str], opened: bool) -> str:
    name = f"{escape(visible(display_name(citation.document)))} <span>{escape(visible(citation.page_label))}</span>"
    if mention is not None:
        name = f'<a class="pc-source-name" href="{escape(links.href(mention))}">{name}</a>'
    quote = one_line(citation.quote, _QUOTE)
    steps = dict.fromkeys(found_by[call_id] for call_id in citation.call_ids if call_id in found_by)
    return (
        f'<li class="pc-source{" pc-source-open" if opened else ""}">'
        f'<span class="pc-number">{citation.number}</span><div>{name}'
        f' <span class="pc-quiet">· {escape(visible(citation.container))}</span>'
        + (f"<q>{escape(quote)}</q>" if quote else '<span class="pc-missing">Passage not located on this page</span>')
        + (f'<span class="pc-found">Found by {escape("; ".join(steps))}</span>' if steps else "")
        + "</div></li>"
    )
