"""The ports: what the use cases need from the outside, as protocols. Adapters and the shipped fakes implement them.

Every method may be called from several threads at once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from workbench.domain.calculations import RunLimits, SandboxResult
from workbench.domain.chunks import Chunk
from workbench.domain.clients import ClientToken
from workbench.domain.conversations import Conversation, ConversationPage, Turn, Use
from workbench.domain.deletions import Attempt, Fate, ProviderObject, Receipt
from workbench.domain.documents import Container, Document
from workbench.domain.evals import EvalLog
from workbench.domain.events import Event
from workbench.domain.gaps import Gap
from workbench.domain.ids import (
    ChunkId,
    ContainerId,
    ConversationId,
    DocumentId,
    GapId,
    ReceiptId,
    RunId,
    TokenId,
    TurnId,
    UserId,
)
from workbench.domain.items import Item, ModelResponse
from workbench.domain.jobs import JobProgress, JobStatus
from workbench.domain.pages import Box, Page, ReadDocument
from workbench.domain.people import Member, User
from workbench.domain.recordings import Recording
from workbench.domain.rights import Role
from workbench.domain.scope import Scope
from workbench.domain.tables import Cell, CellKind, CellRange, CellValue, Table, TableInfo, TablePart, Workbook
from workbench.domain.values import Value

Vector = Sequence[float]


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the current time with its zone."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        ...


# --- the model -------------------------------------------------------------------------------------------------------


class ToolSpec(Value):
    """A tool as the model sees it. ``parameters`` is a strict JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class ModelRequest(Value):
    """One model call.

    ``input`` holds the new items only; ``history`` all items before them, for models that keep no state of their own.
    ``previous_response_id`` is set for models that do. ``scope`` lets the embedded model look at the user's own
    collection; remote models never see it. ``tool_calls_left`` bounds what the provider runs by itself within the response.
    """

    instructions: str
    input: tuple[Item, ...]
    history: tuple[Item, ...] = ()
    previous_response_id: str | None = None
    tools: tuple[ToolSpec, ...] = ()
    effort: str = "low"
    max_output_tokens: int = 4096
    tool_calls_left: int = 1
    scope: Scope


class ResponseStarted(NamedTuple):
    """The provider gave the response its id. It is stored at once, so that it can be deleted later."""

    response_id: str


class TextDelta(NamedTuple):
    text: str


class ResponseFinished(NamedTuple):
    response: ModelResponse


class ObjectUsed(NamedTuple):
    """The provider runs code in a container, or made a file in one. It is stored at once, so that it can be deleted later."""

    container_id: str
    file_id: str = ""


ModelEvent = ResponseStarted | TextDelta | ObjectUsed | ResponseFinished


@runtime_checkable
class Interruptible(Protocol):
    """A stream that can be ended from another thread while it blocks."""

    def interrupt(self) -> None:
        """End the stream now, whatever it waits for; it yields nothing more. More than once is harmless."""
        ...


class Model(Protocol):
    """A language model that speaks the Responses API's items.

    ``history`` is ``chain`` where the provider keeps the thread by response id, ``replay`` where each call gets it all.
    """

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str:
        """Names where the responses of this model are kept: an id of one identity means nothing to another."""
        ...

    @property
    def history(self) -> Literal["chain", "replay"]: ...

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield the events of one response; the last one is a ResponseFinished.

        Raises a ModelError where the provider fails, refuses, or ends the stream without a finished response.
        Closing the iterator ends the request. One that may block for long is :class:`Interruptible` as well.
        """
        ...

    def cost(self, response: ModelResponse) -> float | None:
        """Return the price of a response in US dollars, or None where no price is known."""
        ...


@runtime_checkable
class ProviderObjects(Protocol):
    """What one provider keeps of conversations: responses, and the containers and files of code that ran there."""

    def keeps(self, provider: str) -> bool:
        """Tell whether objects of the model of that identity are reached here."""
        ...

    def delete(self, kept: ProviderObject) -> Fate:
        """Delete an object, and look that it is gone: DELETED or ALREADY_GONE.

        Raises a PinciteError in words where that cannot be confirmed.
        """
        ...


# --- retrieval -------------------------------------------------------------------------------------------------------


class Embedder(Protocol):
    """Turns text into unit vectors. Vectors of different fingerprints are never compared."""

    @property
    def fingerprint(self) -> str:
        """Names model and weights; short, of letters, digits and dashes."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """Longer passages are cut when embedded."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]: ...

    def embed_query(self, text: str) -> Vector: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


