"""The doctor: looks at each part that Pincite needs on this machine, and says how to mend what is missing.

It changes nothing (what the sandbox compiles is kept for the next start), and may run beside the app. Nothing is sent
anywhere, but for the three small requests to the configured provider of a check that was asked for.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

import workbench
from workbench import bootstrap
from workbench.adapters.embeddings.weights import check_packaged, find_model, packaged_model, weights_hash
from workbench.adapters.libreoffice import converter
from workbench.adapters.ocr.choice import recognizer
from workbench.adapters.sandbox.choice import Engine, open_sandbox
from workbench.adapters.sql.engine import open_database
from workbench.domain.calculations import RunLimits
from workbench.domain.errors import PinciteError, SandboxUnavailable
from workbench.services.ports import SandboxInputs
from workbench.settings import OfficeConversion, Provider, Recognition, RunsCode, Settings

LEAST_FREE = 2_000_000_000
"""Bytes of free disk below which reading files soon fails."""
_PACKAGES = (
    "streamlit",
    "chromadb",
    "sentence-transformers",
    "torch",
    "pymupdf",
    "sqlalchemy",
    "dbos",
    "openai",
    "mcp",
)


class State(StrEnum):
    """``OK``; ``LIMITED``: it works, and something is left out; ``FAILED``: it has to be mended."""

    OK = "ok"
    LIMITED = "limited"
    FAILED = "failed"


class Finding(NamedTuple):
    """What one check found; ``advice`` says how to mend it and is empty where nothing is to be."""

    check: str
    state: State
    found: str
    advice: str = ""


Check = Callable[[Settings], Finding]


def examine(settings: Settings, *, online: bool = False) -> Iterator[Finding]:
    """Yield what each check finds. With ``online`` the configured provider is called as well."""
    checks: dict[str, Check] = {
        "Versions": _versions,
        "Data directory": _data_directory,
        "Stores": _stores,
        "Embedding model": _embedding,
        "Reranker": _reranker,
        "OCR": _ocr,
        "Office conversion": _office,
        "Sandbox": _sandbox,
        "Model": _provider_online if online else _provider,
        "MCP": _mcp,
    }
    for name, check in checks.items():
        try:
            yield check(settings)
        except PinciteError as error:
            yield Finding(name, State.FAILED, error.message, error.advice)


def _versions(_settings: Settings) -> Finding:
    found, missing = [f"Pincite {workbench.__version__}", f"Python {sys.version.split()[0]}"], []
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        return Finding(
            "Versions",
            State.FAILED,
            f"Not installed: {', '.join(missing)}. Installed: {', '.join(found)}.",
            "Install Pincite again with all its dependencies, see the README.",
        )
    return Finding("Versions", State.OK, ", ".join(found))


def _data_directory(settings: Settings) -> Finding:
    name, home = "Data directory", settings.home
    there = next(folder for folder in (home, *home.absolute().parents) if folder.exists())
    if not (there.is_dir() and os.access(there, os.W_OK)):
        return Finding(
            name, State.FAILED, f"{there} cannot be written to.", "Give this user the right, or set PINCITE_HOME."
        )
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        return Finding(
            name,
            State.FAILED,
            f"{home} has {free / 1e9:.1f} GB of free disk, less than {LEAST_FREE / 1e9:g}.",
            "Free some, or set PINCITE_HOME to another disk.",
        )
    state = "made at the first start" if there != home else "in use by a running Pincite" if _in_use(home) else "free"
    return Finding(name, State.OK, f"{home} ({state}), {free / 1e9:.0f} GB of free disk")


def _in_use(home: Path) -> bool:
    file = home / bootstrap.LOCK
    if not file.exists():
        return False
    lock = FileLock(file)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def _stores(settings: Settings) -> Finding:
    """Check that the index of words can be made, that the files of the stores are whole, and that a server answers."""
    name, home = "Stores", settings.home
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(word)")
        except sqlite3.OperationalError:
            return Finding(
                name, State.FAILED, "The SQLite of this Python has no FTS5.", "Use a Python whose SQLite has it."
            )
    files = [home / "pincite.db", home / "jobs.db", home / "keywords.db", home / "vectors" / "chroma.sqlite3"]
    whole = [file.name for file in files if file.is_file()]
    broken = [f"{file.name}: {wrong}" for file in files if file.is_file() and (wrong := _damage(file))]
    if broken:
        return Finding(name, State.FAILED, f"Damaged: {'; '.join(broken)}.", "Restore the data directory from a copy.")
    if not settings.database.startswith("sqlite"):
        open_database(settings.database).close()
        whole.insert(0, "the database server answers")
    return Finding(name, State.OK, ", ".join(whole) or "none yet: they are made at the first start")


def _damage(file: Path) -> str:
    """Say what is wrong with a file of SQLite; empty where nothing is."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if answer == "ok" else str(answer)


