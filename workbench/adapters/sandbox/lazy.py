"""A sandbox that is opened when it is first needed, so that the app starts without waiting for it."""

import threading
from collections.abc import Callable

from workbench.domain.calculations import RunLimits, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import Sandbox, SandboxInputs


class LazySandbox:
    """Opens the engine once. Where that fails it stays so until the app is started again, and says why each time."""

    def __init__(self, start: Callable[[], Sandbox]) -> None:
        self._start = start
        self._opening = threading.Lock()
        self._sandbox: Sandbox | None = None
        self._failure: SandboxUnavailable | None = None
        self._closed = False

    @property
    def name(self) -> str:
        return self._open().name

    @property
    def description(self) -> str:
        return self._open().description

    @property
    def reason(self) -> str:
        return self._open().reason

    def run(
        self, code: str, inputs: SandboxInputs, limits: RunLimits, stop: Callable[[], bool] = lambda: False
    ) -> SandboxResult:
        return self._open().run(code, inputs, limits, stop)

    def warm_up(self) -> None:
        """Open the engine now, so that no question waits for it. Where none works, that is told when one is needed."""
        with self._opening:
            self._try()

    def close(self) -> None:
        with self._opening:
            self._closed = True
            if self._sandbox is not None:
                self._sandbox.close()

    def _open(self) -> Sandbox:
        with self._opening:
            self._try()
            if self._failure is not None:
                raise SandboxUnavailable(self._failure.message, self._failure.advice)
            if self._sandbox is None or self._closed:
                raise SandboxUnavailable("The sandbox is closed.", "Start Pincite again.")
            return self._sandbox

    def _try(self) -> None:
        if self._closed or self._sandbox is not None or self._failure is not None:
            return
        try:
            self._sandbox = self._start()
        except SandboxUnavailable as error:
            self._failure = error
