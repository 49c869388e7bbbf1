"""The process that is killed: it works on a library until it is told to die. Forked from a zygote with the imports done.

    python -m tests.bench.crash_child

reads orders as JSON, one a line, forks a child for each and answers with how it ended.
"""

import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.bench.crash_files import Action, files_of, terms, wave
from workbench import bootstrap
from workbench.adapters.blobs.local import LocalBlobs
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.fakes.fixed_language import FixedLanguage
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.jobs.dbos_jobs import DbosJobs
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.bootstrap import LOCAL_USER, Workbench
from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId
from workbench.domain.scope import Access, build_scope
from workbench.reading import reader
from workbench.services.ingestion import pipeline
from workbench.services.ingestion.chunking import chunk
from workbench.services.ingestion.jobs import Upload
from workbench.services.ingestion.limits import Limits
from workbench.services.ports import JobStep
from workbench.services.retrieval.search import Search
from workbench.settings import Settings

pipeline.BATCH = 4  # several batches for a small file
CONTAINER = "Crash"
_CHANGES = {
    "library_store": ("save_document", "publish", "delete_document", "save_pages", "save_chunks"),
    "vectors": ("upsert", "delete_document"),
    "keywords": ("upsert", "delete_document"),
    "blobs": ("put", "delete"),
}
HANG_SECONDS = 120


class Reaper:
    """Kills the process at the moment it was told: before or after a step, at the n-th change, or after some time."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan
        self._lock = threading.Lock()
        self._left = int(plan.get("nth", 0))
        if "seconds" in plan:
            timer = threading.Timer(plan["seconds"], self.kill)
            timer.daemon = True
            timer.start()

    def point(self, name: str) -> None:
        wanted = self._plan.get("point")
        if not wanted or (wanted != "any change" if name.startswith("change") else wanted != name):
            return
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self.kill()

    @staticmethod
    def kill() -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Watched:
    """A part whose changes are moments to die at, right before and right after them."""

    def __init__(self, part: Any, changes: Sequence[str], reaper: Reaper) -> None:
        self._part = part
        self._changes = changes
        self._reaper = reaper

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if name not in self._changes:
            return found

        def change(*args: Any, **options: Any) -> Any:
            self._reaper.point("change: before")
            result = found(*args, **options)
            self._reaper.point("change: after")
            return result

        return change


class WatchedJobs(DbosJobs):
    """Jobs whose step boundaries are moments to die at."""

    reaper: Reaper

    def register(self, kind: str, steps: Sequence[JobStep]) -> None:
        super().register(kind, [JobStep(step.name, self._watched(step)) for step in steps])

    def _watched(self, step: JobStep) -> Callable[..., None]:
        def run(argument: str, report: Callable[[int, int], None]) -> None:
            self.reaper.point(f"before {step.name}")
            step.run(argument, report)
            self.reaper.point(f"after {step.name}")

        return run


class Library:
    """The stores of a library, opened without anything at work on them."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.embedder = HashingEmbedder()
        self.database = open_database(f"sqlite:///{home / 'pincite.db'}")
        self.store = SqlLibraryStore(self.database)
        self.vectors = ChromaVectors(home / "vectors", self.embedder.fingerprint)
        self.keywords = Fts5KeywordIndex(home / "keywords.db")
        self.blobs = LocalBlobs(home / "files")
        self.search = Search(self.store, self.vectors, self.keywords, self.embedder)

    @property
    def container(self) -> ContainerId | None:
        return next((each.id for each in self.store.containers()), None)

    def documents(self) -> list[Document]:
        return self.store.documents([each.id for each in self.store.containers()])

    def work(self, reaper: Reaper) -> Workbench:
        """Open the workbench over these stores; it goes on with what is unfinished."""
        parts = {"library_store": self.store, "vectors": self.vectors, "keywords": self.keywords, "blobs": self.blobs}
        jobs = WatchedJobs(f"sqlite:///{self.home / 'jobs.db'}", workers=2)
        jobs.reaper = reaper
        return bootstrap.build(
            Settings(home=self.home),
            **{name: Watched(part, _CHANGES[name], reaper) for name, part in parts.items()},
            embedder=self.embedder,
            reader=reader(Limits(libreoffice="never")),
            languages=FixedLanguage("en"),
            model=ScriptedModel([]),
            jobs=jobs,
        )


