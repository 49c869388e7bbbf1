"""Speed and memory against a peer in the same run: the embedding alone, the raw vector query, an empty process."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS, start_app, stop_app
from workbench import bootstrap
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.domain.scope import build_scope
from workbench.settings import Settings

QUERIES = (
    "payment terms",
    "liability cap",
    "governing law",
    "notice of renewal",
    "service credits",
    "price adjustment",
)
ROUNDS = 5


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory) / "home"
        embedder = SentenceTransformerEmbedder()
        vectors = ChromaVectors(home / "vectors", embedder.fingerprint)
        bench = bootstrap.build(Settings(home=home), embedder=embedder, vectors=vectors)
        try:
            bench.warm_up()
            report_ingest(bench)
            report_search(bench, vectors)
            report_memory()
        finally:
            bench.close()
        report_start(Path(directory))


def report_ingest(bench: bootstrap.Workbench) -> None:
    started = time.perf_counter()
    _, outcomes = bench.ingestion.load_samples(bench.library.access(bootstrap.LOCAL_USER), bench.samples)
    ids = [outcome.document_id for outcome in outcomes if outcome.document_id]
    bench.ingestion.wait(ids)
    ingest = time.perf_counter() - started
    access = bench.library.access(bootstrap.LOCAL_USER)
    chunks = [chunk for document_id in ids for chunk in bench.library.chunks(access, document_id)]
    texts = [chunk.indexed_text for chunk in chunks]
    started = time.perf_counter()
    bench.embedder.embed_passages(texts)
    alone = time.perf_counter() - started
    print(
        f"speed: ingest of the samples {ingest:.1f} s, embedding the same {len(texts)} passages alone {alone:.1f} s: "
        f"{ingest / alone:.2f} times"
    )


def report_search(bench: bootstrap.Workbench, vectors: ChromaVectors) -> None:
    access = bench.library.access(bootstrap.LOCAL_USER)
    containers = [container.id for container in bench.library.containers(access)]
    scope = build_scope(access, containers)
    allowed = frozenset(document.id for document in bench.search.documents(scope))

    def whole(query: str) -> None:
        bench.search.run(scope, query)

    def raw(query: str) -> None:
        vectors.query(containers[0], bench.embedder.embed_query(query), 100, allowed)

    hybrid, vector = median(whole), median(raw)
    print(
        f"speed: search {hybrid * 1000:.1f} ms, query embedding and raw vector query {vector * 1000:.1f} ms: "
        f"{hybrid / vector:.2f} times (limit 1.5)"
    )


def median(run: Callable[[str], None]) -> float:
    """Return the median seconds of a run over all queries, after one round to warm up."""
    for query in QUERIES:
        run(query)
    seconds = []
    for _ in range(ROUNDS):
        for query in QUERIES:
            started = time.perf_counter()
            run(query)
            seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def report_memory() -> None:
    mine = psutil.Process().memory_info().rss
    code = "import torch, sentence_transformers, psutil; print(psutil.Process().memory_info().rss)"
    peer = int(
        subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True).stdout
    )
    print(
        f"speed: memory after ingest {mine / 2**20:.0f} MB, a process that only imported torch and sentence-transformers "
        f"{peer / 2**20:.0f} MB: {mine / peer:.2f} times"
    )


def report_start(directory: Path) -> None:
    """Time from the command to a server that answers, against a bare Streamlit app."""
    started = time.perf_counter()
    (directory / "start").mkdir()
    app = start_app(directory / "start")
    ours = time.perf_counter() - started
    try:
        painted = first_paint(app.url)
    finally:
        stop_app(app)
    print(
        f"speed: the server answers after {ours:.1f} s; first paint of the Ask screen {painted:.1f} s after opening it"
    )


def first_paint(url: str) -> float:

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        page = browser.new_page()
        started = time.perf_counter()
        page.goto(url)
        page.get_by_test_id("stChatInput").wait_for(timeout=60_000)
        seconds = time.perf_counter() - started
        browser.close()
    return seconds
