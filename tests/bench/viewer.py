"""The viewer: from the click on a citation in an open chat to its page with the passage marked, beside st.pdf.

The server runs in this process, on an index of its own, with 500 pages of text and 500 scanned pages. The peers are measured
where ``streamlit-pdf`` and ``streamlit-pdf-viewer`` are installed; both show page 1 and mark nothing, which is less.
"""

import hashlib
import importlib.util
import io
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil
import pymupdf
import uvicorn
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page as Tab

from tests.e2e.conftest import CHROMIUM, FLAGS, free_port
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.domain.budgets import Profile
from workbench.domain.chunks import ChunkKind, Segment
from workbench.domain.citations import Citation, CitedAnswer, Mention
from workbench.domain.conversations import Turn
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import DocumentId, TurnId
from workbench.domain.pages import Page, Word
from workbench.domain.results import TurnStatus
from workbench.settings import Settings
from workbench.ui import process

PAGES = 500
CITED = (412, 3, 250, 499, 77, 180, 333, 1, 500, 120, 288, 460)
VIEWERS = 10
GOAL = 0.5
PHRASE = "The cited sentence stands here."
MARKED = """number => {
  const roots = [...document.querySelectorAll("*")].map((each) => each.shadowRoot);
  const root = roots.find((each) => each?.querySelector(".viewer"));
  const scroll = root?.querySelector(".scroll")?.getBoundingClientRect();
  const sheet = root?.querySelector(`.sheet[data-page="${number}"]`);
  const mark = sheet?.querySelector(".mark.active")?.getBoundingClientRect();
  const image = sheet?.querySelector("img");
  return Boolean(mark && image?.complete && mark.top >= scroll.top && mark.bottom <= scroll.bottom);
}"""
"""Whether the passage on a page is marked, in sight, and lies on the drawn page."""

PEERS = {
    "streamlit_pdf": ("st.pdf", "st.pdf(path, height=800)"),
    "streamlit_pdf_viewer": ("streamlit-pdf-viewer", "pdf_viewer(path, height=800, pages_to_render=[412])"),
}
PEER_APP = """
import streamlit as st
{imports}
path = st.query_params["path"]
if st.button("open"):
    {call}
"""


class Stored(NamedTuple):
    document: Document
    data: bytes


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        texts, scans = text_pdf(), scanned_pdf()
        print(f"viewer: {PAGES} pages of text {len(texts) / 2**20:.1f} MB, {PAGES} scans {len(scans) / 2**20:.0f} MB")
        with workbench(folder / "home") as (bench, library, conversations):
            documents = [store(bench, library, "text.pdf", texts), store(bench, library, "scan.pdf", scans)]
            for stored in documents:
                report_images(bench, stored.document)
            turns = [ask(bench, conversations, stored.document) for stored in documents]
            with server() as url, sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
                for stored, turn in zip(documents, turns, strict=True):
                    report_clicks(browser, url, stored.document, turn)
                report_memory(browser, url, turns)
                for stored in documents:
                    report_peers(browser, folder, stored)
                browser.close()


# --- what is looked at -----------------------------------------------------------------------------------------------


def text_pdf() -> bytes:
    document = pymupdf.open()
    for number in range(1, PAGES + 1):
        page = document.new_page()
        lines = [f"Page {number}, line {line}: the parties agree on what is written here." for line in range(40)]
        lines[25] = PHRASE
        page.insert_text((60, 80), lines, fontsize=10, lineheight=1.6)
    return bytes(document.tobytes(deflate=True))


def scanned_pdf() -> bytes:
    """Pages that are photographs of paper: grey noise with lines of print, some 240 KB each."""
    document = pymupdf.open()
    noise = Image.effect_noise((1240, 1754), 22).point(lambda value: min(255, value + 100))
    for number in range(1, PAGES + 1):
        paper = noise.copy()
        pen = ImageDraw.Draw(paper)
        for line in range(40):
            pen.text((120, 120 + 40 * line), f"Page {number}, line {line}: as scanned from paper.", fill=20)
        out = io.BytesIO()
        paper.save(out, "JPEG", quality=34)
        document.new_page().insert_image((0, 0, 595, 842), stream=out.getvalue())
    return bytes(document.tobytes())


