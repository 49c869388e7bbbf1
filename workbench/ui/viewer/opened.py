"""What an address opens: a document at a page, or the evidence behind one place of an answer (CITE-9)."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.services.evidence import MentionEvidence
from workbench.ui.addresses import MentionAddress, PageAddress
from workbench.ui.session import Session
from workbench.ui.text import visible
from workbench.ui.viewer.component import Cells, Evidence, Highlight, Notice, Stop

_FLOWING = tuple(f".{kind}" for kind in "docx docm doc odt rtf md html htm eml msg txt".split())
"""Files without pages of their own: where one begins is for the program to decide that lays them out."""


class Opened(NamedTuple):
    """All that ``viewer.show`` needs, with the quote that is looked at (empty where there is none).

    ``title`` names the document as the answer names it that led here.
    """

    document: Document
    page: int
    link: str
    title: str
    highlights: Sequence[Highlight] = ()
    notices: Sequence[Notice] = ()
    cells: Sequence[Cells] | None = None
    evidence: Evidence | None = None
    quote: str = ""


def resolve(session: Session, address: PageAddress | MentionAddress) -> Opened:
    """Return what ``address`` opens, with the rights of ``session``.

    Raises NotFound for what is missing and what is forbidden alike, SourceDeleted for a document that was deleted and that
    the user could see.
    """
    return _page(session, address) if isinstance(address, PageAddress) else _mention(session, address)


def _page(session: Session, address: PageAddress) -> Opened:
    try:
        document = session.workbench.library.document(session.access, address.document_id)
    except NotFound:
        session.workbench.deletion.sources.tell(session.access, address.document_id)
        raise
    page = min(address.page, max(1, document.page_count))
    notices = _remarks(session, document)
    if address.passage is None:
        cells: list[Cells] | None = [] if session.workbench.sheets.of(session.access, document.id) else None
        link = PageAddress(document.id, page).url
        return Opened(document, page, link, visible(document.display_name), notices=notices, cells=cells)
    marked = session.workbench.passages.highlights(session.access, document.id, address.passage, address.words)
    located = [Highlight(each.page, each.boxes) for each in marked if each.boxes]
    missing = [] if located else [Notice("The passage was not located on this page. Nothing is highlighted.")]
    link = address._replace(page=page).url
    return Opened(document, page, link, visible(document.display_name), located, [*notices, *missing])


def _mention(session: Session, address: MentionAddress) -> Opened:
    found = session.workbench.highlights.of_mention(session.access, address.turn_id, address.mention)
    if found.conversation_id != address.conversation_id:
        raise NotFound("This citation does not exist.", "Open the conversation again and choose a citation there.")
    in_cells = bool(session.workbench.sheets.of(session.access, found.document.id))
    shown = found.located or (in_cells and any(cells.active for cells in found.cells))
    missing = [] if shown else [Notice(f"{found.note[:1].upper()}{found.note[1:]}. Nothing is highlighted.")]
    return Opened(
        found.document,
        found.page,
        link=address.url,
        title=visible(found.citation.name or found.document.display_name),
        highlights=_highlights(found),
        notices=[*_remarks(session, found.document), *missing],
        cells=[Cells(each.sheet, each.ranges, each.active) for each in found.cells] if in_cells else None,
        evidence=Evidence(found.index, found.count, _stops(found, address)),
        quote=found.quote,
    )


def _highlights(found: MentionEvidence) -> list[Highlight]:
    """The passage itself first, then what else the answer cites in the document."""
    return [
        Highlight(marked.page, marked.boxes, active)
        for active, pages in ((True, found.pages), (False, found.others))
        for marked in pages
        if marked.boxes
    ]


def _stops(found: MentionEvidence, address: MentionAddress) -> list[Stop]:
    return [
        Stop(
            each.index,
            address._replace(mention=each.index).url,
            each.page,
            [Highlight(marked.page, marked.boxes) for marked in each.pages if marked.boxes],
        )
        for each in found.neighbours
    ]


def _remarks(session: Session, document: Document) -> list[Notice]:
    """What a reader must know of any page of the document."""
    if not document.display_name.lower().endswith(_FLOWING):
        return _of_version(session, document)
    laid_out = "Pages as Pincite lays this file out; another program may begin them elsewhere."
    return [*_of_version(session, document), Notice(laid_out)]


def _of_version(session: Session, document: Document) -> list[Notice]:
    """Say that a replaced version is shown, and lead to the one that is searched now."""
    if document.replaced_by is None:
        return []
    newest = session.workbench.highlights.newest(session.access, document)
    name = visible(document.display_name)
    if newest is None:
        return [Notice(f"This is version {document.version} of {name}. It was replaced and is no longer searched.")]
    return [
        Notice(
            f"This is version {document.version} of {name}; a newer version exists.",
            link=PageAddress(newest.id, 1).url,
            label=f"Open version {newest.version}",
        )
    ]
