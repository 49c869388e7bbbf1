"""Which sandbox runs here."""

import logging
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from workbench.adapters.sandbox.bubblewrap import BubblewrapSandbox
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import Sandbox

log = logging.getLogger(__name__)


class Engine(StrEnum):
    """``AUTO`` takes the one with pandas where it works."""

    AUTO = "auto"
    WASM = "wasm"
    BUBBLEWRAP = "bubblewrap"


class Chosen(NamedTuple):
    """An engine, and why it was taken where it is not the one that is asked for first."""

    sandbox: Sandbox
    reason: str


def choose(home: Path, engine: Engine = Engine.AUTO, workers: int = 2) -> Chosen:
    """Open the sandbox that keeps its files in ``home``; raise SandboxUnavailable where the engine does not work here.

    There is no way around both engines: without one, no code runs.
    """
    if engine is Engine.WASM:
        return Chosen(WasmSandbox(home, workers), "It was asked for by a setting.")
    try:
        return Chosen(BubblewrapSandbox(home, workers), "It works on this machine, and has pandas.")
    except SandboxUnavailable as error:
        if engine is Engine.BUBBLEWRAP:
            raise
        log.info("Calculations run in WebAssembly. %s", error.message)
        return Chosen(WasmSandbox(home, workers), f"It works everywhere. {error.message}")


def open_sandbox(home: Path, engine: Engine = Engine.AUTO, workers: int = 2) -> Sandbox:
    """Open the sandbox that :func:`choose` takes."""
    return choose(home, engine, workers).sandbox
