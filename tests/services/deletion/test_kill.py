"""A process that is killed in the middle of a deletion, with the real parts: the next one finishes it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.domain.deletions import Fate
from workbench.domain.errors import NotFound
from workbench.domain.scope import build_scope
from workbench.settings import Settings

pytestmark = pytest.mark.req("CHAT-2", "CHAT-3")

CHILD = """
import os, signal, sys
from pathlib import Path
from workbench import bootstrap
from workbench.adapters.blobs.local import LocalBlobs
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.services.ingestion.jobs import Upload
from workbench.settings import Settings

part, when = {"vectors": (ChromaVectors, "delete_document"), "files": (LocalBlobs, "delete"),
              "talk": (SqlConversationStore, "delete_conversation")}[sys.argv[2]], sys.argv[3]
work = getattr(*part)

def killed(*args):
    if when == "after":
        work(*args)
    os.kill(os.getpid(), signal.SIGKILL)

home = Path(sys.argv[1])
workbench = bootstrap.build(Settings(home=home), embedder=HashingEmbedder())
workbench.library.ensure_container(workbench.library.access(bootstrap.LOCAL_USER), "Legal")
access = workbench.library.access(bootstrap.LOCAL_USER)
(container,) = workbench.library.containers(access)
(outcome,) = workbench.ingestion.submit(access, container.id, [Upload("lease.md", b"# Lease\\n\\nThe quokka clause binds.")])
workbench.ingestion.wait([outcome.document_id], 120)
assert workbench.library.document(access, outcome.document_id).searchable
talk = workbench.conversations.create(access, [container.id])
turn = workbench.turns.wait(access, workbench.turns.ask(access, talk.id, "What does the quokka clause do?").id)
print(outcome.document_id, talk.id, turn.id, flush=True)
setattr(*part, killed)
if sys.argv[2] == "talk":
    workbench.deletion.delete_conversation(access, talk.id)
else:
    workbench.deletion.delete_document(access, outcome.document_id)
"""


@pytest.mark.parametrize(("part", "when"), [("vectors", "before"), ("files", "after"), ("talk", "before")])
def test_a_killed_deletion_is_finished_by_the_next_process(tmp_path: Path, part: str, when: str) -> None:
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path), part, when],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        cwd=Path(bootstrap.__file__).parents[1],
    )
    assert child.returncode == -signal.SIGKILL, child.stderr[-2000:]
    document_id, talk_id, turn_id = child.stdout.split()

    workbench = bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder())
    access = workbench.library.access(bootstrap.LOCAL_USER)
    (receipt,) = workbench.deletion.receipts(access)
    receipt = workbench.deletion.retry(access, receipt.id)
    try:
        assert not receipt.open, receipt.left
        assert {item.fate for item in receipt.items} <= {Fate.DELETED, Fate.ALREADY_GONE}
        if part == "talk":
            assert receipt.subject == talk_id
            with pytest.raises(NotFound):
                workbench.conversations.turn(access, turn_id)
        else:
            assert receipt.subject == document_id
            with pytest.raises(NotFound):
                workbench.library.document(access, document_id)
            (container,) = workbench.library.containers(access)
            found = workbench.search.documents(build_scope(access, [container.id]))
            assert found == []
            assert [each for each in (tmp_path / "files").rglob("*") if each.is_file()] == []
            # The answer that cited it is still there, whole.
            assert "quokka" in workbench.conversations.turn(access, turn_id).answer.text
    finally:
        workbench.close()