class Scored(NamedTuple):
    """A candidate of one engine; a higher score is better, scores of two engines do not compare."""

    chunk_id: ChunkId
    score: float


class VectorRow(NamedTuple):
    chunk_id: ChunkId
    document_id: DocumentId
    vector: Vector


class VectorIndex(Protocol):
    """Vectors, one collection a container, so that a search opens only what its scope permits."""

    def upsert(self, container_id: ContainerId, rows: Sequence[VectorRow]) -> None: ...

    def query(
        self, container_id: ContainerId, vector: Vector, limit: int, documents: frozenset[DocumentId]
    ) -> list[Scored]:
        """Return at most ``limit`` chunks of ``documents``, best first, by cosine similarity. No documents, no hits."""
        ...

    def delete_document(self, container_id: ContainerId, document_id: DocumentId) -> None:
        """Remove the document's rows, those that are kept for former embedding models as well."""
        ...

    def count(self, container_id: ContainerId, document_id: DocumentId | None = None) -> int: ...

    def former(self, container_id: ContainerId, document_id: DocumentId) -> int:
        """Return how many rows of the document are kept for former embedding models; slow, where there are such."""
        ...

    def forget_other_models(self, containers: Sequence[ContainerId]) -> int:
        """Remove what is kept for other embedding models, and for other containers than these; return how many."""
        ...

    def counts(self, container_id: ContainerId) -> Mapping[DocumentId, int]:
        """Return how many rows each document of the container has, in one pass; those without are left out."""
        ...


class Reranker(Protocol):
    """Judges passages against a query one by one: slower than an index, and often better."""

    @property
    def name(self) -> str: ...

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return the relevance of each passage, from 0 to 1. Raises ConfigurationError where it cannot be loaded."""
        ...


class KeywordRow(NamedTuple):
    chunk_id: ChunkId
    document_id: DocumentId
    text: str


class KeywordIndex(Protocol):
    """Stemmed keyword search by BM25."""

    def upsert(self, container_id: ContainerId, rows: Sequence[KeywordRow]) -> None: ...

    def query(self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]) -> list[Scored]:
        """Return at most ``limit`` chunks of ``documents`` that hold a word of ``text``, best first.

        ``text`` is data: no character of it is an operator. No documents, no hits.
        """
        ...

    def phrase(
        self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]
    ) -> list[Scored]:
        """Return at most ``limit`` chunks of ``documents`` that hold the words of ``text`` in a row, in any inflection,
        best first. No words, no hits."""
        ...

    def holders(
        self, container_id: ContainerId, text: str, limit: int, documents: frozenset[DocumentId]
    ) -> list[DocumentId]:
        """Return at most ``limit`` of ``documents`` that hold the words of ``text`` in a row, in no order."""
        ...

    def vocabulary(self, container_id: ContainerId) -> Mapping[str, int]:
        """Return the words (lower case, not stemmed) of the container and in how many chunks each stands."""
        ...

    def delete_document(self, container_id: ContainerId, document_id: DocumentId) -> None: ...

    def count(self, container_id: ContainerId, document_id: DocumentId | None = None) -> int: ...

    def counts(self, container_id: ContainerId) -> Mapping[DocumentId, int]:
        """Return how many rows each document of the container has, in one pass; those without are left out."""
        ...


# --- documents -------------------------------------------------------------------------------------------------------

Progress = Callable[[int, int], None]
"""Called with the number of things done and the total."""


class DocumentReader(Protocol):
    """Reads a file's bytes into pages. The type is decided by content, never by name."""

    def read(self, data: bytes, name: str, progress: Progress) -> ReadDocument:
        """Raises a BadFile that names the file and says what to do."""
        ...


class Flow(NamedTuple):
    """A document on its way to pages: HTML without styles or scripts, cut into ``sections`` of blocks.

    A section begins on a page of its own. Those of ``slides`` stay on one page each, however long. ``body_text`` tells
    whether there is more to read than headers, footers and comments.
    """

    media_type: str
    title: str
    sections: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    slides: bool = False
    body_text: bool = True


class Converter(Protocol):
    """Reads one family of formats into marked-up text or sheets."""

    def convert(self, data: bytes, name: str) -> Flow | Workbook:
        """Raises a BadFile that names the file and says what to do."""
        ...


