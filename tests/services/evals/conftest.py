"""Evaluation over the small library in memory, and turns with events as they are stored."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.playbook import PlaybookModel, Scripts
from tests.services.conftest import ACCESS, CONTRACTS, PRIVATE, Bench
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.fakes.memory_evals import MemoryEvalStore
from workbench.domain.budgets import DEFAULT_PROFILES
from workbench.domain.documents import Container
from workbench.domain.errors import NotFound
from workbench.domain.evals import Versions
from workbench.domain.ids import UserId
from workbench.domain.scope import Access
from workbench.services.agent.prompt import load_prompt
from workbench.services.agent.turns import Turns
from workbench.services.conversations import Conversations
from workbench.services.evals.datasets import Suites
from workbench.services.evals.evals import Evals
from workbench.services.evals.prepare import SuiteLibrary
from workbench.services.evals.replay import Replay
from workbench.services.evals.runner import Runner
from workbench.services.tools.registry import ToolRegistry

ADMIN = Access(user_id=UserId("root"), containers=frozenset(), administrator=True)


class SmallLibrary:
    """The part of the library that evaluation reads."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.rights = {ACCESS.user_id: frozenset([CONTRACTS]), UserId("board"): frozenset([CONTRACTS, PRIVATE])}

    def access(self, user_id: UserId) -> Access:
        if user_id == ADMIN.user_id:
            return ADMIN
        return Access(user_id=user_id, containers=self.rights.get(user_id, frozenset()))

    def containers(self, access: Access) -> list[Container]:
        return [each for each in self._bench.library.containers() if access.may_see(each.id)]

    def container_named(self, access: Access, name: str) -> Container:
        for each in self.containers(access):
            if each.name == name:
                return each
        raise NotFound(f"There is no container {name!r}.")

    def documents(self, access: Access, containers: Any) -> Any:
        return self._bench.library.documents(containers)

    def document(self, access: Access, document_id: Any) -> Any:
        return self._bench.library.document(document_id)


class Evaluating(NamedTuple):
    evals: Evals
    replay: Replay
    conversations: Conversations
    store: MemoryConversationStore
    runs: MemoryEvalStore
    folder: Path
    turns: Callable[..., Turns]
    clock: FixedClock

    def write(self, name: str, text: str) -> str:
        (self.folder / f"{name}.toml").write_text(text, encoding="utf-8")
        return name


@pytest.fixture
def evaluating(bench: Bench, tmp_path: Path) -> Callable[..., Evaluating]:
    """Return a function that makes the use case of evaluation for a playbook."""

    def make(scripts: Scripts, price: float | None = 0.0, **replaced: Any) -> Evaluating:
        store, runs = replaced.get("store") or MemoryConversationStore(), replaced.get("runs") or MemoryEvalStore()
        conversations = Conversations(store, bench.clock)
        turns = partial(
            Turns,
            conversations=conversations,
            store=store,
            library=bench.library,
            search=bench.search,
            registry=bench.registry,
            prompt=load_prompt(),
            clock=bench.clock,
        )
        library: Any = SmallLibrary(bench)
        nothing_to_take_in: Any = None
        suite_library = SuiteLibrary(library, nothing_to_take_in, tmp_path)
        evals = Evals(
            store=runs,
            suites=Suites(tmp_path),
            suite_library=suite_library,
            conversations=conversations,
            library=library,
            runner=Runner(suite_library, conversations, turns, DEFAULT_PROFILES),
            models=lambda name: PlaybookModel(scripts, price),
            versions=Versions(application="0.1", prompt="test-1", embedding="hashing"),
            clock=bench.clock,
        )
        replay = Replay(
            conversations,
            store,
            bench.library,
            lambda clock: ToolRegistry(bench.search, bench.library, clock, bench.tables, bench.sandbox),
        )
        return Evaluating(evals, replay, conversations, store, runs, tmp_path, turns, bench.clock)

    return make
