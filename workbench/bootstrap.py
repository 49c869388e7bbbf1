"""The composition root: the only place that knows which adapter implements which port."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from filelock import FileLock, Timeout

from workbench import __version__
from workbench.adapters.blobs.local import LocalBlobs
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.clock import SystemClock
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.extractive.model import ExtractiveModel
from workbench.adapters.extractive.objects import NothingKept
from workbench.adapters.jobs.dbos_jobs import DbosJobs
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.adapters.language.detector import LangidDetector
from workbench.adapters.pymupdf.renderer import PyMuPdfRenderer
from workbench.adapters.reranking.cross_encoder import CrossEncoderReranker
from workbench.adapters.sandbox.choice import Engine, open_sandbox
from workbench.adapters.sandbox.lazy import LazySandbox
from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.evals import SqlEvalStore
from workbench.adapters.sql.gaps import SqlGapStore
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.adapters.sql.receipts import SqlReceiptStore
from workbench.adapters.sql.tokens import SqlTokenStore
from workbench.adapters.sql.users import SqlUserStore
from workbench.adapters.tables.store import ParquetTables
from workbench.adapters.worker.reader import WorkerReader
from workbench.domain.errors import ConfigurationError, DataDirectoryBusy
from workbench.domain.evals import Versions
from workbench.domain.ids import ConversationId, DocumentId, UserId
from workbench.domain.people import LOCAL_USER as LOCAL_USER  # noqa: PLC0414 - for whoever builds a workbench
from workbench.domain.provider import ProbeResult
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access, Scope
from workbench.reading import worker_reader
from workbench.services.agent.prompt import load_prompt
from workbench.services.agent.rates import Rates
from workbench.services.agent.tool_calls import ToolCalls
from workbench.services.agent.turns import Turns
from workbench.services.calculations import SWITCHED_OFF, Calculations
from workbench.services.clients import Clients
from workbench.services.conversations import Conversations
from workbench.services.deletion.conversations import ConversationPlan
from workbench.services.deletion.deletion import Deletion
from workbench.services.deletion.documents import DocumentPlan
from workbench.services.evals.datasets import Suites
from workbench.services.evals.evals import Evals, Models
from workbench.services.evals.prepare import SuiteLibrary
from workbench.services.evals.replay import Replay
from workbench.services.evals.runner import Runner
from workbench.services.evidence import Evidence
from workbench.services.export import ConversationExport
from workbench.services.finding import Finder
from workbench.services.gaps import Gaps
from workbench.services.ingestion.jobs import Ingestion
from workbench.services.ingestion.recontext import Recontext
from workbench.services.labels import Labels
from workbench.services.library import Library
from workbench.services.listing import Listings
from workbench.services.passages.search import PassageSearch
from workbench.services.people import People
from workbench.services.ports import (
    Blobs,
    Clock,
    ConversationStore,
    DocumentReader,
    Embedder,
    EvalStore,
    GapStore,
    Jobs,
    KeywordIndex,
    LanguageDetector,
    LibraryStore,
    Model,
    PageRenderer,
    ProviderObjects,
    ReceiptStore,
    Reranker,
    Sandbox,
    TableStore,
    TokenStore,
    UserStore,
    VectorIndex,
)
from workbench.services.retention import Retention
from workbench.services.retrieval.languages import Languages
from workbench.services.retrieval.ranking import Cutoff
from workbench.services.retrieval.reindex import Reindex
from workbench.services.retrieval.search import Search
from workbench.services.sheets import Sheets
from workbench.services.tagging import Tagging
from workbench.services.tools.registry import ToolRegistry
from workbench.settings import History, Provider, Reasoning, RunsCode, Settings

if TYPE_CHECKING:
    from workbench.adapters.openai_responses.client import Connection

log = logging.getLogger(__name__)

PACKAGED_LANGUAGES = frozenset({"en"})
"""What the packaged embedding model was made for; of others nobody knows."""

LET_GO_SECONDS = 20.0
"""How long a deletion waits for the ingestion of the same document to notice; then it tries again later."""

LOCK = "pincite.lock"
"""The file of the data directory that one process holds."""

PROBES = "provider.json"
"""The file of the data directory with what probes of providers found."""
_REASONING = {Reasoning.AUTO: None, Reasoning.YES: True, Reasoning.NO: False}

AT_PROVIDER = "Code runs in the code interpreter of the model's provider, because PINCITE_SANDBOX says so."

_DATA = Path(__file__).resolve().parent.parent / "data"
SAMPLES, SUITES = _DATA / "samples", _DATA / "evals"


@dataclass(frozen=True, kw_only=True)
class Workbench:
    """Everything the entry points use. ``close`` ends it and frees the data directory."""

    settings: Settings
    library: Library
    people: People
    labels: Labels
    tagging: Tagging
    ingestion: Ingestion
    search: Search
    reindex: Reindex
    passages: PassageSearch
    gaps: Gaps
    listings: Listings
    conversations: Conversations
    export: ConversationExport
    deletion: Deletion
    turns: Turns
    tool_calls: ToolCalls
    clients: Clients
    highlights: Evidence
    finder: Finder
    sheets: Sheets
    calculations: Calculations
    evals: Evals
    replay: Replay
    model: Model
    embedder: Embedder
    close: Callable[[], None]
    probe: Callable[[], ProbeResult]
    now: Callable[[], datetime]
    warm_up: Callable[[], None]
    samples: Path = SAMPLES


@runtime_checkable
class Closing(Protocol):
    """A part that holds files open until it is closed."""

    def close(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The adapters of a workbench, by port."""

    clock: Clock
    library_store: LibraryStore
    conversation_store: ConversationStore
    receipt_store: ReceiptStore
    gap_store: GapStore
    eval_store: EvalStore
    user_store: UserStore
    token_store: TokenStore
    blobs: Blobs
    vectors: VectorIndex
    keywords: KeywordIndex
    embedder: Embedder
    reader: DocumentReader
    renderer: PageRenderer
    tables: TableStore
    languages: LanguageDetector
    jobs: Jobs
    provider_objects: tuple[ProviderObjects, ...]
    reranker: Reranker | None = None
    sandbox: Sandbox | None = None
    """None where no code of a model runs in a sandbox of ours."""
    closing: tuple[Closing, ...] = ()
    """The parts made here that hold files open."""