class PageLayout(Protocol):
    """Makes a PDF of what is not one, and reads its pages."""

    def flow(self, flow: Flow, name: str, progress: Progress) -> ReadDocument: ...

    def workbook(self, workbook: Workbook, name: str, progress: Progress) -> ReadDocument: ...

    def picture(self, data: bytes, name: str, progress: Progress) -> ReadDocument: ...

    def converted(self, pdf: bytes, name: str, progress: Progress) -> ReadDocument:
        """Read the pages of a PDF that another program made of the file."""
        ...


class Raster(NamedTuple):
    """A picture in shades of grey: ``samples`` holds a byte for each point, row by row from the top left."""

    width: int
    height: int
    samples: bytes
    dpi: int


class RecognizedWord(NamedTuple):
    """A word that was recognised in a picture. ``box`` is in points of the picture; words of one ``line`` follow each other.

    ``confidence`` is from 0 to 1.
    """

    text: str
    box: Box
    line: int
    confidence: float


class TextRecognizer(Protocol):
    """An engine of optical character recognition (OCR)."""

    @property
    def name(self) -> str:
        """Names the engine and the languages it reads, for people."""
        ...

    def recognize(self, picture: Raster, max_seconds: float) -> list[RecognizedWord]:
        """Return the words of a picture in reading order, however it is turned; none where it shows none.

        Raises NotRecognized where that takes longer than ``max_seconds``, or the engine breaks off.
        """
        ...


class PdfConverter(Protocol):
    """Another program that turns office files into PDF."""

    def pdf(self, data: bytes, extension: str, name: str) -> bytes:
        """Raises a BadFile where the program cannot convert the file, or not in time."""
        ...


class LanguageDetector(Protocol):
    def detect(self, text: str) -> str | None:
        """Return the language that most of the text is written in, as a code of ISO 639-1 ("de"); None where unsure."""
        ...


class PageImage(NamedTuple):
    data: bytes
    media_type: str


class PageRenderer(Protocol):
    """Draws pages of a canonical PDF for the viewer."""

    def image(self, pdf: Path, page: int, width: int) -> PageImage:
        """Draw the physical page (from 1) ``width`` pixels wide; raise NotFound where there is no such page.

        ``pdf`` is a file of :class:`Blobs`, named by its hash: pictures may be kept under it.
        """
        ...

    def clear(self, content_hash: str) -> None:
        """Forget the pictures of a file that is deleted; where there are none, nothing happens."""
        ...

    def kept(self, content_hash: str) -> int:
        """Return how many pictures of a file are kept."""
        ...


class Blobs(Protocol):
    """Files by the SHA-256 of their bytes, in hexadecimal."""

    def put(self, data: bytes) -> str: ...

    def path(self, content_hash: str) -> Path:
        """Return a readable local file; raise NotFound where the bytes are gone."""
        ...

    def delete(self, content_hash: str) -> None:
        """Forget the bytes; deleting what is not there is no error."""
        ...


# --- durable work ----------------------------------------------------------------------------------------------------


class JobStep(NamedTuple):
    """A named step of a kind of job. ``run`` gets the job's argument and a ``report`` of things done and their total.

    A step that was broken off is run again from its beginning, so it must come to the same result. It should call
    ``report`` often: that is where a JobInterrupted is raised when the job is cancelled or the program ends.
    """

    name: str
    run: Callable[[str, Progress], None]


class Jobs(Protocol):
    """Work in steps that goes on where it stopped after the process ended, however it ended.

    A step that finished is not run again. One that raises ends the job as failed, with the error's words. Jobs run at the
    same time up to a limit; a job never runs beside an earlier attempt of its own.
    """

    def register(self, kind: str, steps: Sequence[JobStep]) -> None:
        """Say how jobs of a kind are done. Every kind is registered before ``resume`` is called."""
        ...

    def resume(self) -> None:
        """Begin to work, with what an earlier process left. Must not be called twice."""
        ...

    def enqueue(self, kind: str, job_id: str, argument: str) -> None:
        """Queue a job; one of that id that was ever queued is left as it is.

        Raises ValueError for an unknown kind.
        """
        ...

    def retry(self, job_id: str) -> None:
        """Start a job anew that is done, failed or cancelled; raise NotFound where there is none, else do nothing."""
        ...

    def cancel(self, job_id: str) -> None:
        """End a job that is queued or running; a step at work stops at its next ``report``. Otherwise do nothing."""
        ...

    def status(self, job_id: str) -> JobStatus | None:
        """Return the newest attempt, or None where the job is unknown."""
        ...

    def progress(self, job_id: str) -> JobProgress | None:
        """Return how far a running job is, quickly; None where it does not run."""
        ...

    def jobs(self, kind: str | None = None, job_id: str | None = None, limit: int = 100) -> list[JobStatus]:
        """Return attempts, the newest first: all, those of a kind, or those of one job."""
        ...

    def wait(self, job_ids: Sequence[str], timeout: float | None = None) -> bool:
        """Wait until none of the jobs is queued or at work, at most ``timeout`` seconds; tell whether that is so.

        Also ends, with False, where ``close`` is called meanwhile.
        """
        ...

    def forget(self, job_id: str) -> None:
        """Remove every trace of a job that is not queued or running; an unknown one is no error."""
        ...

    def close(self) -> None:
        """Stop working, at the latest after the steps at work have reported; what is unfinished is resumed later."""
        ...