def _embedding(settings: Settings) -> Finding:
    if settings.embedding_model is None:
        check_packaged(packaged_model())
        return Finding("Embedding model", State.OK, "all-MiniLM-L6-v2 (packaged), its weights are whole")
    folder = find_model(settings.embedding_model)
    return Finding("Embedding model", State.OK, f"{folder}, weights {weights_hash(folder)[:12]}")


def _reranker(settings: Settings) -> Finding:
    if not settings.reranker:
        return Finding("Reranker", State.OK, "none set, none needed")
    if not Path(settings.reranker).expanduser().is_dir():
        return Finding(
            "Reranker",
            State.FAILED,
            f"{settings.reranker} is no folder.",
            "Set PINCITE_RERANKER to a folder with a cross-encoder, or leave it out.",
        )
    return Finding("Reranker", State.OK, settings.reranker)


def _ocr(settings: Settings) -> Finding:
    if settings.ocr is Recognition.NEVER:
        return Finding("OCR", State.OK, "switched off by PINCITE_OCR")
    engine = recognizer(settings.ocr.value, settings.ocr_languages)
    if engine is None:
        state = State.LIMITED if settings.ocr is Recognition.AUTO else State.FAILED
        return Finding(
            "OCR",
            state,
            "No engine is set up: scanned pages stay without text.",
            'Install Tesseract, or "pincite[ocr]" with pip, and start Pincite again.',
        )
    return Finding("OCR", State.OK, engine.name)


def _office(settings: Settings) -> Finding:
    name = "Office conversion"
    if settings.libreoffice is OfficeConversion.NEVER:
        return Finding(name, State.OK, "built in; LibreOffice is switched off by PINCITE_LIBREOFFICE")
    program = converter.installed()
    if program is None:
        return Finding(
            name,
            State.LIMITED,
            "Built in. Without LibreOffice old Word and PowerPoint files are read less well, or not at all.",
            "Install LibreOffice and start Pincite again.",
        )
    return Finding(name, State.OK, f"built in, and LibreOffice at {program}")


def _sandbox(settings: Settings) -> Finding:
    name = "Sandbox"
    if settings.sandbox in (RunsCode.OFF, RunsCode.PROVIDER):
        where = "switched off" if settings.sandbox is RunsCode.OFF else "at the provider"
        return Finding(name, State.OK, f"{where} by PINCITE_SANDBOX")
    try:
        sandbox = open_sandbox(settings.home / "sandbox", Engine(settings.sandbox.value), workers=1)
    except SandboxUnavailable as error:
        return Finding(name, State.LIMITED, f"{error.message} Answers go without calculations.", error.advice)
    try:
        result = sandbox.run("6 * 7", SandboxInputs([]), RunLimits(seconds=20))
    finally:
        sandbox.close()
    if result.value != "42":
        return Finding(name, State.FAILED, f"{sandbox.name} does not calculate.", "Set PINCITE_SANDBOX to another one.")
    return Finding(name, State.OK, f"{sandbox.name}, it calculates")


def _provider(settings: Settings) -> Finding:
    if settings.embedded:
        return Finding("Model", State.OK, "the embedded extractive model: no key and no network needed")
    if settings.entra and not find_spec("azure.identity"):
        return Finding("Model", State.FAILED, "The extra azure is missing.", 'Install "pincite[azure]" with pip.')
    return Finding(
        "Model", State.OK, f"{settings.model} of {_named(settings)}; not called: --online calls it three times"
    )


def _provider_online(settings: Settings) -> Finding:
    if settings.embedded:
        return _provider(settings)
    result = bootstrap.probe(settings)
    return Finding("Model", State.OK, f"{settings.model} of {_named(settings)} answers; history: {result.history}")


def _named(settings: Settings) -> str:
    return settings.base_url or ("OpenAI" if settings.provider is Provider.OPENAI else settings.provider.value)


def _mcp(settings: Settings) -> Finding:
    if not settings.mcp:
        return Finding("MCP", State.OK, "over HTTP off (PINCITE_MCP=on turns it on); `pincite mcp` serves one client")
    if not (settings.home / "pincite.db").is_file() and settings.database.startswith("sqlite"):
        usable = 0
    else:
        with bootstrap.clients(settings) as clients:
            usable = sum(not clients.refusal(token) for token in clients.tokens())
    if not usable:
        return Finding("MCP", State.LIMITED, "on, and no token opens it.", "Make one with `pincite mcp token create`.")
    return Finding("MCP", State.OK, f"on, at /mcp of the app; {usable} usable tokens")