@contextmanager
def workbench(home: Path) -> Iterator[tuple[bootstrap.Workbench, SqlLibraryStore, SqlConversationStore]]:
    home.mkdir()
    database = open_database(Settings(home=home).database)
    library, conversations = SqlLibraryStore(database), SqlConversationStore(database)
    bench = bootstrap.build(
        Settings(home=home), embedder=HashingEmbedder(), library_store=library, conversation_store=conversations
    )
    process.install(bench)
    try:
        yield bench, library, conversations
    finally:
        process.close()
        database.close()


def store(bench: bootstrap.Workbench, library: SqlLibraryStore, name: str, data: bytes) -> Stored:
    """Put a document in as if it had been read: what is measured is looking at it."""
    access = bench.library.access(bootstrap.LOCAL_USER)
    container = bench.library.ensure_container(access, "Bench")
    content_hash = hashlib.sha256(data).hexdigest()
    document = Document(
        id=DocumentId(f"doc_{name.partition('.')[0]}"),
        container_id=container.id,
        name=name,
        media_type="application/pdf",
        size=len(data),
        content_hash=content_hash,
        canonical_hash=content_hash,
        state=DocumentState.READY,
        page_count=PAGES,
        uploaded_at=datetime.now(UTC),
    )
    bench.library.add(document, data)
    library.save_pages(document.id, [page_of(number) for number in range(1, PAGES + 1)])
    return Stored(document, data)


def page_of(number: int) -> Page:
    """A page whose cited sentence stands at half its height, with a box for each of 400 words."""
    words: list[Word] = []
    text = ""
    for line in range(40):
        for index, word in enumerate(PHRASE.split() if line == 25 else [f"word{line}", *["paper"] * 9]):
            text += "" if not text else " " if index else "\n"
            x, y = 60.0 + 42 * index, 80.0 + 16 * line
            words.append(Word(len(text), len(text) + len(word), x, y, x + 38, y + 11))
            text += word
    return Page(number=number, text=text, width=595, height=842, words=tuple(words))


def ask(bench: bootstrap.Workbench, conversations: SqlConversationStore, document: Document) -> Turn:
    """Store an answer that cites twelve pages."""
    access = bench.library.access(bootstrap.LOCAL_USER)
    talk = bench.conversations.create(access, [document.container_id])
    text, mentions, citations = "", [], []
    for index, number in enumerate(CITED):
        label = f"[{document.name}, p. {number}]"
        text += f"Claim {index} is supported "
        start = page_of(number).text.index(PHRASE)
        span = Segment(page=number, start=start, end=start + len(PHRASE))
        mentions.append(
            Mention(
                start=len(text), end=len(text) + len(label), citation=index + 1, refs=(), quote=PHRASE, spans=(span,)
            )
        )
        text += f"{label}. "
        citations.append(
            Citation(
                number=index + 1,
                document_id=document.id,
                container_id=document.container_id,
                document=document.name,
                container="Bench",
                kind=ChunkKind.TEXT,
                page=number,
                page_label=f"p. {number}",
                label=f"{document.name}, p. {number}",
                quote=PHRASE,
                refs=(),
            )
        )
    turn = Turn(
        id=TurnId(f"turn_{document.id}"),
        conversation_id=talk.id,
        number=1,
        question="What is cited?",
        containers=(document.container_id,),
        profile=Profile.QUICK,
        model="none",
        status=TurnStatus.ANSWERED,
        started_at=datetime.now(UTC),
        answer=CitedAnswer(text=text, mentions=tuple(mentions), citations=tuple(citations)),
    )
    conversations.add_turn(turn)
    return turn


# --- measurements ----------------------------------------------------------------------------------------------------


@contextmanager
def server() -> Iterator[str]:
    import app  # noqa: PLC0415 - the app of the project's root, which must not start before the workbench is installed

    port = free_port()
    running = uvicorn.Server(uvicorn.Config(app.app, host="127.0.0.1", port=port, log_level="error", access_log=False))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(20)


def report_images(bench: bootstrap.Workbench, document: Document) -> None:
    access = bench.library.access(bootstrap.LOCAL_USER)

    def draw(numbers: Sequence[int]) -> list[float]:
        image = partial(bench.library.page_image, access, document.id, width=1000)
        return [timed(partial(image, number=number)) for number in numbers]

    numbers = range(20, 500, 24)
    draw([1])  # the engine loads
    cold, cached = draw(numbers), draw(numbers)
    print(f"viewer: {document.name}: a page image of 1000 pixels, cold {spread(cold)}, cached {spread(cached)}")


