"""Evidence: what a citation opens. From a place in a stored answer to the page, the passage and its boxes."""

from collections.abc import Iterable, Iterator

from workbench.domain.citations import Citation, CitedAnswer
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound
from workbench.domain.ids import ConversationId, DocumentId, TurnId
from workbench.domain.pages import Box
from workbench.domain.scope import Access
from workbench.domain.tables import CellRange, read_cells
from workbench.domain.values import Value
from workbench.services.citations.highlights import Highlights, PageHighlight
from workbench.services.conversations import Conversations
from workbench.services.deletion.deleted_sources import DeletedSources
from workbench.services.library import Library


class CitedCells(Value):
    """Cells of a sheet that the answer cites; ``active`` are those of the mention that is looked at."""

    sheet: str
    ranges: tuple[CellRange, ...]
    active: bool


class Neighbour(Value):
    """Another mention of the answer whose passage stands in the same document, by its index from 0."""

    index: int
    page: int
    pages: tuple[PageHighlight, ...]


class MentionEvidence(Value):
    """The page that one mention of an answer opens; ``index`` of the answer's ``count`` mentions, from 0.

    ``pages`` marks the passage on each page it stands on, in points as displayed; ``others`` is what else the answer cites
    in this document, and ``neighbours`` the same mention by mention. ``cells`` are all cells that it cites there, where the
    document is a spreadsheet. ``located`` is False where no passage could be found, and then ``pages`` marks nothing;
    ``note`` says why, for people.
    """

    conversation_id: ConversationId
    document: Document
    citation: Citation
    index: int
    count: int
    page: int
    pages: tuple[PageHighlight, ...]
    others: tuple[PageHighlight, ...]
    neighbours: tuple[Neighbour, ...]
    cells: tuple[CitedCells, ...]
    quote: str
    located: bool
    note: str = ""


class Evidence:
    """Opens citations with the same rights as the search: who may not see the document gets the same answer as for a
    missing one. Who could see one that was deleted is told that."""

    def __init__(self, conversations: Conversations, library: Library, deleted: DeletedSources) -> None:
        self._conversations = conversations
        self._library = library
        self._deleted = deleted

    def of_mention(self, access: Access, turn_id: TurnId, index: int) -> MentionEvidence:
        """Return what mention number ``index`` (from 0) of a turn's answer opens.

        Raises NotFound where there is none, SourceDeleted where its document was deleted.
        """
        turn = self._conversations.turn(access, turn_id)
        answer = turn.answer
        if not 0 <= index < len(answer.mentions):
            raise NotFound("This answer has no such citation.", "Open the conversation and choose a citation in it.")
        mention = answer.mentions[index]
        citation = answer.citation(mention.citation)
        try:
            document = self._library.document(access, citation.document_id)
        except NotFound:
            self._deleted.tell(access, citation.document_id, citation.document)
            raise
        cited = self._library.pages(access, document.id, _cited_pages(answer, document.id))
        highlights = Highlights(lambda _, number: cited.get(number))
        pages = tuple(highlights.of_mention(answer, mention))
        located = any(marked.boxes for marked in pages)
        return MentionEvidence(
            conversation_id=turn.conversation_id,
            document=document,
            citation=citation,
            index=index,
            count=len(answer.mentions),
            page=mention.spans[0].page if mention.spans else citation.page,
            pages=pages,
            others=tuple(_without(highlights.for_answer(answer, document.id), pages)),
            neighbours=tuple(_neighbours(highlights, answer, index)),
            cells=tuple(_cells(answer, citation)),
            quote=mention.quote,
            located=located,
            note="" if located else pages[0].note,
        )

    def newest(self, access: Access, document: Document) -> Document | None:
        """Return the version that is searched instead of a replaced ``document``, or None where there is none."""
        if document.replaced_by is None:
            return None
        versions = [each for each in self._library.versions(access, document.id) if each.version > document.version]
        return next((each for each in versions if each.searchable), None)


def _cited_pages(answer: CitedAnswer, document_id: DocumentId) -> set[int]:
    """The pages of one document that the answer cites, all of them read at once."""
    numbers: set[int] = set()
    for mention in answer.mentions:
        citation = answer.citation(mention.citation)
        if citation.document_id == document_id:
            numbers |= {citation.page, *(span.page for span in mention.spans)}
    return numbers


def _neighbours(highlights: Highlights, answer: CitedAnswer, index: int) -> Iterator[Neighbour]:
    document_id = answer.citation(answer.mentions[index].citation).document_id
    for other, mention in enumerate(answer.mentions):
        if other != index and mention.spans and answer.citation(mention.citation).document_id == document_id:
            pages = tuple(highlights.of_mention(answer, mention))
            yield Neighbour(index=other, page=mention.spans[0].page, pages=pages)


def _cells(answer: CitedAnswer, looked_at: Citation) -> Iterator[CitedCells]:
    """The cells that the answer cites in one document, told by its labels: those hold sheet and cells, also of rows that no
    page shows."""
    for citation in answer.citations:
        named = read_cells(citation.page_label) if citation.document_id == looked_at.document_id else None
        if named is not None:
            yield CitedCells(sheet=named.sheet, ranges=named.ranges, active=citation.number == looked_at.number)


def _without(highlights: Iterable[PageHighlight], marked: Iterable[PageHighlight]) -> Iterable[PageHighlight]:
    """Leave out the boxes that are marked already, and the pages where none are left."""
    taken: dict[int, set[Box]] = {each.page: set(each.boxes) for each in marked}
    for each in highlights:
        boxes = tuple(box for box in each.boxes if box not in taken.get(each.page, ()))
        if boxes:
            yield each.model_copy(update={"boxes": boxes})
