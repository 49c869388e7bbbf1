"""Jobs on DBOS: every finished step is recorded in a database, and what was not finished is done at the next start.

DBOS is one for the whole process, so one :class:`DbosJobs` works at a time. Nothing of it is imported or started before
there is something to do: it costs half a second. It serves no port, sends nothing and asks no network.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar, cast

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from workbench.adapters.jobs.statuses import ACTIVE, AttemptId, job_status
from workbench.domain.errors import ConfigurationError, NotFound, PinciteError
from workbench.domain.jobs import JobProgress, JobStatus
from workbench.services.jobs import AtWork
from workbench.services.ports import JobStep, Progress

if TYPE_CHECKING:
    from dbos import DBOS

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)

MAX_STARTS = 25
"""A job that was at work when the program ended so often is taken for the reason, and given up."""

_NAME = "pincite"
_VERSION = "1"
"""Jobs are only taken up by the version that they were begun with: raised when old ones cannot be gone on with."""
_BUSY, _IDLE = 0.1, 0.5
"""Seconds between two looks for queued jobs, while there are any and else. Looking costs a few milliseconds."""
_CLOSING = 0.25
"""Seconds that a thread of DBOS may take to notice its end."""
_CLOSE_SECONDS = 30.0


def _outside_loops(method: Callable[P, R]) -> Callable[P, R]:
    """Make a call in a thread of its own where an event loop runs in the caller's: there DBOS refuses to wait."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return method(*args, **kwargs)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(method, *args, **kwargs).result()

    return call