def report_clicks(browser: Browser, url: str, document: Document, turn: Turn) -> None:
    tab = browser.new_page(viewport={"width": 1600, "height": 1000})
    tab.goto(f"{url}/?conversation={turn.conversation_id}")
    chips = tab.locator(".pc-answer a.pc-cite")
    chips.first.wait_for(timeout=120_000)
    tab.wait_for_timeout(2000)
    seconds = [click(tab, index, number) for index, number in enumerate(CITED)]
    tab.close()
    print(
        f"viewer: {document.name}: click to highlighted page in an open chat: first {seconds[0]:.2f} s, "
        f"the {len(seconds) - 1} after it {spread(seconds[1:])} (goal {GOAL} s)"
    )


def click(tab: Tab, index: int, number: int) -> float:
    chip = tab.locator(".pc-answer a.pc-cite").nth(index)
    chip.scroll_into_view_if_needed()

    def opened() -> None:
        chip.click(no_wait_after=True)
        tab.wait_for_function(MARKED, arg=number, polling="raf", timeout=60_000)

    return timed(opened)


def report_memory(browser: Browser, url: str, turns: Sequence[Turn]) -> None:
    before = psutil.Process().memory_info().rss
    tabs = []
    for viewer in range(VIEWERS):
        turn = turns[viewer % len(turns)]
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(f"{url}/viewer?conversation={turn.conversation_id}&turn={turn.id}&mention={viewer}")
        tab.wait_for_function(MARKED, arg=CITED[viewer], polling=100, timeout=120_000)
        tabs.append(tab)
    sheets = max(tab.locator(".sheet").count() for tab in tabs)
    after = psutil.Process().memory_info().rss
    print(
        f"viewer: {VIEWERS} open viewers take {(after - before) / 2**20:.0f} MB of the server; "
        f"at most {sheets} of {PAGES} pages are in a browser's page"
    )
    for tab in tabs:
        tab.close()


def report_peers(browser: Browser, folder: Path, stored: Stored) -> None:
    file = folder / stored.document.name
    file.write_bytes(stored.data)
    for module, (name, call) in PEERS.items():
        if importlib.util.find_spec(module) is None:
            print(f"viewer: {name} is not installed, so it is not measured")
            continue
        imports = "" if module == "streamlit_pdf" else f"from {module} import pdf_viewer"
        app = folder / f"peer_of_{module}.py"
        app.write_text(PEER_APP.format(imports=imports, call=call), encoding="utf-8")
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port)]
        options = ["--server.headless", "true", "--server.address", "127.0.0.1", "--browser.gatherUsageStats", "false"]
        peer = subprocess.Popen(
            [*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ), cwd=folder
        )
        try:
            seconds = peer_seconds(browser, f"http://127.0.0.1:{port}/?path={file}")
            print(f"viewer: {stored.document.name}: {name}, click to its first drawn page: {spread(seconds)}")
        except TimeoutError as error:
            print(f"viewer: {stored.document.name}: {name}: {error}")
        finally:
            peer.terminate()
            peer.wait()


def peer_seconds(browser: Browser, url: str, rounds: int = 3) -> list[float]:
    """Click in an open app; wait until any page is drawn, in whatever frame."""
    seconds = []
    for _ in range(rounds):
        tab = browser.new_page(viewport={"width": 1600, "height": 1000})
        goto_when_up(tab, url)
        button = tab.get_by_role("button", name="open")
        button.wait_for(timeout=60_000)
        tab.wait_for_timeout(1000)

        def opened(tab: Tab = tab) -> None:
            tab.get_by_role("button", name="open").click(no_wait_after=True)
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline:
                if any(frame.locator("canvas").count() for frame in tab.frames):
                    return
                tab.wait_for_timeout(20)
            raise TimeoutError("it drew no page in two minutes")

        seconds.append(timed(opened))
        tab.close()
    return seconds


def goto_when_up(tab: Tab, url: str) -> None:
    for attempt in range(300):
        try:
            tab.goto(url)
        except PlaywrightError as error:
            if "ERR_CONNECTION" not in str(error) or attempt == 299:
                raise
            tab.wait_for_timeout(200)
        else:
            return


def timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def spread(seconds: Sequence[float]) -> str:
    """The median, and the value that 95 of 100 stay below."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    if high < 0.2:
        return f"median {statistics.median(ordered) * 1000:.1f} ms, p95 {high * 1000:.1f} ms"
    return f"median {statistics.median(ordered):.2f} s, p95 {high:.2f} s"
