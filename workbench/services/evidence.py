"""Evidence: what a citation opens. From a place in a stored answer to the page, the passage and its boxes."""

from workbench.domain.citations import Citation
from workbench.domain.errors import NotFound
from workbench.domain.ids import DocumentId, TurnId
from workbench.domain.scope import Access
from workbench.domain.values import Value
from workbench.services.citations.highlights import Highlights, PageHighlight
from workbench.services.conversations import Conversations
from workbench.services.deletion.deleted_sources import DeletedSources
from workbench.services.library import Library


class MentionEvidence(Value):
    """The page that one mention of an answer opens.

    ``pages`` marks the passage on each page it stands on, in points as displayed. ``located`` is False where no passage
    could be found, and then nothing is marked.
    """

    document_id: DocumentId
    citation: Citation
    page: int
    pages: tuple[PageHighlight, ...]
    quote: str
    located: bool


class Evidence:
    """Opens citations with the same rights as the search: who may not see the document gets the same answer as for a
    missing one. Who could see one that was deleted is told that."""

    def __init__(self, conversations: Conversations, library: Library, deleted: DeletedSources) -> None:
        self._conversations = conversations
        self._library = library
        self._deleted = deleted

    def of_mention(self, access: Access, turn_id: TurnId, index: int) -> MentionEvidence:
        """Return what mention number ``index`` (from 0) of a turn's answer opens; raise NotFound where there is none."""
        turn = self._conversations.turn(access, turn_id)
        if not 0 <= index < len(turn.answer.mentions):
            raise NotFound("This answer has no such citation.", "Open the conversation and choose a citation in it.")
        mention = turn.answer.mentions[index]
        citation = turn.answer.citation(mention.citation)
        try:
            document = self._library.document(access, citation.document_id)
        except NotFound:
            self._deleted.tell(access, citation.document_id, citation.document)
            raise
        highlights = Highlights(lambda document_id, number: self._library.page(access, document_id, number))
        return MentionEvidence(
            document_id=document.id,
            citation=citation,
            page=mention.spans[0].page if mention.spans else citation.page,
            pages=tuple(highlights.of_mention(turn.answer, mention)),
            quote=mention.quote,
            located=bool(mention.spans),
        )