class TableRow(NamedTuple):
    """The cells of one row that hold something, from left to right."""

    number: int
    cells: Sequence[Cell]


class ColumnCells(NamedTuple):
    """The cells of one column in some rows, with None for each that holds nothing.

    ``kinds`` is one kind where all cells that hold something are of it. ``values`` is None where each value is the text
    itself, a number's text being that of a Decimal; ``formulas`` and ``formats`` are None where there are none.
    """

    texts: Sequence[str | None]
    kinds: CellKind | Sequence[CellKind | None]
    values: Sequence[CellValue] | None = None
    formulas: Sequence[str | None] | None = None
    formats: Sequence[str | None] | None = None


class TableEncoder(Protocol):
    """Writes rows in the form in which the table store keeps them. It runs where files are read, far from the store."""

    def part(self, rows: Sequence[int], columns: Mapping[int, ColumnCells]) -> TablePart:
        """Return following rows, at least one, as one part: their numbers, and the cells of each column in these rows."""
        ...


class TableStore(Protocol):
    """The cells of sheets and tables, by document. What a part holds is known to the encoder and the store only."""

    def save(self, document_id: DocumentId, tables: Sequence[Table]) -> None:
        """Replace all tables of the document; nobody ever sees some of them only. No tables is the same as a deletion."""
        ...

    def tables(self, document_id: DocumentId) -> list[TableInfo]:
        """The document's tables in order."""
        ...

    def rows(self, document_id: DocumentId, number: int, area: CellRange | None = None) -> Iterator[TableRow]:
        """Yield the rows of a table that hold something within ``area``, without holding more than a part in memory.

        Numbers come as exact decimals. Raises NotFound where the document has no such table.
        """
        ...

    def delete_document(self, document_id: DocumentId) -> None:
        """Forget the document's tables; deleting what is not there is no error."""
        ...

    def count(self, document_id: DocumentId) -> int:
        """The number of tables kept of the document."""
        ...


# --- the store -------------------------------------------------------------------------------------------------------


