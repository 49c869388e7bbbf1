"""What jobs on DBOS must do beyond the contract: one at a time, quietly, and with an end to what ends the program."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import psutil
import pytest

from workbench.adapters.jobs.dbos_jobs import DbosJobs
from workbench.adapters.jobs.statuses import AttemptId, job_status
from workbench.domain.errors import ConfigurationError, PinciteError
from workbench.domain.jobs import JobState
from workbench.services.ports import JobStep, Progress

SOON = 30.0
pytestmark = pytest.mark.req("LIB-7")


def nothing(argument: str, report: Progress) -> None:
    report(1, 1)


class Opened:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.all: list[DbosJobs] = []

    def __call__(self, name: str = "jobs") -> DbosJobs:
        jobs = DbosJobs(f"sqlite:///{self._folder / name}.db", workers=1)
        jobs.register("copy", [JobStep("fetch", nothing)])
        jobs.resume()
        self.all.append(jobs)
        return jobs


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(tmp_path)
    yield opened
    for jobs in opened.all:
        jobs.close()


def test_nothing_is_started_before_there_is_something_to_do(opened: Opened, tmp_path: Path) -> None:
    jobs, before = opened(), threading.active_count()
    assert jobs.jobs() == []
    assert jobs.wait(["copy:a"], 0)
    assert (list(tmp_path.iterdir()), threading.active_count()) == ([], before)


def test_a_second_one_in_the_process_is_refused_until_the_first_is_closed(opened: Opened) -> None:
    first, second = opened("first"), opened("second")
    first.enqueue("copy", "copy:a", "a")
    with pytest.raises(ConfigurationError, match="Another workbench of this process"):
        second.enqueue("copy", "copy:b", "b")
    assert first.wait(["copy:a"], SOON)
    first.close()
    second.enqueue("copy", "copy:b", "b")
    assert second.wait(["copy:b"], SOON)
    assert [each.job_id for each in second.jobs()] == ["copy:b"]


def test_it_works_for_callers_in_whose_thread_an_event_loop_runs(opened: Opened) -> None:
    jobs = opened()

    async def in_a_loop() -> list[str]:
        jobs.enqueue("copy", "copy:a", "a")
        assert jobs.wait(["copy:a"], SOON)
        jobs.retry("copy:a")
        jobs.cancel("copy:a")
        assert jobs.wait(["copy:a"], SOON)
        found = [each.job_id for each in jobs.jobs()]
        jobs.forget("copy:a")
        assert jobs.status("copy:a") is None
        jobs.close()
        return found

    # In a thread of its own: the test's may have a loop already.
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(lambda: asyncio.run(in_a_loop())).result(SOON)
    assert found == ["copy:a", "copy:a"]


def test_it_serves_no_port_and_leaves_no_thread(opened: Opened) -> None:
    before = {thread.ident for thread in threading.enumerate()}
    connected = {each.laddr for each in psutil.Process().net_connections()}  # what other tests have open
    jobs = opened()
    jobs.enqueue("copy", "copy:a", "a")
    assert jobs.wait(["copy:a"], SOON)
    assert {each.laddr for each in psutil.Process().net_connections()} <= connected
    jobs.close()
    left = [each for each in threading.enumerate() if each.ident not in before and "executor" not in each.name]
    for thread in left:
        thread.join(SOON)
    assert not any(thread.is_alive() for thread in left)
    with pytest.raises(PinciteError, match="closing"):
        jobs.enqueue("copy", "copy:b", "b")


def test_a_database_that_cannot_be_opened_is_told(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "jobs.db").write_bytes(b"no database at all, but long enough to be looked at" * 50)
    with pytest.raises(ConfigurationError, match="job queue cannot be opened") as refused:
        opened().enqueue("copy", "copy:a", "a")
    assert "PINCITE_JOBS_DATABASE_URL" in refused.value.advice
    other = opened("other")
    other.enqueue("copy", "copy:a", "a")
    assert other.wait(["copy:a"], SOON)


def test_a_job_that_ended_the_program_too_often_has_failed() -> None:
    milliseconds = 1_767_600_000_000
    workflow = SimpleNamespace(
        workflow_id="copy:a#2",
        name="copy",
        status="MAX_RECOVERY_ATTEMPTS_EXCEEDED",
        input={"args": ["copy:a", "a"], "kwargs": {}},
        recovery_attempts=27,
        created_at=milliseconds,
        dequeued_at=None,
        completed_at=None,
    )
    status = job_status(cast("Any", workflow))
    assert (status.state, status.attempt, status.starts) == (JobState.FAILED, 2, 27)
    assert "ended too often" in status.error
    assert status.queued_at == datetime.fromtimestamp(milliseconds / 1000, UTC)


def test_the_id_of_an_attempt_is_read_back_whatever_is_in_the_jobs_own() -> None:
    attempt = AttemptId("copy:a#1#b", 12)
    assert AttemptId.parse(str(attempt)) == attempt
