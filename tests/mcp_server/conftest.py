"""A small workbench with two users, and clients of the SDK over each transport."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from mcp import Client as McpClient

from workbench import bootstrap
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.bootstrap import Workbench
from workbench.domain.clients import Client
from workbench.domain.conversations import Turn
from workbench.domain.documents import Document
from workbench.domain.ids import UserId
from workbench.domain.people import LOCAL_USER, Identity
from workbench.mcp_server.server import make_server
from workbench.services.ingestion.jobs import Upload
from workbench.settings import Settings

SUPPLY = """Supply Agreement between Tarn Foods and the Buyer.

1. Payment. The Buyer shall pay each invoice within 21 days of its date.

2. Liability. The liability of the Supplier shall not exceed EUR 75,000 in a year.
"""
BOARD = "Minutes of the board. The acquisition of Corvid Mills is planned for 9 million euros. Payment is due in May."
LEASE = "Lease of the mill. The rent of 4,200 euros is due on the third day of each month. Payment by transfer."


class Desk(NamedTuple):
    """The workbench, its clock, and what is in it: ``minutes`` is of another user."""

    bench: Workbench
    clock: FixedClock
    other: UserId
    supply: Document
    lease: Document
    minutes: Document

    def client(self, **changes: Any) -> Client:
        return Client(name="desk tool", user_id=LOCAL_USER).model_copy(update=changes)

    def connected(self, client: Client | None = None, mode: str = "auto") -> McpClient:
        """A client of the SDK in this process."""
        server = make_server(lambda: self.bench, lambda _context: client or self.client())
        return McpClient(server, mode=mode, raise_exceptions=True)

    def traced(self) -> list[Turn]:
        """The stored turns of the local user, those of the conversation used last first."""
        access = self.bench.library.access(LOCAL_USER)
        talks = self.bench.conversations.list(access)
        return [turn for talk in talks for turn in self.bench.conversations.turns(access, talk.id)]


def add(bench: Workbench, user: UserId, container: str, name: str, text: str) -> Document:
    home = bench.library.ensure_container(bench.library.access(user), container)
    member = bench.library.access(user)
    (outcome,) = bench.ingestion.submit(member, home.id, [Upload(name, text.encode(), ())])
    bench.ingestion.wait([outcome.document_id])
    return bench.library.document(member, outcome.document_id)


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Return a function that builds a workbench for a script of the model and settings."""
    made: list[Workbench] = []

    def build(steps: Any = (), **settings: Any) -> Desk:
        clock = FixedClock()
        model = steps if hasattr(steps, "stream") else ScriptedModel(steps)
        options = {"sandbox": "off", **settings}
        bench = bootstrap.build(
            Settings(home=tmp_path / "home", **options), embedder=HashingEmbedder(), model=model, clock=clock
        )
        made.append(bench)
        other = bench.people.sign_in(Identity(issuer="https://id.example", subject="bo", signed_in_at=clock.now())).id
        supply = add(bench, LOCAL_USER, "Food", "tarn_supply.txt", SUPPLY)
        lease = add(bench, LOCAL_USER, "Leases", "mill_lease.txt", LEASE)
        minutes = add(bench, other, "Board", "minutes.txt", BOARD)
        return Desk(bench, clock, other, supply, lease, minutes)

    yield build
    for bench in made:
        bench.close()
