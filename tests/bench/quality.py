"""How often the right page is found and cited: 34 real contracts, 496 questions whose answer has a known page.

Page-hit@k: one of the first k passages stands on a right page of the right contract, with the contract known, and over all
contracts with its name in the question. Peers, measured elsewhere on the same contracts with the same embedding weights, are
printed beside. The pipeline was tuned on the split ``dev`` only. Differences under 4 points are noise.
"""

import json
import os
import re
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from workbench import bootstrap
from workbench.domain.documents import Document
from workbench.domain.ids import DocumentId
from workbench.domain.scope import Access, Filters, build_scope
from workbench.services.ingestion.jobs import Upload
from workbench.settings import Settings

CUTS = (1, 5, 8)
PEERS = {
    "contract known": "plain page chunks with rank fusion .532/.809/.881, LlamaIndex fusion .460/.804/.885",
    "all contracts": "plain with the name in each chunk .375/.754/.869, LlamaIndex fusion .313/.625/.712",
}
_NOT_SAID = frozenset("ex k ka s a on g drsa".split())
"""Parts of the files' names that nobody says: the kind of filing and of exhibit."""


class Question(NamedTuple):
    document: DocumentId
    text: str
    pages: frozenset[int]
    absent: bool
    split: str


def main() -> None:
    corpus = os.environ.get("PINCITE_CORPUS")
    if not corpus:
        print("quality: skipped, PINCITE_CORPUS names no outside material")
        return
    with tempfile.TemporaryDirectory() as directory:
        home = Path(os.environ.get("PINCITE_BENCH_HOME") or directory)
        bench = bootstrap.build(Settings(home=home))
        try:
            measure(bench, bench.library.access(bootstrap.LOCAL_USER), Path(corpus))
        finally:
            bench.close()


def measure(bench: bootstrap.Workbench, access: Access, corpus: Path) -> None:
    documents = ingest(bench, access, sorted((corpus / "contracts").glob("[ds]*/*.pdf")))
    access = bench.library.access(access.user_id)
    questions = load(corpus, documents)
    for split in ("dev", "ship"):
        chosen = [question for question in questions if question.split == split]
        report_retrieval(bench, access, split, [q for q in chosen if not q.absent], documents)
        report_answers(bench, access, split, chosen)


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
    access: Access,
    split: str,
    questions: list[Question],
    documents: dict[str, Document],
) -> None:
    containers = [container.id for container in bench.library.containers(access)]
    names = {document.id: said(document) for document in documents.values()}
    everywhere = build_scope(access, containers)
    for label, peers in PEERS.items():
        hits = dict.fromkeys(CUTS, 0)
        for question in questions:
            scope, text = everywhere, f"{question.text.rstrip('?')} in the {names[question.document]}?"
            if label == "contract known":
                scope, text = scope.narrowed(Filters(document_ids=(question.document,))), question.text
            kept = bench.search.run(scope, text, at_most=max(CUTS)).kept
            right = [
                hit.chunk.document_id == question.document
                and bool(question.pages & {segment.page for segment in hit.chunk.segments})
                for hit in kept
            ]
            for cut in CUTS:
                hits[cut] += any(right[:cut])
        shares = "/".join(f"{hits[cut] / len(questions):.3f}" for cut in CUTS)
        print(f"{split}, {label}: page-hit@1/@5/@8 {shares} on {len(questions)} questions (elsewhere: {peers})")


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
