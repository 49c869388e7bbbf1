"""Page text: the pages of a document in reading order, with the places of their words and their tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from workbench.adapters.pymupdf.columns import regions
from workbench.adapters.pymupdf.composing import Composer
from workbench.adapters.pymupdf.continued import TablesOverPages
from workbench.adapters.pymupdf.fragments import RawPage
from workbench.adapters.pymupdf.hyphens import vocabulary
from workbench.adapters.pymupdf.rows import Row, rows
from workbench.adapters.pymupdf.ruled import with_tables
from workbench.domain.pages import Bookmark, Page


def known_words(pages: Sequence[RawPage]) -> Counter[str]:
    """Count the words that stand within lines: the evidence for joining the ones that were cut."""
    return vocabulary(word.text for page in pages for piece in page.fragments for word in piece.words[:-1])


def pages_of(raw_pages: Sequence[RawPage], bookmarks: Mapping[int, Sequence[Bookmark]]) -> Iterator[Page]:
    """Yield the pages of a document, whose own words decide where hyphens stay."""
    known = known_words(raw_pages)
    tables = TablesOverPages()
    for raw in raw_pages:
        composer = _composed(raw, known)
        text = "".join(composer.parts)
        yield Page(
            number=raw.number,
            label=raw.label,
            text=text,
            width=raw.width,
            height=raw.height,
            words=tuple(composer.words),
            has_images=raw.has_images,
            ocr=raw.ocr,
            tables=tables.of_page(tuple(composer.tables()), text, composer.body),
            bookmarks=tuple(bookmarks.get(raw.number, ())),
        )


def _composed(raw: RawPage, known: Counter[str]) -> Composer:
    """Return a page's text in reading order."""
    composer = Composer(known)
    if raw.running:
        composer.running(rows(raw.running))
    for region in regions(with_tables(raw)):
        composer.region(rows(region))
    for piece in raw.fragments:
        if piece.aside:
            composer.region([Row([piece])])
    composer.finish()
    return composer
