"""``recommend``: end the turn with a message and cards of documents, which come from the library alone."""

from typing import NamedTuple

from pydantic import Field

from workbench.domain.documents import Document
from workbench.domain.events import DocumentsRecommended
from workbench.domain.ids import DocumentId
from workbench.domain.listing import listed
from workbench.domain.results import ResultType
from workbench.domain.values import Value
from workbench.services.ports import LibraryStore
from workbench.services.tools.tool import CallRejected, Ending, ToolContext, ToolResult

MOST = 20


class RecommendArguments(Value):
    message: str = Field(
        min_length=1,
        max_length=2000,
        description="Why these, in the user's language. Facts from documents need their REF here too.",
    )
    document_ids: tuple[DocumentId, ...] = Field(
        min_length=1,
        max_length=MOST,
        description=f"The documents, best first, at most {MOST}, by ids given in this turn.",
    )


class Fetched(NamedTuple):
    documents: list[Document]
    unresolved: tuple[str, ...]


class Recommend:
    name = "recommend"
    description = (
        "End the turn by recommending documents: the user sees your message and a card of each. Use it when the user asks "
        "which documents to read or use, after you have found them in this turn."
    )
    arguments = RecommendArguments

    def __init__(self, store: LibraryStore) -> None:
        self._store = store

    def fetch(self, arguments: RecommendArguments, context: ToolContext) -> Fetched:
        wanted = list(dict.fromkeys(arguments.document_ids))
        found = [self._store.document(document_id) for document_id in wanted]
        admitted = [each for each in found if each is not None and context.scope.admits(each)]
        unresolved = tuple(sorted(set(wanted) - {document.id for document in admitted}))
        if not admitted:
            raise CallRejected(
                f"None of these ids names a document in scope: {', '.join(unresolved)}.",
                "Find the documents first, and use the ids that are given.",
            )
        return Fetched(admitted, unresolved)

    def settle(self, fetched: Fetched, arguments: RecommendArguments, context: ToolContext) -> ToolResult:
        message = arguments.message.strip()
        cards = tuple(listed(document) for document in fetched.documents)
        event = DocumentsRecommended(
            call_id=context.call_id, message=message, cards=cards, unresolved=fetched.unresolved
        )
        output = f"Shown to the user: {', '.join(card.id for card in cards)}."
        if fetched.unresolved:
            output += f" Not shown, because they name no document in scope: {', '.join(fetched.unresolved)}."
        return ToolResult(output, (event,), Ending(ResultType.RECOMMENDATION, message, cards=cards))
