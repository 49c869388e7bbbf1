"""A sandbox that is opened when it is first needed, so that the app starts without waiting for it."""

import threading
from collections.abc import Callable

from workbench.adapters.sandbox.choice import Chosen
from workbench.domain.calculations import RunLimits, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import SandboxInputs


class LazySandbox:
    """Opens the engine once. Where that fails it stays so until the app is started again, and says why each time."""

    def __init__(self, choose: Callable[[], Chosen]) -> None:
        self._choose = choose
        self._opening = threading.Lock()
        self._chosen: Chosen | None = None
        self._failure: SandboxUnavailable | None = None
        self._closed = False

    @property
    def name(self) -> str:
        return self._open().sandbox.name

    @property
    def description(self) -> str:
        return self._open().sandbox.description

    @property
    def reason(self) -> str:
        """Why this engine runs and not the other, for Settings; empty where nothing is to be said."""
        return self._open().reason

    def run(
        self, code: str, inputs: SandboxInputs, limits: RunLimits, stop: Callable[[], bool] = lambda: False
    ) -> SandboxResult:
        return self._open().sandbox.run(code, inputs, limits, stop)

    def warm_up(self) -> None:
        """Open the engine now, so that no question waits for it. Where none works, that is told when one is needed."""
        with self._opening:
            self._try()

    def close(self) -> None:
        with self._opening:
            self._closed = True
            if self._chosen is not None:
                self._chosen.sandbox.close()

    def _open(self) -> Chosen:
        with self._opening:
            self._try()
            if self._failure is not None:
                raise SandboxUnavailable(self._failure.message, self._failure.advice)
            if self._chosen is None or self._closed:
                raise SandboxUnavailable("The sandbox is closed.", "Start Pincite again.")
            return self._chosen

    def _try(self) -> None:
        if self._closed or self._chosen is not None or self._failure is not None:
            return
        try:
            self._chosen = self._choose()
        except SandboxUnavailable as error:
            self._failure = error