def build(settings: Settings, **overrides: Any) -> Workbench:
    """Wire a workbench. ``overrides`` replace parts by the names of :class:`Parts`, or ``model``.

    Raises DataDirectoryBusy where another process works on the data directory, ConfigurationError where a setting is
    wrong.
    """
    settings.home.mkdir(parents=True, exist_ok=True)
    lock = _lock(settings.home)
    try:
        return _build(settings, lock, overrides)
    except BaseException:
        lock.release()
        raise


def _build(settings: Settings, lock: FileLock, overrides: dict[str, Any]) -> Workbench:
    model_override = overrides.pop("model", None)
    parts = _parts(settings, overrides)
    reindex = Reindex(parts.library_store, parts.vectors, parts.embedder, parts.jobs)
    search = Search(
        parts.library_store,
        parts.vectors,
        parts.keywords,
        parts.embedder,
        Cutoff(at_most=settings.passages_per_search),
        reranker=parts.reranker,
        languages=Languages(None if settings.embedding_model else PACKAGED_LANGUAGES, parts.languages),
        unindexed=reindex.missing,
    )
    model = model_override or _model(settings, parts, search)
    people = People(parts.user_store, parts.library_store, parts.clock, settings.administrators)
    library = Library(
        parts.library_store, parts.vectors, parts.keywords, parts.blobs, parts.renderer, parts.clock, people.standing
    )
    conversations = Conversations(parts.conversation_store, parts.clock)
    contexts = Recontext(library, parts.library_store, parts.vectors, parts.keywords, parts.embedder, parts.jobs)
    labels = Labels(library, on_context=contexts.queue)
    ingestion = _ingestion(parts, library)
    gaps = Gaps(parts.gap_store, parts.conversation_store, parts.clock)
    registry = ToolRegistry(search, parts.library_store, parts.clock, parts.tables, parts.sandbox)
    rates = Rates(settings.user_limits, parts.conversation_store, parts.clock)
    turns = Turns(
        conversations=conversations,
        store=parts.conversation_store,
        library=parts.library_store,
        search=search,
        registry=registry,
        model=model,
        prompt=load_prompt(),
        profiles=settings.profiles,
        clock=parts.clock,
        rates=rates,
        on_end=gaps.take_turn,
        rights=library.access,
    )
    tool_calls = ToolCalls(
        conversations=conversations,
        store=parts.conversation_store,
        library=parts.library_store,
        registry=registry,
        profiles=settings.profiles,
        clock=parts.clock,
        rates=rates,
        on_end=gaps.take_turn,
    )
    deletion = _deletion(parts, library, conversations, ingestion, contexts, turns, model)
    retention = Retention(parts.conversation_store, deletion, parts.jobs, parts.clock, settings.retention_days)
    interrupted = turns.recover()
    if interrupted:
        log.warning("%d turns of an earlier run were interrupted", interrupted)
    parts.jobs.resume()
    unfinished = deletion.resume()
    if unfinished:
        log.warning("%d deletions of an earlier run are taken up", unfinished)
    ingestion.resume()
    retention.begin()

    models = _Models(settings, parts, search, model)

    def close() -> None:
        retention.close()
        turns.close()
        deletion.close()
        ingestion.close()
        for part in parts.closing:
            part.close()
        models.close()
        if model_override is None and isinstance(model, Closing):
            model.close()
        lock.release()

    return Workbench(
        settings=settings,
        library=library,
        people=people,
        labels=labels,
        tagging=Tagging(library, parts.library_store, parts.keywords, labels),
        ingestion=ingestion,
        search=search,
        reindex=reindex,
        passages=PassageSearch(search, library, parts.library_store, parts.keywords, gaps, parts.clock),
        gaps=gaps,
        listings=Listings(parts.library_store),
        conversations=conversations,
        export=ConversationExport(conversations, parts.clock, settings.public_url),
        deletion=deletion,
        turns=turns,
        tool_calls=tool_calls,
        clients=Clients(parts.token_store, parts.user_store, parts.library_store, parts.clock),
        highlights=Evidence(conversations, library, deletion.sources),
        finder=Finder(library),
        sheets=Sheets(library, parts.tables),
        calculations=_calculations(settings, parts, library, conversations),
        evals=_evals(
            settings=settings,
            parts=parts,
            search=search,
            library=library,
            conversations=conversations,
            ingestion=ingestion,
            registry=registry,
            models=models,
        ),
        replay=Replay(
            conversations,
            parts.conversation_store,
            parts.library_store,
            lambda clock: ToolRegistry(search, parts.library_store, clock, parts.tables, parts.sandbox),
        ),
        model=model,
        embedder=parts.embedder,
        close=close,
        probe=lambda: probe(settings),
        now=parts.clock.now,
        warm_up=lambda: _warm_up(parts),
    )


