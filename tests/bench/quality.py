"""How often the right page is found and cited: 34 real contracts, 496 questions whose answer has a known page.

Page-hit@k: one of the first k passages stands on a right page of the right contract, with the contract known, and over all
contracts with its name in the question. Beside the search both engines alone are measured, and, with PINCITE_BENCH_PEERS set,
LlamaIndex and Haystack with the same embedding weights, in an environment of their own below PINCITE_BENCH_HOME; figures that
were measured elsewhere are printed as well. The pipeline was tuned on the split ``dev`` only. Differences under 4 points are
noise. PINCITE_BENCH_ANSWERS=0 leaves out the answers of the embedded model.
"""

import json
import os
import re
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.engines import Engines
from tests.bench.peers import environment as peers
from workbench import bootstrap
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.domain.documents import Document
from workbench.domain.ids import ChunkId, DocumentId
from workbench.domain.scope import Access, Filters, Scope, build_scope, reaches
from workbench.services.ingestion.jobs import Upload
from workbench.services.ports import Scored
from workbench.settings import Settings

CUTS = (1, 5, 8)
ELSEWHERE = {
    "contract known": "plain page chunks with rank fusion .532/.809/.881, LlamaIndex fusion .460/.804/.885",
    "all contracts": "plain with the name in each chunk .375/.754/.869, LlamaIndex fusion .313/.625/.712",
}
GOALS = {"contract known": ".62 at 1, .94 at 8", "all contracts": ".55 at 1, .93 at 8"}
_NOT_SAID = frozenset("ex k ka s a on g drsa".split())
"""Parts of the files' names that nobody says: the kind of filing and of exhibit."""


class Question(NamedTuple):
    document: DocumentId
    text: str
    pages: frozenset[int]
    absent: bool
    split: str


class Case(NamedTuple):
    """A question as a peer is asked it: ``known`` is one of :data:`ELSEWHERE`."""

    id: str
    split: str
    known: str
    question: Question


def main() -> None:
    corpus = os.environ.get("PINCITE_CORPUS")
    if not corpus:
        print("quality: skipped, PINCITE_CORPUS names no outside material")
        return
    with tempfile.TemporaryDirectory() as directory:
        home = Path(os.environ.get("PINCITE_BENCH_HOME") or directory) / "contracts"
        settings = Settings(home=home)
        embedder = SentenceTransformerEmbedder()
        vectors = ChromaVectors(settings.home / "vectors", embedder.fingerprint)
        keywords = Fts5KeywordIndex(settings.home / "keywords.db")
        engines = Engines(embedder, vectors, keywords)
        bench = bootstrap.build(settings, embedder=embedder, vectors=vectors, keywords=keywords)
        try:
            measure(bench, engines, bench.library.access(bootstrap.LOCAL_USER), Path(corpus))
        finally:
            bench.close()
            vectors.close()
            keywords.close()


def measure(bench: bootstrap.Workbench, engines: Engines, access: Access, corpus: Path) -> None:
    documents = ingest(bench, access, sorted((corpus / "contracts").glob("[ds]*/*.pdf")))
    access = bench.library.access(access.user_id)
    by_split = {split: [each for each in load(corpus, documents) if each.split == split] for split in ("dev", "ship")}
    for split, questions in by_split.items():
        present = [question for question in questions if not question.absent]
        report_retrieval(bench, engines, access, split, present, documents)
    for peer in peers.PEERS if peers.wanted() else ():
        report_peer(peer, by_split, documents, corpus)
    if os.environ.get("PINCITE_BENCH_ANSWERS") == "0":
        return
    for split, questions in by_split.items():
        report_answers(bench, access, split, questions)


def ingest(bench: bootstrap.Workbench, access: Access, files: Iterable[Path]) -> dict[str, Document]:
    """Ingest what is not there yet and return the documents by path below the contracts' folder."""
    started = time.perf_counter()
    found: dict[str, Document] = {}
    for file in files:
        container = bench.library.ensure_container(access, "Contracts")
        access = bench.library.access(access.user_id)
        outcome = bench.ingestion.submit(access, container.id, [Upload(file.name, file.read_bytes(), ())])[0]
        if outcome.document_id is None:
            raise SystemExit(f"{file.name}: {outcome.error}")
        bench.ingestion.wait([outcome.document_id])
        found[f"contracts/{file.parent.name}/{file.name}"] = bench.library.document(access, outcome.document_id)
    pages = sum(document.page_count for document in found.values())
    print(f"quality: {len(found)} contracts, {pages} pages, ready after {time.perf_counter() - started:.0f} s")
    return found