class Journal:
    """The actions that were answered, kept through every death."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.done = file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def add(self, line: str) -> None:
        self.done.append(line)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())


# --- looking ---------------------------------------------------------------------------------------------------------


def half_visible(library: Library, done: Sequence[str]) -> Iterator[str]:
    """Yield what a user could find that is not whole, or could not find though it was there before."""
    documents = library.documents()
    for document in documents:
        if document.searchable and not whole(library, document):
            yield f"{document.name} v{document.version} can be searched, but is not whole"
    if library.container is not None:
        access = Access(user_id=LOCAL_USER, containers=frozenset([library.container]))
        searchable = {each.id for each in documents if each.searchable}
        for hit in library.search.run(build_scope(access, [library.container]), "clause agreement", at_most=1000).kept:
            if hit.chunk.document_id not in searchable:
                yield f"a passage of {hit.chunk.document_id} was found, which is not searchable"
    for name in current_names(done):
        found = [each for each in documents if each.name == name and each.searchable]
        if len(found) != 1:
            yield f"{name} was complete, and {len(found)} of its versions can be searched"


def current_names(done: Sequence[str]) -> set[str]:
    """Return the names that were ready at the end of a wave and that nobody asked to delete since."""
    names: set[str] = set()
    begun: set[str] = set()
    for line in done:
        kind, _, rest = line.partition(" ")
        if kind == "upload":
            begun.add(rest.rpartition(" ")[0])
        elif kind in ("deleting", "deleted"):
            names.discard(rest)
            begun.discard(rest)
        elif kind == "wave":
            names |= begun
    return names


def whole(library: Library, document: Document) -> bool:
    counts = {
        library.vectors.count(document.container_id, document.id),
        library.keywords.count(document.container_id, document.id),
        len(library.store.document_chunks(document.id)),
    }
    pages = len(library.store.page_outlines(document.id))
    return counts == {document.chunk_count} and document.chunk_count > 0 and pages == document.page_count > 0


# --- working ---------------------------------------------------------------------------------------------------------


def perform(bench: Workbench, library: Library, journal: Journal, action: Action) -> None:
    """Do what a user does, again if it was not answered."""
    access = bench.library.access(LOCAL_USER)
    container = bench.library.ensure_container(access, CONTAINER)
    access = bench.library.access(LOCAL_USER)
    if action.kind == "upload":
        [outcome] = bench.ingestion.submit(access, container.id, [Upload(action.name, action.data)])
        if outcome.document_id is None:
            raise AssertionError(outcome.error)
    else:
        journal.add(f"deleting {action.name}")
        for document in library.documents():
            if document.name == action.name and document.replaced_by is None:
                bench.deletion.delete_document(access, document.id)
    journal.add(action.line)


def settle(bench: Workbench, library: Library) -> None:
    """Wait until nothing is at work."""
    if not bench.ingestion.wait([each.id for each in library.documents()], timeout=HANG_SECONDS):
        raise AssertionError("ingestion does not end")
    access = bench.library.access(LOCAL_USER)
    while bench.deletion.receipts(access, open_only=True):
        time.sleep(0.02)


def work(order: dict[str, Any], folder: Path) -> None:
    """Do waves of uploads, new versions and deletions until death, or until the last wave that was begun is done."""
    logging.basicConfig(filename=folder / "log.txt", level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    reaper = Reaper(order["kill"])
    library = Library(folder / "home")
    journal = Journal(folder / "journal.txt")
    for problem in half_visible(library, journal.done):
        note(folder, problem)
    bench = library.work(reaper)
    first = sum(line.startswith("wave ") for line in journal.done)
    # The next wave may have begun without an answer, so the last process does it as well.
    last = first if order["finish"] else first + 6
    for number in range(first, last + 1):
        for action in wave(order["seed"], number):
            if action.line not in journal.done:
                perform(bench, library, journal, action)
        settle(bench, library)
        journal.add(f"wave {number}")
    settle(bench, library)
    bench.close()


def note(folder: Path, problem: str) -> None:
    with (folder / "problems.txt").open("a", encoding="utf-8") as file:
        file.write(f"{problem}\n")


# --- comparing with the truth ----------------------------------------------------------------------------------------


def compare(order: dict[str, Any], folder: Path) -> None:
    """Compare the library with what the files say it must be, and write down both counts and differences."""
    library = Library(folder / "home")
    waves = sum(line.startswith("wave ") for line in Journal(folder / "journal.txt").done)
    truth, gone = files_of(order["seed"], waves)
    found = {(each.name, each.version): each for each in library.documents()}
    for key in truth.keys() ^ found.keys():
        note(folder, f"{key} is {'missing' if key in truth else 'too many'}")
    files, rows = set(), 0
    for key, (data, current) in truth.items():
        document = found.get(key)
        if document is None:
            continue
        files |= {document.content_hash, document.canonical_hash}
        rows += compare_document(library, folder, document, data, current)
    everything = frozenset(each.id for each in found.values())
    for term in (term for data in gone for term in terms(data)):
        if library.container and library.keywords.query(library.container, term, 5, everything):
            note(folder, f"{term} of a deleted file is still found")
    container = library.container
    totals = (library.vectors.count(container), library.keywords.count(container)) if container else (0, 0)
    if totals != (rows, rows):
        note(folder, f"the indexes hold {totals} rows instead of {rows}")
    on_disk = {each.name for each in (folder / "home" / "files").rglob("*") if each.is_file()}
    if on_disk != files:
        note(folder, f"{len(on_disk - files)} files are used by nothing, {len(files - on_disk)} are missing")
    for problem in half_visible(library, []):
        note(folder, problem)
    counts = {"documents": len(found), "passages": rows, "files": len(on_disk), "waves": waves}
    (folder / "counts.json").write_text(json.dumps(counts), encoding="utf-8")


def compare_document(library: Library, folder: Path, document: Document, data: bytes, current: bool) -> int:
    """Compare one document; return how many rows it must have in each index."""
    label = f"{document.name} v{document.version}"
    read = reader(Limits(libreoffice="never")).read(data, document.name, lambda done, total: None)
    expected = chunk(document.model_copy(update={"title": read.title}), read.pages, library.embedder.count_tokens)
    held = library.store.document_chunks(document.id)
    if (document.state, document.searchable) != ("ready", current):
        note(folder, f"{label} is {document.state}, searchable: {document.searchable}")
    if [each.text for each in held] != [each.text for each in expected] or document.chunk_count != len(expected):
        note(folder, f"{label} holds {len(held)} passages instead of {len(expected)}")
    pages = [library.store.page(document.id, number) for number in range(1, len(read.pages) + 1)]
    if [each.text if each else None for each in pages] != [each.text for each in read.pages]:
        note(folder, f"the pages of {label} are not those of the file")
    everything = frozenset(each.id for each in library.documents())
    for term in terms(data):
        hits = {hit.chunk_id for hit in library.keywords.query(document.container_id, term, 50, everything)}
        wanted = {each.id for each in held if term in each.text} if current else set()
        if hits != wanted:
            note(folder, f"{term} of {label} is found in {sorted(hits)} instead of {sorted(wanted)}")
    rows = len(expected) if current else 0
    counts = (
        library.vectors.count(document.container_id, document.id),
        library.keywords.count(document.container_id, document.id),
    )
    if counts != (rows, rows):
        note(folder, f"{label} has {counts} rows instead of {rows}")
    return rows


# --- the zygote ------------------------------------------------------------------------------------------------------


def child(order: dict[str, Any]) -> None:
    signal.alarm(HANG_SECONDS + 30)
    folder = Path(order["folder"])
    code = 0
    try:
        (compare if order["do"] == "compare" else work)(order, folder)
    except BaseException as error:
        logging.getLogger(__name__).exception("the child failed")
        note(folder, f"{type(error).__name__}: {error}")
        code = 1
    os._exit(code)


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            child(order)
        _, status = os.waitpid(pid, 0)
        print(json.dumps({"signal": os.WTERMSIG(status), "code": os.waitstatus_to_exitcode(status)}), flush=True)


if __name__ == "__main__":
    main()
