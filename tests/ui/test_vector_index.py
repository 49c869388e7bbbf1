"""After a change of the embedding model the Settings screen offers to index again; otherwise it says nothing of it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from workbench.domain.ids import ContainerId
from workbench.domain.jobs import JobProgress, JobState, JobStatus
from workbench.services.retrieval.reindex import ContainerVectors, IndexStatus
from workbench.ui import process

pytestmark = pytest.mark.req("FIND-9")

BOX = ContainerVectors(container_id=ContainerId("box"), name="Contracts <1>", documents=5, missing=3)


class Reindexing:
    """A re-index whose status is given."""

    def __init__(self, status: IndexStatus) -> None:
        self._status = status
        self.started = 0

    def status(self) -> IndexStatus:
        return self._status

    def start(self) -> None:
        self.started += 1
        job = JobStatus(
            job_id="j", kind="k", argument="", state=JobState.RUNNING, queued_at=datetime(2026, 1, 1, tzinfo=UTC)
        )
        progress = JobProgress(step="embed", done=4, total=16)
        self._status = self._status.model_copy(update={"job": job, "progress": progress})


def test_what_lacks_vectors_is_offered_and_the_job_is_followed(library, open_screen) -> None:
    reindexing = Reindexing(IndexStatus(model="m", containers=(BOX,)))
    process.install(replace(library.workbench, reindex=reindexing))
    at = open_screen("settings")
    assert "3 documents have no vectors" in at.warning[0].value.replace("\\", "")
    assert any("Contracts &lt;1&gt;: 3 of 5 documents" in each.proto.body for each in at.get("html"))
    at.button(key="reindex.start").click().run()
    assert not at.exception
    assert reindexing.started == 1
    assert "4 of 16 passages" in at.get("progress")[0].proto.text
    assert not at.warning


def test_nothing_is_said_while_every_document_has_vectors(library, open_screen) -> None:
    at = open_screen("settings")
    assert "Embedding model" not in [each.value for each in at.subheader]
