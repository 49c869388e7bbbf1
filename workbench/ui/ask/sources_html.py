"""The sources under an answer: one row a cited page, with its quote and the search that found it."""

from collections.abc import Mapping
from datetime import datetime
from html import escape

from workbench.domain.citations import Citation, CitedAnswer
from workbench.domain.ids import DocumentId
from workbench.ui.ask.answer_html import TurnLinks
from workbench.ui.ask.document_names import full_name
from workbench.ui.ask.visible_text import one_line, visible
from workbench.ui.ask.wording import counted

_QUOTE = 150


def sources_html(
    answer: CitedAnswer,
    links: TurnLinks,
    found_by: Mapping[str, str],
    deleted: Mapping[DocumentId, datetime] | None = None,
) -> str:
    """Return the list of cited pages, empty where nothing is cited. ``found_by`` names steps by their call ids.

    What found them is said once where it is the same for all, and in each row where it is not. ``deleted`` tells when a
    document was deleted.
    """
    if not answer.citations:
        return ""
    first_mention: dict[int, int] = {}
    for index, mention in enumerate(answer.mentions):
        first_mention.setdefault(mention.citation, index)
    opened = None if links.opened is None else answer.mentions[links.opened].citation
    steps = {citation.number: _steps(citation, found_by, links) for citation in answer.citations}
    shared = steps[1] if len(steps) > 1 and len(set(steps.values())) == 1 else ""
    rows = "".join(
        _row(
            citation,
            first_mention.get(citation.number),
            links,
            found="" if shared else steps[citation.number],
            opened=citation.number == opened,
            deleted=(deleted or {}).get(citation.document_id),
        )
        for citation in answer.citations
    )
    heading = f"Sources · {counted(len(answer.citations), 'page')}"
    return (
        f'<section class="pc-sources" data-turn="{escape(links.turn_id)}"><h3 class="pc-sources-title">{heading}</h3>'
        + (_found(f"All found by {shared}") if shared else "")
        + f"<ol>{rows}</ol></section>"
    )


def _steps(citation: Citation, found_by: Mapping[str, str], links: TurnLinks) -> str:
    """Return what found the citation, as links to the steps of the trace."""
    return "; ".join(
        f'<a class="pc-step-link" href="{escape(links.to_step(call_id))}" title="Open the trace at this step">'
        f"{escape(found_by[call_id])}</a>"
        for call_id in dict.fromkeys(citation.call_ids)
        if call_id in found_by
    )


def _found(html: str) -> str:
    return f'<span class="pc-found">{html}</span>'


def _row(
    citation: Citation,
    mention: int | None,
    links: TurnLinks,
    *,
    found: str,
    opened: bool,
    deleted: datetime | None,
) -> str:
    name = f"{escape(full_name(citation))} <span>{escape(visible(citation.page_label))}</span>"
    if mention is not None:
        name = f'<a class="pc-source-name" href="{escape(links.href(mention))}">{name}</a>'
    quote = one_line(citation.quote, _QUOTE)
    there = "" if deleted else f' data-document="{escape(citation.document_id)}" data-page="{citation.page}"'
    return (
        f'<li class="pc-source{" pc-source-open" if opened else ""}" data-number="{citation.number}"{there}>'
        f'<span class="pc-number">{citation.number}</span><div>{name}'
        f' <span class="pc-quiet">· {escape(visible(citation.container))}</span>'
        + (f' <span class="pc-missing">deleted on {deleted.day} {deleted:%B %Y}</span>' if deleted else "")
        + (f"<q>{escape(quote)}</q>" if quote else '<span class="pc-missing">Passage not located on this page</span>')
        + (_found(f"Found by {found}") if found else "")
        + "</div></li>"
    )
