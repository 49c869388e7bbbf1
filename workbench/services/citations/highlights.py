"""Highlights: where the passages behind an answer stand on the pages of their documents."""

from collections.abc import Callable

from workbench.domain.chunks import Segment
from workbench.domain.citations import CitedAnswer, Mention
from workbench.domain.ids import DocumentId
from workbench.domain.pages import Box, Page, boxes_for
from workbench.domain.values import Value

NOT_LOCATED = "passage not located on this page"


class PageHighlight(Value):
    """The boxes to mark on one page, in points as displayed. Where there are none, ``note`` says why, for people."""

    page: int
    boxes: tuple[Box, ...] = ()
    note: str = ""


class Highlights:
    """Finds the boxes of what an answer cites.

    ``page`` returns a page of a document (counted from 1), or None where it is gone.
    """

    def __init__(self, page: Callable[[DocumentId, int], Page | None]) -> None:
        self._page = page

    def of_mention(self, answer: CitedAnswer, mention: Mention) -> list[PageHighlight]:
        """Return one highlight for each page of the mention's passage; at least one, with a note where nothing is marked."""
        citation = answer.citation(mention.citation)
        if not mention.spans:
            return [PageHighlight(page=citation.page, note=NOT_LOCATED)]
        return [
            self._on_page(
                citation.document_id, number, [(span, mention.quote) for span in mention.spans if span.page == number]
            )
            for number in sorted({span.page for span in mention.spans})
        ]

    def for_answer(self, answer: CitedAnswer, document_id: DocumentId) -> list[PageHighlight]:
        """Return everything the answer cites in one document, page by page."""
        pages: dict[int, dict[tuple[Segment, str], None]] = {}
        for mention in answer.mentions:
            citation = answer.citation(mention.citation)
            if citation.document_id != document_id:
                continue
            pages.setdefault(citation.page, {})
            for span in mention.spans:
                pages.setdefault(span.page, {})[span, mention.quote] = None
        return [self._on_page(document_id, number, list(pages[number])) for number in sorted(pages)]

    def _on_page(self, document_id: DocumentId, number: int, spans: list[tuple[Segment, str]]) -> PageHighlight:
        page = self._page(document_id, number)
        if page is None:
            return PageHighlight(page=number, note=f"page {number} of this document is no longer stored")
        # Offsets only mean something in the text they were taken from: a page read anew may have moved under them.
        valid = [span for span, quote in spans if (found := page.text[span.start : span.end]) and found in quote]
        if spans and not valid:
            return PageHighlight(page=number, note="the text of this page has changed since the answer was given")
        boxes = dict.fromkeys(box for span in valid for box in boxes_for(page, span.start, span.end))
        return PageHighlight(page=number, boxes=tuple(boxes), note="" if boxes else NOT_LOCATED)