class DbosJobs:
    """A :class:`~workbench.services.ports.Jobs` in the database of a URL: an SQLite file, or PostgreSQL.

    ``workers`` jobs run at the same time.
    """

    _owner: ClassVar["DbosJobs | None"] = None
    _owning: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, url: str, workers: int = 2) -> None:
        self._url = url
        self._workers = workers
        self._kinds: dict[str, tuple[JobStep, ...]] = {}
        self._workflows: dict[str, Any] = {}
        self._at_work = AtWork()
        self._lock = threading.RLock()
        self._dbos: type[DBOS] | None = None
        self._closed = False
        self._live: set[str] = set()
        """The jobs that were queued or at work when last heard of."""
        self._pace = 0.0

    # --- the port ----------------------------------------------------------------------------------------------------

    def register(self, kind: str, steps: Sequence[JobStep]) -> None:
        self._kinds[kind] = tuple(steps)

    def resume(self) -> None:
        if not self._untouched():
            threading.Thread(target=self._start_ahead, name="jobs-start", daemon=True).start()

    @_outside_loops
    def enqueue(self, kind: str, job_id: str, argument: str) -> None:
        if kind not in self._kinds:
            raise ValueError(f"no job of the kind {kind!r} is known")
        with _failures_told(), self._lock:
            if self.status(job_id) is None:
                self._put(kind, AttemptId(job_id, 1), argument)

    @_outside_loops
    def retry(self, job_id: str) -> None:
        with _failures_told(), self._lock:
            newest = self.status(job_id)
            if newest is None:
                raise NotFound(f"There is no job {job_id}.")
            if newest.state.ended:
                self._put(newest.kind, AttemptId(job_id, newest.attempt + 1), newest.argument)

    @_outside_loops
    def cancel(self, job_id: str) -> None:
        with _failures_told(), self._lock:
            newest = self.status(job_id)
            if newest is None or newest.state.ended:
                return
            self._started().cancel_workflow(str(AttemptId(job_id, newest.attempt)))
            self._at_work.stop(job_id)
            if job_id not in self._at_work:
                self._live.discard(job_id)
        self._at_work.changed()

    @_outside_loops
    def status(self, job_id: str) -> JobStatus | None:
        newest = next(iter(self.jobs(job_id=job_id, limit=1)), None)
        at_work = self._at_work.progress(job_id)
        if newest is None or newest.state.ended or at_work is None:
            return newest
        return newest.model_copy(update={"step": at_work.step})

    def progress(self, job_id: str) -> JobProgress | None:
        return self._at_work.progress(job_id)

    @_outside_loops
    def jobs(self, kind: str | None = None, job_id: str | None = None, limit: int = 100) -> list[JobStatus]:
        if self._untouched():
            return []
        with _failures_told():
            found = self._started().list_workflows(
                name=kind,
                workflow_id_prefix=None if job_id is None else f"{job_id}#",
                sort_desc=True,
                limit=limit,
            )
        return [job_status(workflow) for workflow in found]

    @_outside_loops
    def wait(self, job_ids: Sequence[str], timeout: float | None = None) -> bool:
        wanted = frozenset(job_ids)
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._at_work.closing and (left := wanted & self._active()):
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                return False
            # A job's end is heard of a moment before it is written down.
            tick = 1.0 if left & self._live else 0.02
            self._at_work.wait_for(
                partial(self._some_ended, left & self._live), tick if remaining is None else min(tick, remaining)
            )
        return not self._at_work.closing

    def _some_ended(self, live: frozenset[str]) -> bool:
        return self._at_work.closing or not live <= self._live

    @_outside_loops
    def forget(self, job_id: str) -> None:
        with _failures_told(), self._lock:
            if job_id not in self._active():
                ids = [str(AttemptId(job_id, each.attempt)) for each in self.jobs(job_id=job_id, limit=10_000)]
                if ids:
                    self._started().delete_workflows(ids)

    @_outside_loops
    def close(self) -> None:
        stopped = self._at_work.close(_CLOSE_SECONDS)
        if not stopped:
            log.warning("a job did not stop in time; it is taken up at the next start")
        with self._lock:
            self._closed = True
            if self._dbos is None:
                return
            self._dbos.destroy(destroy_registry=True)
            self._dbos = None
            with DbosJobs._owning:
                DbosJobs._owner = None

    # --- starting ----------------------------------------------------------------------------------------------------

    def _untouched(self) -> bool:
        """Tell whether there is nothing to ask: DBOS is not started and no earlier run has left a file."""
        file = _file(self._url)
        return self._dbos is None and file is not None and not file.exists()

    def _start_ahead(self) -> None:
        try:
            self._started()
        except PinciteError:
            # Whoever needs it next is told.
            log.exception("the job queue could not be started")

    def _started(self) -> "type[DBOS]":
        """Return DBOS, started if it was not.

        Raises ConfigurationError where it cannot be, PinciteError where the jobs are closed.
        """
        with self._lock:
            if self._dbos is None:
                if self._closed:
                    raise PinciteError("Pincite is closing.", "Start it again to go on.")
                self._dbos = self._start()
            return self._dbos

    def _start(self) -> "type[DBOS]":
        from dbos import DBOS, DBOSClient, DBOSPortableJSONSerializer  # noqa: PLC0415 - half a second

        with DbosJobs._owning:
            if DbosJobs._owner is not None:
                raise ConfigurationError(
                    "Another workbench of this process runs jobs already.", "Close it before you open a second one."
                )
            DbosJobs._owner = self
        try:
            # DBOS writes to the console unless someone else has taken its logger over.
            logging.getLogger("dbos").addHandler(logging.NullHandler())
            file = _file(self._url)
            if file is not None:
                _prepare(file)
            serializer = DBOSPortableJSONSerializer()  # plain JSON: nothing that is read back can run code
            DBOS(
                config={
                    "name": _NAME,
                    "system_database_url": self._url,
                    "application_version": _VERSION,
                    "executor_id": _NAME,
                    "serializer": serializer,
                    "log_level": "WARNING",
                    "enable_otlp": False,
                    "notification_listener_polling_interval_sec": _CLOSING,
                }
            )
            self._workflows = {
                kind: DBOS.workflow(name=kind, max_recovery_attempts=MAX_STARTS)(self._workflow(kind))
                for kind in self._kinds
            }
            # Registered before DBOS starts: a queue that appears later is only noticed after a second.
            DBOS.migrate(self._url)
            client = DBOSClient(system_database_url=self._url, serializer=serializer)
            try:
                left = client.list_workflows(status=list(ACTIVE), load_input=False, load_output=False)
                self._live |= {AttemptId.parse(workflow.workflow_id).job_id for workflow in left}
                self._pace = _BUSY if self._live else _IDLE
                client.register_queue(
                    _NAME,
                    worker_concurrency=self._workers,
                    polling_interval_sec=self._pace,
                    application_name=_NAME,
                )
            finally:
                client.destroy()
            DBOS.launch()
        except Exception as error:
            DBOS.destroy(destroy_registry=True)
            with DbosJobs._owning:
                DbosJobs._owner = None
            raise ConfigurationError(
                f"The job queue cannot be opened: {type(error).__name__}: {error}",
                "Check that the database of PINCITE_JOBS_DATABASE_URL exists and that this user may write to it.",
            ) from error
        return DBOS

    # --- working -----------------------------------------------------------------------------------------------------

    def _put(self, kind: str, attempt: AttemptId, argument: str) -> None:
        self._live.add(attempt.job_id)
        dbos = self._started()
        from dbos import SetWorkflowID  # noqa: PLC0415 - imported with the start

        self._look_every(_BUSY)
        with SetWorkflowID(str(attempt)):
            dbos.enqueue_workflow(_NAME, self._workflows[kind], attempt.job_id, argument)

    def _workflow(self, kind: str) -> Any:
        def run(job_id: str, argument: str) -> tuple[str, str]:
            with self._at_work.working(job_id):
                try:
                    return self._run(kind, job_id, argument)
                finally:
                    self._heard_of_end(job_id)

        return run

    def _run(self, kind: str, job_id: str, argument: str) -> tuple[str, str]:
        """Run the steps that are not recorded as finished; return the last one's name, and its error in words."""
        from dbos import DBOS  # noqa: PLC0415 - imported with the start, which may be still under way

        name = ""
        for step in self._kinds[kind]:
            name = step.name
            report = self._at_work.report(job_id, name)
            error = DBOS.run_step({"name": name}, partial(_run_step, step, argument, report, job_id))
            if error:
                return name, error
        return name, ""

    def _heard_of_end(self, job_id: str) -> None:
        with self._lock:
            if self._at_work.closing:  # it is interrupted, and will be resumed
                return
            self._live.discard(job_id)
            if not self._live:
                self._look_every(_IDLE)

    def _look_every(self, seconds: float) -> None:
        if self._dbos is not None and self._pace != seconds:
            queue = self._dbos.retrieve_queue(_NAME)
            if queue is not None:
                queue.set_polling_interval_sec(seconds)
                self._pace = seconds

    def _active(self) -> frozenset[str]:
        """Return the jobs that are queued or at work, as written down."""
        if self._untouched():
            return frozenset()
        with _failures_told(), self._lock:
            found = self._started().list_workflows(status=list(ACTIVE), load_input=False, load_output=False)
            active = frozenset(AttemptId.parse(workflow.workflow_id).job_id for workflow in found)
            self._live &= active
        return active | self._at_work.jobs


def _run_step(step: JobStep, argument: str, report: Progress, job_id: str) -> str:
    """Run a step; return what went wrong in words, or nothing. An interruption passes, so that it is not recorded."""
    try:
        step.run(argument, report)
    except Exception as error:  # whatever a step raises ends its job, not the worker
        log.exception("job %s failed in the step %s", job_id, step.name)
        return str(error) or type(error).__name__
    return ""


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise PinciteError(
            f"The job queue did not answer: {getattr(error, 'orig', None) or error}.",
            "Check the free space of the disk, then try again.",
        ) from error


def _file(url: str) -> Path | None:
    """Return the file of an SQLite database, None for a server."""
    parsed = make_url(url)
    return Path(cast("str", parsed.database)) if parsed.get_backend_name() == "sqlite" else None


def _prepare(file: Path) -> None:
    """Create the file so that who reads does not wait for who writes; SQLite remembers it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(file, timeout=30.0)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
