"""A started app in a process of its own, and a real browser that notes errors and requests to elsewhere."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from workbench import bootstrap
from workbench.services.ingestion.uploads import Upload
from workbench.services.ports import Embedder
from workbench.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
STARTED_WITHIN = 180
SOON = 120_000
"""Milliseconds after which what should be on a screen is not coming, on a machine that is busy with other things."""

expect.set_options(timeout=SOON)


class App:
    """The app under test: its address, its data directory, its log, and the environment it was started with."""

    def __init__(self, home: Path, log: Path, port: int, environment: dict[str, str]) -> None:
        self.home = home
        self.log = log
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._environment = environment
        self.process = self._start()

    def kill_and_restart(self) -> None:
        """End the process as a power cut does, and start another one at the same address on the same data."""
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        """Start the app as the README does and wait until it answers."""
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        with self.log.open("ab") as out:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment(self.home, self._environment), stdout=out, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + STARTED_WITHIN
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=5) as answer:
                    if answer.status == 200:
                        return process
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        process.kill()
        pytest.fail(f"The app did not start:\n{self.log.read_text(encoding='utf-8', errors='replace')}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(home: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Return our environment with these settings of Pincite's and no others."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
    return inherited | {"PINCITE_HOME": str(home), "PYTHONUNBUFFERED": "1", **settings}


def stock(home: Path, embedder: Embedder, container: str, *files: Path) -> None:
    """Take files into a container of the data directory ``home``, which no app has open."""
    workbench = bootstrap.build(Settings(home=home), embedder=embedder)
    try:
        made = workbench.library.ensure_container(workbench.library.access(bootstrap.LOCAL_USER), container)
        access = workbench.library.access(bootstrap.LOCAL_USER)
        outcomes = workbench.ingestion.submit(access, made.id, [Upload(file.name, file.read_bytes()) for file in files])
        taken = [outcome.document_id for outcome in outcomes if outcome.document_id is not None]
        workbench.ingestion.wait(taken)
        assert [workbench.library.document(access, each).searchable for each in taken] == [True] * len(files)
    finally:
        workbench.close()


def start_app(home: Path, **settings: str) -> App:
    """Start the app on a port of its own. Nothing runs code unless ``settings`` say so: some engines start slowly."""
    return App(home, home / "app.log", free_port(), {"PINCITE_SANDBOX": "off", **settings})


def stop_app(app: App) -> None:
    app.process.terminate()
    try:
        app.process.wait(20)
    except subprocess.TimeoutExpired:
        app.process.kill()
        app.process.wait()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    home = tmp_path_factory.mktemp("home")
    started = start_app(home)
    yield started
    stop_app(started)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}: install Chromium there to run the browser tests")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where pictures of the screens are kept."""
    directory = ROOT / "artifacts" / "e2e"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


class Watch:
    """What a browser context did that it should not: console errors, page errors, requests to other machines."""

    def __init__(self, context: BrowserContext) -> None:
        self.errors: list[str] = []
        self.outside: list[str] = []
        context.on("console", self._console)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.outside.append(request.url)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1600, "height": 1000})
    yield opened
    opened.close()


@pytest.fixture
def watch(context: BrowserContext) -> Watch:
    return Watch(context)


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    opened = context.new_page()
    opened.set_default_timeout(SOON)
    return opened
