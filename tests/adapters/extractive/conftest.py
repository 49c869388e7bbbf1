"""A small library written by hand, and a desk that runs turns against it the way the loop does."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

from workbench.adapters.extractive.model import ExtractiveModel
from workbench.domain.chunks import Chunk, Segment
from workbench.domain.citations import Source
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import ChunkId, ContainerId, DocumentId, UserId, ref
from workbench.domain.items import AssistantMessage, FunctionCall, FunctionCallOutput, Item, UserMessage
from workbench.domain.scope import Access, Scope, build_scope
from workbench.domain.sources import SourceBlock, format_blocks, parse_blocks
from workbench.domain.tags import Tag
from workbench.services.ports import ModelRequest, ResponseFinished, ResponseStarted, TextDelta, ToolSpec
from workbench.services.retrieval.notions import notions_of, wording
from workbench.services.tools.ask_user import AskUserArguments
from workbench.services.tools.find_documents import FindArguments
from workbench.services.tools.read_page import ReadPageArguments
from workbench.services.tools.rewrite_query import RewriteArguments
from workbench.services.tools.search_documents import SearchArguments

ARGUMENTS = {
    "rewrite_query": RewriteArguments,
    "search_documents": SearchArguments,
    "find_documents": FindArguments,
    "read_page": ReadPageArguments,
    "ask_user": AskUserArguments,
}
BOX = ContainerId("contracts")


class WordEmbedder:
    """Unit vectors of hashed words: texts that share words are near."""

    fingerprint = "hashed-words"
    dimensions = 256
    max_tokens = 256

    def embed_query(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in re.findall(r"[a-z]{3,}", text.lower()):
            digest = hashlib.sha256(word[:6].encode()).digest()
            vector[int.from_bytes(digest[:4], "big") % self.dimensions] += 1.0
        length = math.sqrt(sum(value * value for value in vector)) or 1.0
        return [value / length for value in vector]

    def embed_passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [self.embed_query(text) for text in texts]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class Book:
    """One document of the library: its passages by page."""

    def __init__(self, name: str, passages: Sequence[tuple[int, str]], dated: date | None = None, **tags: str) -> None:
        self.passages = passages
        self.document = Document(
            id=DocumentId(name.removesuffix(".pdf")),
            container_id=BOX,
            name=name,
            tags=tuple(Tag(key=key.replace("_", " "), value=value) for key, value in tags.items()),
            dated=dated,
            state=DocumentState.READY,
            page_count=max(page for page, _ in passages),
            uploaded_at=datetime(2026, 1, 5, tzinfo=UTC),
        )


class Desk:
    """Runs turns: calls the model, answers its calls from the books, and keeps the transcript as the loop does."""

    def __init__(self, books: Sequence[Book], *, per_search: int = 4, tools: Sequence[str] = tuple(ARGUMENTS)) -> None:
        self.books = list(books)
        self.per_search = per_search
        self.model = ExtractiveModel(
            WordEmbedder(), lambda _: [b.document for b in self.books], lambda _: self.vocabulary
        )
        self.tools = tuple(ToolSpec(name=name, description="", parameters={}) for name in tools)
        self.scope: Scope = build_scope(Access(user_id=UserId("u"), containers=frozenset({BOX})), [BOX])
        self.items: list[Item] = []
        self.asked: str | None = None
        self.batches: list[tuple[FunctionCall, ...]] = []
        self.given: dict[str, SourceBlock] = {}
        self.model_calls = 0

    @property
    def vocabulary(self) -> Mapping[str, int]:
        return Counter(
            word for b in self.books for _, text in b.passages for word in re.findall(r"[a-z]+", text.lower())
        )

    def ask(self, question: str) -> str:
        """Run one turn and return the answer, or the question that was put to the user."""
        new: list[Item] = [UserMessage(text=question)]
        if self.asked is not None:
            new = [FunctionCallOutput(call_id=self.asked, output=f"The user replied: {question}")]
        self.asked, self.batches, self.given, self.model_calls = None, [], {}, 0
        while True:
            self.model_calls += 1
            assert self.model_calls <= 4, "the turn does not end"
            output = self._respond(new)
            calls = tuple(item for item in output if isinstance(item, FunctionCall))
            self.items += [*new, *output]
            if not calls:
                return "".join(item.text for item in output if isinstance(item, AssistantMessage))
            self.batches.append(calls)
            if calls[0].name == "ask_user":
                self.asked = calls[0].call_id
                return str(json.loads(calls[0].arguments)["question"])
            new = [FunctionCallOutput(call_id=call.call_id, output=self._run(call)) for call in calls]

    def request(self, new: Sequence[Item]) -> ModelRequest:
        return ModelRequest(
            instructions="", input=tuple(new), history=tuple(self.items), tools=self.tools, scope=self.scope
        )

    def _respond(self, new: Sequence[Item]) -> tuple[Item, ...]:
        events = list(self.model.stream(self.request(new)))
        assert isinstance(events[0], ResponseStarted)
        finished = events[-1]
        assert isinstance(finished, ResponseFinished)
        assert finished.response.id == events[0].response_id
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == finished.response.text
        return finished.response.output

    def _run(self, call: FunctionCall) -> str:
        arguments = ARGUMENTS[call.name].model_validate_json(call.arguments, strict=True)
        if isinstance(arguments, SearchArguments):
            return self._search(arguments)
        if isinstance(arguments, FindArguments):
            return f"DOCUMENTS: {len(self.books)} in all, page 1 of 1, newest"
        if isinstance(arguments, ReadPageArguments):
            book = next(book for book in self.books if book.document.id == arguments.document_id)
            text = "\n\n".join(text for page, text in book.passages if page == arguments.page)
            return self._give([(book, arguments.page, text)]) if text else "The call failed: there is no such page."
        return "Rewritten."

    def _search(self, arguments: SearchArguments) -> str:
        asked = f"{arguments.query} {wording(notions_of(arguments.query))}"  # as the real search does
        wanted = set(re.findall(r"[a-z]{4,}", asked.lower()))
        filters = arguments.filters(date(2026, 1, 5))
        found = []
        for book in self.books:
            if filters is not None and not filters.admits(book.document):
                continue
            for page, text in book.passages:
                hits = len(wanted & set(re.findall(r"[a-z]{4,}", text.lower())))
                if hits and text not in {block.content for block in self.given.values()}:
                    found.append((-hits, book.document.name, page, text, book))
        found.sort(key=lambda hit: hit[:4])
        blocks = self._give([(book, page, text) for *_, page, text, book in found[: self.per_search]])
        return blocks or "NOTE: Nothing in scope comes close to this query."

    def _give(self, hits: Sequence[tuple[Book, int, str]]) -> str:
        sources = []
        for number, (book, page, text) in enumerate(hits, len(self.given) + 1):
            chunk = Chunk(
                id=ChunkId(f"{book.document.id}:{page}:{number}"),
                document_id=book.document.id,
                container_id=BOX,
                ordinal=number,
                text=text,
                segments=(Segment(page=page, start=0, end=len(text)),),
            )
            sources.append(Source(ref=ref(number), chunk=chunk, title=book.document.name, container="Contracts"))
        text = format_blocks(sources)
        self.given |= {block.ref: block for block in parse_blocks(text)}
        return text

    def calls(self, name: str) -> list[dict[str, object]]:
        """The arguments of this turn's calls of one tool, in order."""
        return [json.loads(call.arguments) for batch in self.batches for call in batch if call.name == name]


