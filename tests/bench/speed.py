"""Speed and memory against a peer in the same run: the embedding alone, the raw vector query, an empty process."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from tests.bench.engines import Engines
from tests.bench.times import in_turns
from tests.e2e.conftest import CHROMIUM, FLAGS, start_app, stop_app
from workbench import bootstrap
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.domain.scope import build_scope, reaches
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
        keywords = Fts5KeywordIndex(home / "keywords.db")
        bench = bootstrap.build(Settings(home=home), embedder=embedder, vectors=vectors, keywords=keywords)
        try:
            bench.warm_up()
            report_ingest(bench)
            report_search(bench, Engines(embedder, vectors, keywords))
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


def report_search(bench: bootstrap.Workbench, engines: Engines) -> None:
    access = bench.library.access(bootstrap.LOCAL_USER)
    scope = build_scope(access, [container.id for container in bench.library.containers(access)])
    within = reaches(scope, bench.search.documents(scope))
    times = in_turns(
        {
            "whole": lambda query: bench.search.run(scope, query),
            "raw": lambda query: engines.by_meaning(query, within, 100),
        },
        QUERIES,
        ROUNDS,
    )
    whole, raw = times["whole"], times["raw"]
    print(f"speed: search {whole}, query embedding and raw vector query {raw}: {whole.over(raw)} (limit 1.5)")


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
