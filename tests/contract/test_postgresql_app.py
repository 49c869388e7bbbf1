"""The whole workbench on PostgreSQL, by one setting: read in, ask, delete, start again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.domain.documents import DocumentState
from workbench.domain.results import TurnStatus
from workbench.services.ingestion.jobs import Upload
from workbench.settings import Settings

LEASE = b"The Tenant shall pay the rent of EUR 900 within 14 days of the invoice. " * 5


@pytest.mark.req("CHAT-5")
def test_the_workbench_runs_on_postgresql_by_one_setting(tmp_path: Path, new_url: Callable[[], str]) -> None:
    settings = Settings(home=tmp_path, database_url=new_url())
    first = bootstrap.build(settings, embedder=HashingEmbedder())
    first.library.create_container(first.library.access(bootstrap.LOCAL_USER), "Leases")
    access = first.library.access(bootstrap.LOCAL_USER)
    (container,) = first.library.containers(access)
    (outcome,) = first.ingestion.submit(access, container.id, [Upload("lease.txt", LEASE)])
    assert outcome.document_id is not None
    assert first.ingestion.wait([outcome.document_id], 60)
    assert first.library.document(access, outcome.document_id).state is DocumentState.READY
    talk = first.conversations.create(access, [container.id])
    turn = first.turns.wait(access, first.turns.ask(access, talk.id, "When is the rent due?").id)
    assert turn.status is TurnStatus.ANSWERED, turn.reason
    assert turn.answer.citations[0].document_id == outcome.document_id
    first.close()

    again = bootstrap.build(settings, embedder=HashingEmbedder())
    assert again.conversations.turn(access, turn.id) == turn
    for receipt in (
        again.deletion.delete_document(access, outcome.document_id),
        again.deletion.delete_conversation(access, talk.id),
    ):
        assert not receipt.open, receipt.left
    assert again.library.documents(access, [container.id]) == []
    assert again.conversations.list(access) == []
    again.close()
    assert not (tmp_path / "pincite.db").exists()