@contextmanager
def clients(settings: Settings) -> Iterator[Clients]:
    """Open the tokens of clients alone, which another process may do while the app runs: they stand in the database."""
    settings.home.mkdir(parents=True, exist_ok=True)
    database = open_database(settings.database)
    try:
        yield Clients(SqlTokenStore(database), SqlUserStore(database), SqlLibraryStore(database), SystemClock())
    finally:
        database.close()


def _lock(home: Path) -> FileLock:
    lock = FileLock(home / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise DataDirectoryBusy(
            f"Another Pincite process works on the data directory {home}.",
            "Close it first, or set PINCITE_HOME to another directory.",
        ) from error
    return lock


def _parts(settings: Settings, overrides: Mapping[str, Any]) -> Parts:
    """Make every adapter that is not given; the given ones are used as they are."""
    home = settings.home
    given = dict(overrides)
    embedder = given.setdefault("embedder", SentenceTransformerEmbedder(settings.embedding_model))
    closing: list[Closing] = []
    if (
        not {
            "library_store",
            "conversation_store",
            "receipt_store",
            "gap_store",
            "eval_store",
            "user_store",
            "token_store",
        }
        <= given.keys()
    ):
        database = open_database(settings.database)
        closing.append(database)
        given.setdefault("library_store", SqlLibraryStore(database))
        given.setdefault("conversation_store", SqlConversationStore(database))
        given.setdefault("receipt_store", SqlReceiptStore(database))
        given.setdefault("gap_store", SqlGapStore(database))
        given.setdefault("eval_store", SqlEvalStore(database))
        given.setdefault("user_store", SqlUserStore(database))
        given.setdefault("token_store", SqlTokenStore(database))
    makers: dict[str, Callable[[], Any]] = {
        "clock": SystemClock,
        "blobs": lambda: LocalBlobs(home / "files"),
        "vectors": lambda: ChromaVectors(home / "vectors", embedder.fingerprint),
        "keywords": lambda: Fts5KeywordIndex(home / "keywords.db"),
        "reader": lambda: worker_reader(settings.reading),
        "tables": lambda: ParquetTables(home / "tables"),
        "renderer": lambda: PyMuPdfRenderer(home / "pages"),
        "languages": LangidDetector,
        "jobs": lambda: DbosJobs(settings.jobs_database, settings.ingest_workers),
    }
    if settings.reranker:
        given.setdefault("reranker", CrossEncoderReranker(settings.reranker))
    if settings.sandbox not in (RunsCode.OFF, RunsCode.PROVIDER):
        makers["sandbox"] = lambda: LazySandbox(lambda: open_sandbox(home / "sandbox", Engine(settings.sandbox.value)))
    for name, make in makers.items():
        if name not in given:
            given[name] = make()
            closing += [given[name]] if hasattr(given[name], "close") else []
    if "provider_objects" not in given:
        given["provider_objects"] = _provider_objects(settings)
        closing += [each for each in given["provider_objects"] if isinstance(each, Closing)]
    return Parts(**given, closing=tuple(closing))


def _provider_objects(settings: Settings) -> tuple[ProviderObjects, ...]:
    """What is kept outside is deleted at the provider that is set; of the embedded model nothing is kept."""
    if settings.provider is Provider.EXTRACTIVE:
        return (NothingKept(),)
    from workbench.adapters.openai_responses.objects import OpenAIProviderObjects  # noqa: PLC0415

    return (NothingKept(), OpenAIProviderObjects(_connection(settings)))


def _deletion(
    parts: Parts,
    library: Library,
    conversations: Conversations,
    ingestion: Ingestion,
    contexts: Recontext,
    turns: Turns,
    model: Model,
) -> Deletion:
    def end_turns(user_id: UserId, conversation_id: ConversationId) -> None:
        access = Access(user_id=user_id, containers=frozenset())
        for turn in parts.conversation_store.turns(conversation_id):
            if turn.status is TurnStatus.RUNNING:
                turns.stop(access, turn.id)
                turns.wait(access, turn.id)

    def let_go(document_id: DocumentId) -> bool:
        ended = ingestion.let_go(document_id, LET_GO_SECONDS)
        return contexts.let_go(document_id, LET_GO_SECONDS) and ended

    own = (model,) if isinstance(model, ProviderObjects) else ()
    return Deletion(
        library=library,
        conversations=conversations,
        receipts=parts.receipt_store,
        document_plan=DocumentPlan(
            library=library,
            store=parts.library_store,
            vectors=parts.vectors,
            keywords=parts.keywords,
            tables=parts.tables,
            blobs=parts.blobs,
            renderer=parts.renderer,
            let_go=let_go,
        ),
        conversation_plan=ConversationPlan(
            store=parts.conversation_store,
            gaps=parts.gap_store,
            providers=(*parts.provider_objects, *own),
            end_turns=end_turns,
        ),
        clock=parts.clock,
    )


def _ingestion(parts: Parts, library: Library) -> Ingestion:
    return Ingestion(
        library=library,
        store=parts.library_store,
        vectors=parts.vectors,
        keywords=parts.keywords,
        blobs=parts.blobs,
        reader=parts.reader,
        embedder=parts.embedder,
        languages=parts.languages,
        tables=parts.tables,
        clock=parts.clock,
        jobs=parts.jobs,
    )


def _calculations(settings: Settings, parts: Parts, library: Library, conversations: Conversations) -> Calculations:
    provided = settings.sandbox is RunsCode.PROVIDER
    return Calculations(
        conversations,
        parts.conversation_store,
        library,
        parts.tables,
        parts.sandbox,
        instead=AT_PROVIDER if provided else SWITCHED_OFF,
    )


class _Models:
    """The models that suites are run on: the configured one, the embedded one, and others of the configured provider."""

    def __init__(self, settings: Settings, parts: Parts, search: Search, configured: Model) -> None:
        self._settings = settings
        self._parts = parts
        self._search = search
        self._configured = configured
        self._made: list[Model] = []

    def __call__(self, name: str | None) -> Model:
        """Return a model by name; None is the configured one. Raises ConfigurationError where no provider is set."""
        if name in (None, self._configured.name):
            return self._configured
        if name == Provider.EXTRACTIVE.value:
            settings = self._settings.model_copy(update={"provider": Provider.EXTRACTIVE})
        elif self._settings.embedded:
            raise ConfigurationError(f"No provider is set, so there is no model {name!r}.", "Set PINCITE_PROVIDER.")
        else:
            settings = self._settings.model_copy(update={"model": name})
        self._made.append(_model(settings, self._parts, self._search))
        return self._made[-1]

    def close(self) -> None:
        for model in self._made:
            if isinstance(model, Closing):
                model.close()


def _evals(
    *,
    settings: Settings,
    parts: Parts,
    search: Search,
    library: Library,
    conversations: Conversations,
    ingestion: Ingestion,
    registry: ToolRegistry,
    models: Models,
) -> Evals:
    prompt = load_prompt()
    turns = partial(
        Turns,
        conversations=conversations,
        store=parts.conversation_store,
        library=parts.library_store,
        search=search,
        registry=registry,
        prompt=prompt,
        clock=parts.clock,
    )
    suite_library = SuiteLibrary(library, ingestion, SAMPLES)
    return Evals(
        store=parts.eval_store,
        suites=Suites(SUITES),
        suite_library=suite_library,
        conversations=conversations,
        library=library,
        runner=Runner(suite_library, conversations, turns, settings.profiles),
        models=models,
        versions=Versions(application=__version__, prompt=prompt.version, embedding=parts.embedder.fingerprint),
        clock=parts.clock,
    )


def _model(settings: Settings, parts: Parts, search: Search) -> Model:
    if settings.provider is Provider.EXTRACTIVE:
        return ExtractiveModel(
            embedder=parts.embedder,
            documents=search.documents,
            vocabulary=lambda scope: _vocabulary(parts.keywords, scope),
        )
    # The SDK takes a second to import; who answers without a provider should not wait for it.
    from workbench.adapters.openai_responses.model import OpenAIResponsesModel, Prices  # noqa: PLC0415

    prices = None
    if settings.input_price is not None and settings.output_price is not None:
        prices = Prices(settings.input_price, settings.output_price)
    connection = _connection(settings)
    return OpenAIResponsesModel(
        settings.model,
        connection,
        history=_history(settings, connection.url),
        reasoning=_REASONING[settings.reasoning],
        prices=prices,
        interpreter=settings.sandbox is RunsCode.PROVIDER,
    )


def _connection(settings: Settings) -> "Connection":
    from workbench.adapters.openai_responses.azure import azure_url, entra_token  # noqa: PLC0415
    from workbench.adapters.openai_responses.client import Connection  # noqa: PLC0415

    key = settings.api_key.get_secret_value() if settings.api_key else None
    azure = settings.provider is Provider.AZURE
    return Connection(
        api_key=entra_token() if settings.entra else key,
        base_url=azure_url(settings.base_url) if azure and settings.base_url else settings.base_url,
    )


def _history(settings: Settings, url: str) -> Literal["chain", "replay"]:
    """A compatible server is not trusted to keep the thread unless a setting says so, or a probe found that it does."""
    if settings.history is History.CHAIN or settings.history is History.REPLAY:
        return "chain" if settings.history is History.CHAIN else "replay"
    if settings.provider is not Provider.COMPATIBLE:
        return "chain"
    from workbench.adapters.openai_responses.findings import Findings  # noqa: PLC0415

    found = Findings(settings.home / PROBES).get(url, settings.model)
    return "replay" if found is None else found.history


def probe(settings: Settings) -> ProbeResult:
    """Find out by trying whether the provider keeps conversations, and remember it for the next start.

    Costs three small requests. Raises ConfigurationError where no provider is set, a ModelError where it does not answer.
    """
    if settings.embedded:
        raise ConfigurationError("No provider is set, so there is nothing to try out.", "Set PINCITE_PROVIDER.")
    from workbench.adapters.openai_responses.findings import Findings  # noqa: PLC0415
    from workbench.adapters.openai_responses.probe import probe as try_out  # noqa: PLC0415

    connection = _connection(settings)
    result = try_out(connection, settings.model, reasoning=_REASONING[settings.reasoning])
    settings.home.mkdir(parents=True, exist_ok=True)
    Findings(settings.home / PROBES).put(connection.url, settings.model, result)
    return result


def _vocabulary(keywords: KeywordIndex, scope: Scope) -> dict[str, int]:
    words: dict[str, int] = {}
    for container in filter(scope.access.may_see, scope.containers):
        for word, count in keywords.vocabulary(container).items():
            words[word] = words.get(word, 0) + count
    return words


def _warm_up(parts: Parts) -> None:
    """Load the embedding model and start the process that reads files, so that neither the first question nor file waits."""
    parts.embedder.embed_query("warm up")
    if parts.reranker is not None:
        parts.reranker.scores("warm up", ["warm up"])
    if isinstance(parts.reader, WorkerReader):
        parts.reader.warm_up()
    if isinstance(parts.sandbox, LazySandbox):
        parts.sandbox.warm_up()