class LibraryStore(Protocol):
    """Containers, documents, their pages and chunks. Each call is one transaction."""

    def add_container(self, container: Container, members: Sequence[Member] = ()) -> None:
        """Raises NameTaken where a container of that name (case ignored) and founder exists."""
        ...

    def rename_container(self, container_id: ContainerId, name: str) -> None:
        """Raises NotFound where there is none, NameTaken as ``add_container`` does."""
        ...

    def delete_container(self, container_id: ContainerId) -> None:
        """Remove an empty container with its memberships. Raises PinciteError where it holds documents."""
        ...

    def containers(self) -> list[Container]:
        """All containers by name."""
        ...

    def members(self, container_id: ContainerId) -> list[Member]:
        """The container's members, those longest in it first."""
        ...

    def memberships(self, user_id: UserId) -> dict[ContainerId, Role]:
        """The user's role in each container that the user is a member of."""
        ...

    def change_members(self, container_id: ContainerId, change: Callable[[list[Member]], list[Member]]) -> list[Member]:
        """Replace the members by what ``change`` makes of them, all or nothing, and return them.

        No other writer comes between. What ``change`` raises is raised, and nothing is changed. Raises NotFound where there
        is no such container.
        """
        ...

    def save_document(self, document: Document) -> None:
        """Insert or replace the document's own record; pages and chunks stay."""
        ...

    def publish(self, document: Document, replaced: Sequence[DocumentId]) -> None:
        """Save the document's record and note in those of ``replaced`` that it took their place, all or nothing.

        Those that do not exist are passed over.
        """
        ...

    def document(self, document_id: DocumentId) -> Document | None: ...

    def documents(self, containers: Sequence[ContainerId]) -> list[Document]:
        """The containers' documents in every state, newest first, then by id. No containers, no documents."""
        ...

    def document_with_hash(self, container_id: ContainerId, content_hash: str) -> Document | None: ...

    def delete_document(self, document_id: DocumentId) -> None:
        """Remove the document with its pages and chunks."""
        ...

    def save_pages(self, document_id: DocumentId, pages: Sequence[Page]) -> None:
        """Replace all pages of the document."""
        ...

    def page(self, document_id: DocumentId, number: int) -> Page | None: ...

    def page_outlines(self, document_id: DocumentId) -> list[Page]:
        """All pages in order without their words and text: number, label, size."""
        ...

    def page_texts(self, document_id: DocumentId) -> list[tuple[int, str]]:
        """The number and text of every page, in order."""
        ...

    def save_chunks(self, document_id: DocumentId, chunks: Sequence[Chunk]) -> None:
        """Replace all chunks of the document."""
        ...

    def chunks(self, chunk_ids: Sequence[ChunkId]) -> list[Chunk]:
        """The chunks that exist, in the order asked for."""
        ...

    def document_chunks(self, document_id: DocumentId) -> list[Chunk]:
        """The document's chunks in order."""
        ...


class UserStore(Protocol):
    """The people known here. Each call is one transaction."""

    def save_user(self, user: User) -> None:
        """Insert or replace. Raises NameTaken where another user has the same ``key``."""
        ...

    def user(self, user_id: UserId) -> User | None: ...

    def user_with_key(self, key: str) -> User | None: ...

    def users_with_email(self, email: str) -> list[User]:
        """The users of an address, in the form of :func:`~workbench.domain.people.email_key`, the oldest first."""
        ...

    def users(self) -> list[User]:
        """All users, the oldest first."""
        ...


class TokenStore(Protocol):
    """The tokens of clients. Each call is one transaction."""

    def save_token(self, token: ClientToken) -> None:
        """Insert or replace."""
        ...

    def token(self, token_id: TokenId) -> ClientToken | None: ...

    def token_with_digest(self, digest: str) -> ClientToken | None: ...

    def tokens(self) -> list[ClientToken]:
        """All tokens, the oldest first."""
        ...


class ConversationStore(Protocol):
    """Conversations, turns and events. Each call is one transaction."""

    def save_conversation(self, conversation: Conversation) -> None: ...

    def conversation(self, conversation_id: ConversationId) -> Conversation | None: ...

    def conversations(self, user_id: UserId) -> list[Conversation]:
        """The user's conversations, the one changed last first."""
        ...

    def find_conversations(
        self, user_id: UserId, words: Sequence[str], limit: int, offset: int = 0
    ) -> ConversationPage:
        """Return a page of the user's conversations: pinned ones first, then by last use, the latest first.

        Every one of ``words`` (see :func:`~workbench.domain.conversations.search_words`) stands as it is somewhere in the
        title, a question or an answer of each; no words, all conversations.
        """
        ...

    def idle_conversations(self, before: datetime) -> list[Conversation]:
        """Return the conversations of all users that were last used before a moment, are not pinned and have no turn that
        runs; the oldest first."""
        ...

    def change_conversation(
        self, conversation_id: ConversationId, change: Callable[[Conversation], Conversation]
    ) -> Conversation | None:
        """Replace the conversation by what ``change`` makes of it, and return that; None where there is none.

        No other writer comes between, so that of two changes at once neither is lost, and none brings a deleted one back.
        """
        ...

    def delete_conversation(self, conversation_id: ConversationId) -> None:
        """Remove the conversation with its turns and events."""
        ...

    def add_turn(self, turn: Turn) -> None:
        """Add the conversation's next turn.

        Raises NotFound where there is no such conversation, StaleConversation where its next turn has another number.
        """
        ...

    def save_turn(self, turn: Turn) -> None:
        """Replace the turn's record. Raises NotFound where it was deleted."""
        ...

    def uses_since(self, user_id: UserId, start: datetime) -> list[Use]:
        """Return what the user's turns that began at ``start`` or later count for, oldest first; those of deleted
        conversations as well. No more than the last two days are known."""
        ...

    def turn(self, turn_id: TurnId) -> Turn | None: ...

    def turns(self, conversation_id: ConversationId) -> list[Turn]:
        """The turns in order of their numbers."""
        ...

    def running_turns(self) -> list[Turn]:
        """Turns whose status is still running, in any conversation."""
        ...

    def append_events(self, turn_id: TurnId, events: Sequence[Event]) -> None: ...

    def events(self, turn_id: TurnId) -> list[Event]:
        """The events in order of ``seq``."""
        ...

    def save_recording(self, turn_id: TurnId, recording: Recording) -> None:
        """Keep what the model answered in a turn, for as long as the turn is kept. Raises NotFound where it was deleted."""
        ...

    def recording(self, turn_id: TurnId) -> Recording | None:
        """What the model answered in a turn; None where that was not kept."""
        ...


