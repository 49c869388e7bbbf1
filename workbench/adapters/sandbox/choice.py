"""Which sandbox runs here."""

import logging
from enum import StrEnum
from pathlib import Path

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


def open_sandbox(home: Path, engine: Engine = Engine.AUTO, workers: int = 2) -> Sandbox:
    """Open the sandbox that keeps its files in ``home``; raise SandboxUnavailable where the engine does not work here.

    There is no way around both engines: without one, no code runs.
    """
    if engine is Engine.WASM:
        return WasmSandbox(home, workers)
    try:
        return BubblewrapSandbox(home, workers)
    except SandboxUnavailable as error:
        if engine is Engine.BUBBLEWRAP:
            raise
        log.info("Calculations run in WebAssembly. %s", error.message)
        return WasmSandbox(home, workers, reason=f"The other engine does not work here: {error.message}")
