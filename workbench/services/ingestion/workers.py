"""Workers: a few threads that take jobs in the order they came."""

import queue
import threading
from collections.abc import Callable

Job = Callable[[], None]


class Workers:
    """``count`` daemon threads. A job must not raise: what may go wrong is the job's own to handle.

    They are daemons so that ending the program does not wait for a long file; who resumes at the next start loses nothing.
    """

    def __init__(self, count: int, name: str) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True) for number in range(1, count + 1)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        self._jobs.put(job)

    def close(self, timeout: float = 30.0) -> None:
        """Take no further job and wait for the running ones, at most ``timeout`` seconds."""
        self._closing.set()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join(timeout)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if not self._closing.is_set():
                job()
