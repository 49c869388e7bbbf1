"""Passages as cards. Amber marks the words that were looked for, and nothing else; whatever others wrote is text."""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from workbench.domain.events import Stage
from workbench.domain.finding import Place
from workbench.domain.listing import ListedDocument
from workbench.services.passages.found import CutPassage, Found, Passage
from workbench.ui.addresses import PageAddress
from workbench.ui.ask.visible_text import one_line, visible
from workbench.ui.ask.wording import counted, day

_NAME = 120
_TAGS = 6
_WORDS = 6


def results_html(found: Found, opened: PageAddress | None) -> str:
    """Return one page of passages, under their documents where they are grouped. ``opened`` is the one open beside them."""
    start = (found.query.page - 1) * found.query.page_size + 1
    if not found.query.grouped:
        cards = "".join(_card(passage, opened, named=True) for passage in found.passages)
        return f'<ol class="pc-results" start="{start}">{cards}</ol>'
    groups = groupby(found.passages, key=lambda passage: passage.document.id)
    return "".join(_group(list(passages), opened) for _, passages in groups)


def summary_html(found: Found) -> str:
    """Return how much was found, in what, and which part this page shows."""
    if not found.total:
        return ""
    first = (found.query.page - 1) * found.query.page_size + 1
    last = first + len(found.passages) - 1
    part = f"{first}–{last} of " if found.pages > 1 and found.passages else ""
    where = f"in {counted(len(found.documents), 'document')} of {found.searched:,} searched"
    return f'<p class="pc-quiet pc-results-summary" role="status">{part}{counted(found.total, "passage")} {where}</p>'


def notes_html(notes: Sequence[str]) -> str:
    return "".join(f'<p class="pc-quiet">{escape(visible(note))}</p>' for note in notes)


def cut_html(found: Found) -> str:
    """Return how the search went, what was left out and why, to be opened on demand."""
    left_out = max(0, found.candidates - found.total)
    if not found.candidates:
        return ""
    rows = "".join(_cut(each) for each in found.cut)
    steps = "".join(f"<li>{escape(visible(_stage(stage)))}</li>" for stage in found.stages)
    more = left_out - len(found.cut)
    rest = f'<p class="pc-quiet">and {more:,} more</p>' if more > 0 else ""
    return (
        f'<details class="pc-left-out"><summary>How this was searched · {counted(left_out, "candidate")} left out</summary>'
        f"<ul>{steps}</ul><table><tbody>{rows}</tbody></table>{rest}</details>"
    )


def _stage(stage: Stage) -> str:
    return f"{stage.name}: {stage.left:,} left{f', {stage.note}' if stage.note else ''}"


def _cut(each: CutPassage) -> str:
    return (
        f"<tr><td>{escape(one_line(each.document, 60))} {escape(visible(each.pages))}</td>"
        f'<td>{escape(visible(each.reason))}</td><td class="pc-score">{each.score:.2f}</td></tr>'
    )


def _group(passages: Sequence[Passage], opened: PageAddress | None) -> str:
    first = passages[0]
    cards = "".join(_card(passage, opened, named=False) for passage in passages)
    heading = "A document that is no longer found" if first.gone else escape(one_line(first.document.name, _NAME))
    facts = "" if first.gone else _facts(first.document, first.container)
    return f'<section class="pc-result-group"><h3>{heading}</h3>{facts}<ol class="pc-results">{cards}</ol></section>'


def _card(passage: Passage, opened: PageAddress | None, *, named: bool) -> str:
    if passage.gone:
        return (
            '<li class="pc-result pc-result-gone">This passage can no longer be opened: its document was deleted, hidden or'
            " replaced since the search ran.</li>"
        )
    address = PageAddress(passage.document.id, passage.page, passage.ordinal, passage.found_by)
    is_open = opened is not None and (opened.document_id, opened.passage) == (address.document_id, address.passage)
    name = one_line(passage.document.name, _NAME)
    pages = escape(visible(passage.pages))
    shown = f'{escape(name)} <span class="pc-result-page">{pages}</span>' if named else pages
    return (
        f'<li class="pc-result{" pc-result-open" if is_open else ""}">'
        f'<a class="pc-result-name" href="{escape(address.url)}" title="Open at {pages}"'
        f' aria-label="{escape(f"Open {name} at {visible(passage.pages)}")}"'
        f"{' aria-current=' + chr(34) + 'true' + chr(34) if is_open else ''}>{shown}</a>"
        + (_facts(passage.document, passage.container) if named else "")
        + f'<p class="pc-excerpt">{marked(passage.excerpt, passage.places, passage.also_places)}</p>{_why(passage)}</li>'
    )


def marked(text: str, places: Sequence[Place], also: Sequence[Place] = ()) -> str:
    """Return ``text`` with its places marked; those of ``also`` more quietly."""
    pieces: list[str] = []
    cursor = 0
    quiet = frozenset(also)
    for place in sorted((*places, *also)):
        opening = '<mark class="pc-also">' if place in quiet else "<mark>"
        pieces += (escape(visible(text[cursor : place.start])), opening, escape(visible(text[place.start : place.end])))
        pieces.append("</mark>")
        cursor = place.end
    return "".join([*pieces, escape(visible(text[cursor:]))])


def _facts(document: ListedDocument, container: str) -> str:
    parts = [one_line(container, 60), day(document.dated) if document.dated else "undated"]
    tags = [f"<span>{escape(one_line(f'{tag.key}: {tag.value}', 48))}</span>" for tag in document.tags[:_TAGS]]
    more = len(document.tags) - len(tags)
    tags += [f"<span>{more} more</span>"] if more > 0 else []
    return (
        f'<div class="pc-result-facts"><i>{escape(" · ".join(part for part in parts if part))}</i>'
        f'<span class="pc-tags">{"".join(tags)}</span></div>'
    )


def _why(passage: Passage) -> str:
    parts = [
        f"{how}: {', '.join(one_line(word, 24) for word in words[:_WORDS])}"
        for how, words in (("By words", passage.words), ("By its usual wording", passage.also))
        if words
    ]
    why = escape(" · ".join(parts) or "By meaning: it holds none of the words")
    return f'<div class="pc-why">{why} · score <span class="pc-score">{passage.score:.2f}</span></div>'