class ReceiptStore(Protocol):
    """Receipts of deletions and the attempts behind them. Each call is one transaction."""

    def save_receipt(self, receipt: Receipt, attempts: Sequence[Attempt] = ()) -> None:
        """Insert or replace the receipt, and add ``attempts`` to its history, which nothing ever changes."""
        ...

    def receipt(self, receipt_id: ReceiptId) -> Receipt | None: ...

    def receipts(self, *, open_only: bool = False) -> list[Receipt]:
        """All receipts, or those with something left to do; the latest first."""
        ...

    def receipts_of(self, subjects: Sequence[str]) -> list[Receipt]:
        """The receipts in which one of these documents or conversations was deleted, the latest first."""
        ...

    def attempts(self, receipt_id: ReceiptId) -> list[Attempt]:
        """The history of a receipt, oldest first."""
        ...


class GapStore(Protocol):
    """What was looked for and not found. Each call is one transaction."""

    def add_gap(self, gap: Gap) -> None: ...

    def gaps(self) -> list[Gap]:
        """All gaps, the latest first, then by id."""
        ...

    def delete_gaps(self, gap_ids: Sequence[GapId]) -> None:
        """Forget these gaps; one that is not there is no error."""
        ...

    def gaps_of(self, conversation_id: ConversationId) -> list[Gap]:
        """The gaps that were recorded in a conversation, the latest first."""
        ...

    def delete_gaps_of(self, conversation_id: ConversationId) -> None:
        """Forget the gaps that were recorded in a conversation."""
        ...


class EvalStore(Protocol):
    """Runs of evaluation suites. Each call is one transaction."""

    def save_run(self, log: EvalLog) -> None:
        """Insert or replace a run."""
        ...

    def run(self, run_id: RunId) -> EvalLog | None: ...

    def runs(self, suite: str | None = None, limit: int = 100) -> list[EvalLog]:
        """The runs of a suite, or of all, the latest first, then by id."""
        ...

    def delete_run(self, run_id: RunId) -> None:
        """Forget a run; one that is not there is no error."""
        ...


# --- calculations ----------------------------------------------------------------------------------------------------

Scalar = str | int | float | Decimal | date | bool | None
"""A cell as the code in the sandbox gets it."""


class SandboxTable(NamedTuple):
    """A table for the code in the sandbox, which finds it as ``tables[name]``: passed as a file, however many rows."""

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Sequence[Scalar]]


class SandboxInputs(NamedTuple):
    """What the code may use: tables by name, and ``values``, plain data that become variables of these names."""

    tables: Sequence[SandboxTable] = ()
    values: Mapping[str, Any] = MappingProxyType({})


class Sandbox(Protocol):
    """Runs code that nobody has read: without network, environment, files but its inputs, or memory of other runs."""

    @property
    def name(self) -> str:
        """Names the engine, for Settings and the trace."""
        ...

    @property
    def description(self) -> str:
        """Says what the code can use, for the model that writes it. Raises SandboxUnavailable where no engine works."""
        ...

    @property
    def reason(self) -> str:
        """Says why this engine runs the code, for Settings."""
        ...

    def run(
        self, code: str, inputs: SandboxInputs, limits: RunLimits, stop: Callable[[], bool] = lambda: False
    ) -> SandboxResult:
        """Run ``code`` afresh. Whatever the code does is told in the result. Once ``stop`` returns true, the run ends.

        Raises SandboxUnavailable where the engine itself does not start.
        """
        ...

    def close(self) -> None:
        """End the processes of the engine; nothing runs after it."""
        ...
