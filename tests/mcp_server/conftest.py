"""A small workbench in memory with two users, and clients of the SDK in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from mcp import Client as McpClient

from tests.mcp_server.desk import LEASE, MINUTES, SUPPLY, make_stores, put
from workbench import bootstrap
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_jobs import MemoryJobs
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.bootstrap import Workbench
from workbench.domain.clients import Client
from workbench.domain.conversations import Turn
from workbench.domain.documents import Document
from workbench.domain.ids import UserId
from workbench.domain.people import LOCAL_USER, Identity
from workbench.mcp_server.server import make_server
from workbench.settings import Settings


class Desk(NamedTuple):
    """The workbench, its clock, and what is in it: ``minutes`` is of another user."""

    bench: Workbench
    clock: FixedClock
    stores: dict[str, Any]
    other: UserId
    supply: Document
    lease: Document
    minutes: Document

    def client(self, **changes: Any) -> Client:
        return Client(name="desk tool", user_id=LOCAL_USER).model_copy(update=changes)

    def connected(self, client: Client | None = None, mode: str = "auto", **options: Any) -> McpClient:
        """A client of the SDK in this process."""
        server = make_server(lambda: self.bench, lambda _context: client or self.client())
        return McpClient(server, mode=mode, raise_exceptions=True, **options)

    def traced(self) -> list[Turn]:
        """The stored turns of the local user."""
        access = self.bench.library.access(LOCAL_USER)
        talks = self.bench.conversations.list(access)
        return [turn for talk in talks for turn in self.bench.conversations.turns(access, talk.id)]

    def events(self, turn: Turn) -> list[Any]:
        return self.bench.turns.events(self.bench.library.access(LOCAL_USER), turn.id)


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Return a function that builds a workbench for a script of the model, or a model; others are settings or parts."""
    made: list[tuple[Workbench, MemoryJobs]] = []

    def build(steps: Any = (), sandbox: Any = None, **settings: Any) -> Desk:
        model = steps if hasattr(steps, "stream") else ScriptedModel(steps)
        stores = make_stores()
        parts = stores | ({} if sandbox is None else {"sandbox": sandbox})
        given = Settings(home=tmp_path / "home", sandbox="off", **settings)
        bench = bootstrap.build(given, model=model, **parts)
        made.append((bench, stores["jobs"]))
        clock = stores["clock"]
        other = bench.people.sign_in(Identity(issuer="https://id.example", subject="bo", signed_in_at=clock.now())).id
        return Desk(
            bench=bench,
            clock=clock,
            stores=stores,
            other=other,
            supply=put(bench, stores, LOCAL_USER, "Food", "tarn_supply.pdf", SUPPLY),
            lease=put(bench, stores, LOCAL_USER, "Leases", "mill_lease.pdf", LEASE),
            minutes=put(bench, stores, other, "Board", "minutes.pdf", MINUTES),
        )

    yield build
    for bench, jobs in made:
        bench.close()
        jobs.close()
