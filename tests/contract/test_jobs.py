"""Durable work: what the jobs in memory and those on DBOS have in common."""

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from workbench.adapters.clock import SystemClock
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.adapters.jobs.dbos_jobs import DbosJobs
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.jobs import JobState
from workbench.services.ports import Jobs, JobStep, Progress

SOON = 30.0
Run = Callable[[str, Progress], None]


class Journal:
    """Steps that write down that they ran."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def step(self, name: str, act: Run | None = None) -> JobStep:
        def run(argument: str, report: Progress) -> None:
            self.lines.append(f"{name} {argument}")
            if act is not None:
                act(argument, report)

        return JobStep(name, run)


class Gate:
    """A step that waits at a gate, and looks now and then whether it is to stop."""

    def __init__(self, heedless: bool = False) -> None:
        self.entered = threading.Semaphore(0)
        self.opened = threading.Event()
        self.heedless = heedless

    def __call__(self, argument: str, report: Progress) -> None:
        self.entered.release()
        while not self.opened.wait(0.01):
            if not self.heedless:
                report(3, 8)

    def await_entry(self) -> None:
        assert self.entered.acquire(timeout=SOON)


class Site:
    """A place that jobs are kept at, and one process after the other that works on them."""

    def __init__(self, url: str | None) -> None:
        self._url = url
        self._jobs: Jobs | None = None

    def start(self, workers: int = 2, **kinds: list[JobStep]) -> Jobs:
        """End the process that is and begin the next one."""
        self.end()
        earlier = self._jobs
        if self._url is None:
            assert earlier is None or isinstance(earlier, MemoryJobs)
            self._jobs = MemoryJobs(SystemClock(), workers, earlier)
        else:
            self._jobs = DbosJobs(self._url, workers)
        for kind, steps in kinds.items():
            self._jobs.register(kind, steps)
        self._jobs.resume()
        return self._jobs

    def end(self) -> None:
        if self._jobs is not None:
            self._jobs.close()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    if request.param == "memory":
        site = Site(None)
    elif request.param == "sqlite":
        site = Site(f"sqlite:///{tmp_path / 'jobs.db'}")
    else:
        site = Site(request.getfixturevalue("postgresql"))
    yield site
    site.end()
    if request.param == "postgresql":
        _empty(request.getfixturevalue("postgresql"))


def _empty(url: str) -> None:
    """Forget all jobs of a server; making the tables anew for each test would take longer than the tests."""
    engine = create_engine(url)
    with engine.begin() as connection:
        tables = connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'dbos'")).all()
        kept = {"dbos_migrations", "application_versions"}
        names = ", ".join(f"dbos.{name}" for name in tables if name not in kept)
        connection.execute(text(f"TRUNCATE {names} CASCADE"))
    engine.dispose()


@pytest.fixture
def journal() -> Journal:
    return Journal()


def fail(argument: str, report: Progress) -> None:
    raise PinciteError("The disk is full.", "Make room.")


@pytest.mark.req("LIB-7")
def test_steps_run_in_order_and_the_job_says_so(site: Site, journal: Journal) -> None:
    jobs = site.start(copy=[journal.step("fetch"), journal.step("store")])
    jobs.enqueue("copy", "copy:a", "a")
    assert jobs.wait(["copy:a"], SOON)
    assert journal.lines == ["fetch a", "store a"]
    status = jobs.status("copy:a")
    assert status is not None
    assert (status.kind, status.argument, status.state) == ("copy", "a", JobState.DONE)
    assert (status.attempt, status.starts, status.step, status.error) == (1, 1, "store", "")
    times = [status.queued_at, status.started_at, status.ended_at]
    assert all(isinstance(each, datetime) and each.utcoffset() == timedelta() for each in times)
    assert times == sorted(each for each in times if each is not None)


@pytest.mark.req("LIB-7")
def test_the_same_job_twice_is_once(site: Site, journal: Journal) -> None:
    jobs = site.start(copy=[journal.step("fetch")])
    for _ in range(2):
        jobs.enqueue("copy", "copy:a", "a")
        assert jobs.wait(["copy:a"], SOON)
    jobs.enqueue("copy", "copy:a", "another")
    assert jobs.wait(["copy:a"], SOON)
    assert journal.lines == ["fetch a"]


def test_what_is_not_known(site: Site, journal: Journal) -> None:
    jobs = site.start(copy=[journal.step("fetch")])
    assert jobs.status("copy:a") is None
    assert jobs.progress("copy:a") is None
    assert jobs.jobs() == []
    assert jobs.wait(["copy:a"], 0)
    jobs.cancel("copy:a")
    jobs.forget("copy:a")
    with pytest.raises(NotFound):
        jobs.retry("copy:a")
    with pytest.raises(ValueError, match="kind 'move'"):
        jobs.enqueue("move", "move:a", "a")


@pytest.mark.req("LIB-7")
def test_a_failing_step_ends_the_job_in_words_and_a_retry_begins_anew(site: Site, journal: Journal) -> None:
    troubles: list[Run] = [fail]

    def store(argument: str, report: Progress) -> None:
        if troubles:
            troubles.pop()(argument, report)

    steps = [journal.step("fetch"), journal.step("store", store), journal.step("tell")]
    jobs = site.start(copy=steps)
    jobs.enqueue("copy", "copy:a", "a")
    assert jobs.wait(["copy:a"], SOON)
    status = jobs.status("copy:a")
    assert status is not None
    assert (status.state, status.step, status.error) == (JobState.FAILED, "store", "The disk is full. Make room.")
    assert journal.lines == ["fetch a", "store a"]
    jobs.retry("copy:a")
    assert jobs.wait(["copy:a"], SOON)
    assert journal.lines[2:] == ["fetch a", "store a", "tell a"]
    attempts = jobs.jobs(job_id="copy:a")
    assert [(each.attempt, each.state) for each in attempts] == [(2, JobState.DONE), (1, JobState.FAILED)]


@pytest.mark.req("LIB-7")
def test_a_running_job_is_cancelled_in_the_middle_of_a_step(site: Site, journal: Journal) -> None:
    gate = Gate()
    jobs = site.start(copy=[journal.step("fetch", gate), journal.step("store")])
    jobs.enqueue("copy", "copy:a", "a")
    gate.await_entry()
    jobs.cancel("copy:a")
    assert jobs.wait(["copy:a"], SOON)
    status = jobs.status("copy:a")
    assert status is not None
    assert status.state is JobState.CANCELLED
    assert journal.lines == ["fetch a"]
    gate.opened.set()
    jobs.retry("copy:a")
    assert jobs.wait(["copy:a"], SOON)
    assert journal.lines == ["fetch a", "fetch a", "store a"]


@pytest.mark.req("LIB-7")
def test_a_queued_job_that_is_cancelled_never_begins(site: Site, journal: Journal) -> None:
    gate = Gate()
    jobs = site.start(workers=1, slow=[JobStep("wait", gate)], copy=[journal.step("fetch")])
    jobs.enqueue("slow", "slow:a", "")
    gate.await_entry()
    jobs.enqueue("copy", "copy:a", "a")
    status = jobs.status("copy:a")
    assert status is not None
    assert status.state is JobState.QUEUED
    jobs.cancel("copy:a")
    gate.opened.set()
    jobs.enqueue("copy", "copy:b", "b")
    assert jobs.wait(["slow:a", "copy:a", "copy:b"], SOON)
    assert journal.lines == ["fetch b"]


@pytest.mark.req("LIB-7")
def test_the_next_process_repeats_the_broken_off_step_and_none_that_finished(site: Site, journal: Journal) -> None:
    gate = Gate()
    jobs = site.start(workers=1, copy=[journal.step("fetch"), journal.step("store", gate)])
    jobs.enqueue("copy", "copy:a", "a")
    gate.await_entry()
    jobs.enqueue("copy", "copy:b", "b")
    site.end()
    assert not jobs.wait(["copy:a"], 0)
    gate.opened.set()
    jobs = site.start(workers=1, copy=[journal.step("fetch"), journal.step("store", gate)])
    assert jobs.wait(["copy:a", "copy:b"], SOON)
    assert [line for line in journal.lines if line.endswith("a")] == ["fetch a", "store a", "store a"]
    assert [line for line in journal.lines if line.endswith("b")] == ["fetch b", "store b"]
    starts = {each.job_id: (each.starts, each.state) for each in jobs.jobs()}
    assert starts == {"copy:a": (2, JobState.DONE), "copy:b": (1, JobState.DONE)}


def test_only_so_many_run_at_the_same_time(site: Site) -> None:
    gate = Gate()
    jobs = site.start(workers=2, slow=[JobStep("wait", gate)])
    ids = [f"slow:{number}" for number in range(5)]
    for job_id in ids:
        jobs.enqueue("slow", job_id, "")
    gate.await_entry()
    gate.await_entry()
    assert not gate.entered.acquire(timeout=0.5)
    gate.opened.set()
    assert jobs.wait(ids, SOON)


def test_a_job_never_runs_beside_an_earlier_attempt_of_its_own(site: Site) -> None:
    """A step that does not look whether it is to stop holds the next attempt up, not only its report."""
    gate, running = Gate(heedless=True), threading.Semaphore(1)
    beside: list[str] = []

    def alone(argument: str, report: Progress) -> None:
        if not running.acquire(blocking=False):
            beside.append(argument)
            return
        gate(argument, report)
        running.release()

    jobs = site.start(workers=2, slow=[JobStep("wait", alone)])
    jobs.enqueue("slow", "slow:a", "a")
    gate.await_entry()
    jobs.cancel("slow:a")
    jobs.retry("slow:a")
    assert not jobs.wait(["slow:a"], 0.5)
    gate.opened.set()
    assert jobs.wait(["slow:a"], SOON)
    assert beside == []
    assert [each.state for each in jobs.jobs(job_id="slow:a")] == [JobState.DONE, JobState.CANCELLED]


@pytest.mark.req("LIB-7")
def test_progress_is_known_while_a_step_runs(site: Site) -> None:
    gate, seen = Gate(), threading.Event()

    def count(argument: str, report: Progress) -> None:
        report(3, 8)
        seen.set()
        gate(argument, report)

    jobs = site.start(copy=[JobStep("fetch", count)])
    jobs.enqueue("copy", "copy:a", "a")
    assert seen.wait(SOON)
    progress = jobs.progress("copy:a")
    assert progress is not None
    assert (progress.step, progress.done, progress.total) == ("fetch", 3, 8)
    status = jobs.status("copy:a")
    assert status is not None
    assert (status.state, status.step) == (JobState.RUNNING, "fetch")
    gate.opened.set()
    assert jobs.wait(["copy:a"], SOON)
    assert jobs.progress("copy:a") is None


def test_a_forgotten_job_leaves_no_trace_and_can_be_queued_again(site: Site, journal: Journal) -> None:
    jobs = site.start(copy=[journal.step("fetch", fail)])
    for job_id in ("copy:a", "copy:ab"):
        jobs.enqueue("copy", job_id, job_id)
    assert jobs.wait(["copy:a", "copy:ab"], SOON)
    jobs.retry("copy:a")
    assert jobs.wait(["copy:a"], SOON)
    jobs.forget("copy:a")
    assert [each.job_id for each in jobs.jobs()] == ["copy:ab"]
    jobs.enqueue("copy", "copy:a", "again")
    assert jobs.wait(["copy:a"], SOON)
    assert journal.lines[-1] == "fetch again"


def test_listings_are_newest_first_by_kind_and_limited(site: Site, journal: Journal) -> None:
    jobs = site.start(copy=[journal.step("fetch")], move=[journal.step("carry")])
    for kind, name in (("copy", "a"), ("move", "b"), ("copy", "c")):
        jobs.enqueue(kind, f"{kind}:{name}", name)
        assert jobs.wait([f"{kind}:{name}"], SOON)
    assert [each.argument for each in jobs.jobs()] == ["c", "b", "a"]
    assert [each.argument for each in jobs.jobs("copy")] == ["c", "a"]
    assert [each.argument for each in jobs.jobs(limit=1)] == ["c"]


def test_arguments_and_errors_are_kept_as_they_are(site: Site, hostile: str) -> None:
    seen: list[str] = []

    def refuse(argument: str, report: Progress) -> None:
        seen.append(argument)
        raise PinciteError(f"no: {argument}")

    jobs = site.start(copy=[JobStep("fetch", refuse)])
    jobs.enqueue("copy", "copy:a", hostile)
    assert jobs.wait(["copy:a"], SOON)
    status = jobs.status("copy:a")
    assert status is not None
    assert (seen, status.argument, status.error) == ([hostile], hostile, f"no: {hostile}")


def test_one_job_of_many_askers(site: Site, journal: Journal, together: Callable[..., list[Any]]) -> None:
    jobs = site.start(copy=[journal.step("fetch")])
    assert together(lambda _: jobs.enqueue("copy", "copy:a", "a"), 6) == [None] * 6
    assert jobs.wait(["copy:a"], SOON)
    assert journal.lines == ["fetch a"]
