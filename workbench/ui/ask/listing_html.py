"""Documents as a list with its parameters, and as cards. Each opens the document; nothing here is evidence, so no amber."""

from collections.abc import Sequence
from html import escape

from workbench.domain.ids import DocumentId
from workbench.domain.listing import Coverage, ListedDocument, Listing
from workbench.ui.addresses import PageAddress
from workbench.ui.ask.trace_html import icon_html
from workbench.ui.ask.visible_text import one_line, visible
from workbench.ui.ask.wording import counted, day, left_out, listing_in_words

_NAME = 120
_TAGS = 8


def listing_html(listing: Listing, opened: DocumentId | None = None) -> str:
    """Return one page of a list under what was asked for. ``opened`` is the document that the panel shows."""
    rows = "".join(_row(item, item.id == opened) for item in listing.items)
    start = (listing.page - 1) * listing.page_size + 1
    remarks = [_sentence(listing_in_words(listing.query)), *(f"{text}." for text in left_out(listing))]
    body = f'<ol class="pc-list" start="{start}">{rows}</ol>' if rows else f"<p>{_nothing(listing)}</p>"
    return (
        f'<section class="pc-listing"><h3 class="pc-sources-title">Documents · {listing.total:,}</h3>'
        f'<p class="pc-quiet">{escape(visible(" ".join(remarks)))}</p>{body}</section>'
    )


def cards_html(cards: Sequence[ListedDocument], opened: DocumentId | None = None) -> str:
    """Return recommended documents as cards."""
    made = "".join(
        f'<article class="pc-card{" pc-opened" if card.id == opened else ""}">{_link(card)}{_title(card)}'
        f"{_tags(card)}{_facts(card)}</article>"
        for card in cards
    )
    return f'<div class="pc-cards">{made}</div>' if made else ""


def coverage_html(coverage: Coverage) -> str:
    """Return the notice that an answer rests on a part of its list only."""
    rest = coverage.matched - coverage.based_on
    if coverage.based_on:
        others = "The other one was" if rest == 1 else f"The other {rest:,} were"
    else:
        others = "It was" if rest == 1 else "They were"
    return (
        f'<div class="pc-note pc-coverage" role="note">{icon_html("filter_list")}'
        f"<div><b>{escape(_sentence(coverage.text))}</b> {others} listed and not read.</div></div>"
    )


def range_html(listing: Listing) -> str:
    """Return which documents of how many this page shows: "21-40 of 134"."""
    first = (listing.page - 1) * listing.page_size + 1
    last = first + len(listing.items) - 1
    text = f"{first:,}–{last:,} of {listing.total:,}" if listing.items else f"none of {listing.total:,}"
    return f'<div class="pc-summary">{text}</div>'


def _row(item: ListedDocument, opened: bool) -> str:
    return (
        f"<li{' class=' + chr(34) + 'pc-opened' + chr(34) if opened else ''}>"
        f"<div>{_link(item)}{_title(item)}{_tags(item)}</div>{_facts(item)}</li>"
    )


def _link(item: ListedDocument) -> str:
    href = escape(PageAddress(item.id, 1).url)
    return f'<a class="pc-document" href="{href}">{escape(one_line(item.name, _NAME))}</a>'


def _title(item: ListedDocument) -> str:
    """Return the title found in the document, where it says more than the name."""
    title = one_line(item.title, _NAME)
    return f'<div class="pc-quiet">{escape(title)}</div>' if title and title != item.name else ""


def _tags(item: ListedDocument) -> str:
    shown = [f"<span>{escape(one_line(f'{tag.key}: {tag.value}', 48))}</span>" for tag in item.tags[:_TAGS]]
    more = len(item.tags) - len(shown)
    shown += [f"<span>{more} more</span>"] if more > 0 else []
    return f'<div class="pc-tags">{"".join(shown)}</div>' if shown else ""


def _facts(item: ListedDocument) -> str:
    dated = day(item.dated) if item.dated is not None else "undated"
    return f'<div class="pc-document-facts">{dated} · {counted(item.pages, "page")}</div>'


def _nothing(listing: Listing) -> str:
    if listing.total:
        return f"The list ends before this page: it has {counted(listing.pages, 'page')}."
    return "No document matches."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