HALDEN = Book(
    "halden_msa.pdf",
    [
        (
            1,
            (
                "MASTER SERVICES AGREEMENT\n\nThis Agreement is made on 4 March 2023 between Brightwater Foods plc"
                " and Halden Freight"
                " GmbH, a company under German law (together the “Parties”)."
            ),
        ),
        (
            3,
            (
                "5. Payment. The Customer shall pay each undisputed invoice within thirty (30) days\nof its receipt."
                " Overdue amounts"
                " bear interest at 4 % per annum."
            ),
        ),
        (
            5,
            (
                "9. Liability. Neither party's aggregate liability under this Agreement shall exceed EUR 500,000 in"
                " any contract"
                " year."
            ),
        ),
        (
            6,
            (
                "11. Term. This Agreement continues for three years. It shall automatically renew for successive"
                " terms of one year"
                " unless either party gives written notice of non-renewal at least ninety (90) days before the end"
                " of the term."
            ),
        ),
        (7, "14. Governing Law. This Agreement is governed by and construed in accordance with the laws of Germany."),
    ],
    date(2023, 3, 4),
    supplier="Halden Freight GmbH",
    document_type="contract",
    region="Europe",
)
HALDEN_AMENDMENT = Book(
    "halden_amendment_1.pdf",
    [
        (1, "FIRST AMENDMENT\n\nThis Amendment changes the Master Services Agreement of 4 March 2023."),
        (
            2,
            (
                "2. Liability. In Clause 9 the aggregate liability of either party shall not exceed EUR 750,000 in"
                " any contract"
                " year."
            ),
        ),
    ],
    date(2024, 6, 1),
    supplier="Halden Freight GmbH",
    document_type="amendment",
    region="Europe",
)
CORVID = Book(
    "corvid_cloud.pdf",
    [
        (
            1,
            (
                "HOSTING AGREEMENT\n\nThis Agreement is entered into as of 12 May 2022 between Brightwater Foods plc"
                " and Corvid Data"
                " Ltd."
            ),
        ),
        (2, "4. Invoices. All invoices are due and payable within 45 days of the invoice date."),
        (
            4,
            (
                "7. Limitation. The total liability of the Provider is limited to the fees paid in the preceding"
                " twelve months."
            ),
        ),
        (5, "8. Service levels. The Provider shall keep the platform available for 99.9 % of each calendar month."),
        (6, "12. Law. This Agreement shall be construed in accordance with the laws of England and Wales."),
    ],
    date(2022, 5, 12),
    supplier="Corvid Data Ltd",
    document_type="contract",
    region="Britain",
)
MERIDIAN = Book(
    "meridian_cleaning.pdf",
    [
        (
            1,
            (
                "SERVICES AGREEMENT\n\nThis Agreement is made on 1 February 2024 by and between Brightwater Foods"
                " plc and Meridian"
                " Hygiene S.A."
            ),
        ),
        (2, "3. Payment. Payment is due net 60 days from receipt of a correct invoice."),
        (3, "6. Term. The initial term is two years and may be extended by written agreement of the parties."),
    ],
    date(2024, 2, 1),
    supplier="Meridian Hygiene S.A.",
    document_type="contract",
    region="Europe",
)
TOLLAN = Book(
    "tollan_packaging.pdf",
    [(2, "4. Payment. The Buyer shall pay invoices within fourteen (14) days of delivery.")],
    date(2021, 9, 9),
    supplier="Tollan Pack AB",
    document_type="contract",
    region="Europe",
)


LIBRARY = {book.document.id: book for book in (HALDEN, HALDEN_AMENDMENT, CORVID, MERIDIAN, TOLLAN)}
THREE_SUPPLIERS = ("halden_msa", "halden_amendment_1", "corvid_cloud", "meridian_cleaning")


@pytest.fixture
def open_desk() -> Callable[..., Desk]:
    """Opens a desk over some books of the library, or over passages given as name -> [(page, text)]."""

    def opened(*names: str, passages: Mapping[str, Sequence[tuple[int, str]]] | None = None, **options: Any) -> Desk:
        books = [LIBRARY[DocumentId(name)] for name in names]
        books += [Book(name, texts) for name, texts in (passages or {}).items()]
        return Desk(books, **options)

    return opened


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    """A talk over three suppliers, one of them with an amendment."""
    return open_desk(*THREE_SUPPLIERS)


@pytest.fixture
def wide_desk(open_desk: Callable[..., Desk]) -> Desk:
    """The same with a fourth supplier."""
    return open_desk(*THREE_SUPPLIERS, "tollan_packaging")


@pytest.fixture
def documents() -> list[Document]:
    """The documents of the three suppliers."""
    return [LIBRARY[DocumentId(name)].document for name in THREE_SUPPLIERS]


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()