def load(corpus: Path, documents: dict[str, Document]) -> list[Question]:
    rows: list[dict[str, Any]] = [
        json.loads(line) for line in (corpus / "contracts_qa.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return [
        Question(
            documents[row["doc"]].id,
            row["question"],
            frozenset(row.get("pages") or ()),
            bool(row["absent"]),
            row["doc"].split("/")[1],
        )
        for row in rows
        if row["doc"] in documents
    ]


def report_retrieval(
    bench: bootstrap.Workbench,
    engines: Engines,
    access: Access,
    split: str,
    questions: list[Question],
    documents: dict[str, Document],
) -> None:
    """Print the page hits of the whole search and of both engines alone."""
    everywhere = build_scope(access, [container.id for container in bench.library.containers(access)])
    names = {document.id: said(document) for document in documents.values()}
    held = {
        chunk.id: (chunk.document_id, frozenset(segment.page for segment in chunk.segments))
        for document in documents.values()
        for chunk in bench.library.chunks(access, document.id)
    }

    def whole(text: str, scope: Scope) -> list[ChunkId]:
        return [hit.chunk.id for hit in bench.search.run(scope, text, at_most=max(CUTS)).kept]

    def meaning(text: str, scope: Scope) -> list[ChunkId]:
        return _ids(engines.by_meaning(text, reaches(scope, documents.values()), max(CUTS)))

    def words(text: str, scope: Scope) -> list[ChunkId]:
        return _ids(engines.by_words(text, reaches(scope, documents.values()), max(CUTS)))

    for known, others in ELSEWHERE.items():
        for label, ranking in (("the search", whole), ("meaning alone", meaning), ("words alone", words)):
            right = []
            for each in questions:
                scope = everywhere
                if known == "contract known":
                    scope = scope.narrowed(Filters(document_ids=(each.document,)))
                found = [held[one] for one in ranking(asked(each, known, names), scope)]
                right.append([owner == each.document and bool(each.pages & pages) for owner, pages in found])
            print(f"{split}, {known}, {label}: page-hit@1/@5/@8 {shares(right)} on {len(right)} questions", flush=True)
        print(f"{split}, {known}, elsewhere on both splits: {others}; goal {GOALS[known]}")


def report_peer(
    peer: str, by_split: Mapping[str, list[Question]], documents: dict[str, Document], corpus: Path
) -> None:
    """Print the page hits of a peer that reads, cuts and indexes the same files by its own defaults."""
    names = {document.id: said(document) for document in documents.values()}
    paths = {document.id: str(corpus / path) for path, document in documents.items()}
    part = peers.part()
    splits = [part] if part else list(by_split)
    cases = [
        Case(f"{split} {known} {number}", split, known, question)
        for split in splits
        for known in (["contract known"] if part else ELSEWHERE)
        for number, question in enumerate(each for each in by_split[split] if not each.absent)
    ]
    files = {paths[case.question.document] for case in cases} if part else paths.values()
    job = {
        "files": sorted(files),
        "top": max(CUTS),
        "questions": [
            {
                "id": case.id,
                "text": asked(case.question, case.known, names),
                "file": paths[case.question.document] if case.known == "contract known" else None,
            }
            for case in cases
        ],
    }
    with tempfile.TemporaryDirectory() as directory:
        found = peers.answers(peer, job, Path(os.environ.get("PINCITE_BENCH_HOME") or directory))
    for (split, known), some in groupby(cases, key=lambda case: (case.split, case.known)):
        right = [
            [hit.file == paths[case.question.document] and hit.page in case.question.pages for hit in found[case.id]]
            for case in some
        ]
        print(f"{split}, {known}, {peer}: page-hit@1/@5/@8 {shares(right)} on {len(right)} questions", flush=True)


def asked(question: Question, known: str, names: Mapping[DocumentId, str]) -> str:
    """Return the question as it is put: where the contract is not known, its name is in it."""
    if known == "contract known":
        return question.text
    return f"{question.text.rstrip('?')} in the {names[question.document]}?"


def shares(right: Sequence[Sequence[bool]]) -> str:
    """Return in how many of all cases one of the first hits is right, for each number of :data:`CUTS`."""
    return "/".join(f"{sum(any(each[:cut]) for each in right) / len(right):.3f}" for cut in CUTS)


def _ids(hits: Iterable[Scored]) -> list[ChunkId]:
    return [hit.chunk_id for hit in hits]


def said(document: Document) -> str:
    """Return how somebody would name a contract who knows its file: without numbers and the kind of filing."""
    words = re.split(r"[\W_]+", document.name.rpartition(".")[0])
    return " ".join(w for w in words if w and w not in _NOT_SAID and not any(c.isdigit() for c in w))


def report_answers(bench: bootstrap.Workbench, access: Access, split: str, questions: list[Question]) -> None:
    first = any_right = refused = 0
    containers = [container.id for container in bench.library.containers(access)]
    started = time.perf_counter()
    for question in questions:
        talk = bench.conversations.create(access, containers, Filters(document_ids=(question.document,)))
        answer = bench.turns.wait(access, bench.turns.ask(access, talk.id, question.text).id).answer
        if question.absent:
            refused += not answer.citations
            continue
        cited = [citation.page for citation in answer.citations]
        first += bool(cited) and cited[0] in question.pages
        any_right += bool(question.pages & set(cited))
    present = sum(not question.absent for question in questions)
    absent = len(questions) - present
    print(
        f"{split}: the extractive model cites a right page in {any_right / present:.3f} of {present} answers, first in "
        f"{first / present:.3f}; it says so for {refused / max(1, absent):.3f} of {absent} questions without an answer; "
        f"{(time.perf_counter() - started) / len(questions):.2f} s a question"
    )
