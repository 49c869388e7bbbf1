"""Loops that are broken on purpose, each in one way, and the scorer that tells."""

from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import NamedTuple

import pytest

from tests.acceptance import scripts
from tests.playbook import Scripts
from workbench.adapters.fakes.scripted_model import calls
from workbench.domain.budgets import Limits
from workbench.domain.events import Event, QueryRewritten
from workbench.domain.items import FunctionCall, ModelResponse
from workbench.domain.results import TurnStatus
from workbench.services.agent import turns
from workbench.services.agent.batch import Batch
from workbench.services.agent.loop import TurnRun
from workbench.services.agent.spending import Spending
from workbench.services.agent.wiring import Accepted
from workbench.services.tools.rewrite_query import RewriteArguments, RewriteQuery
from workbench.services.tools.search_documents import SearchArguments
from workbench.services.tools.tool import ToolContext, ToolResult


class Fault(NamedTuple):
    """How the loop is broken, the suite that must notice, the scorer that must say so, and scripts that go along with it."""

    breaking: Callable[[pytest.MonkeyPatch], None]
    suite: str
    scorer: str
    scripts: Scripts = MappingProxyType({})


def rewrites_again(patch: pytest.MonkeyPatch) -> None:
    """A second rewrite is taken like the first."""

    def settle(self: RewriteQuery, fetched: None, arguments: RewriteArguments, context: ToolContext) -> ToolResult:
        event = QueryRewritten(call_id=context.call_id, before=context.question, after=arguments.query)
        return ToolResult(f"Rewritten: {arguments.query}", (event,))

    patch.setattr(RewriteQuery, "settle", settle)


def repeats_searches(patch: pytest.MonkeyPatch) -> None:
    """Every search of a round is run a second time."""
    run = Batch.run

    def twice(self: Batch, made: Sequence[FunctionCall]) -> Iterator[Event]:
        yield from run(self, made)
        again = [each.model_copy(update={"call_id": f"{each.call_id}_again"}) for each in made if "search" in each.name]
        outputs = self.outputs
        yield from run(self, again) if again else ()
        self.outputs = outputs

    patch.setattr(Batch, "run", twice)
    patch.setattr(Batch, "_count", lambda self, call: 1)


def stops_early(patch: pytest.MonkeyPatch) -> None:
    """Of several calls only the first is run, and the turn ends with that."""

    class Early(TurnRun):
        def _run_tools(self, response: ModelResponse) -> Iterator[Event]:
            first = response.model_copy(update={"output": response.output[:1]})
            yield from super()._run_tools(first)
            yield from self._write("That is all.")
            yield from self._end(TurnStatus.ANSWERED)

        def _steps(self) -> Iterator[Event]:
            response = yield from self._call_model(self._first_input())
            yield from self._run_tools(response) if response.calls else self._finish(response)

    patch.setattr(turns, "TurnRun", Early)


def ignores_caps(patch: pytest.MonkeyPatch) -> None:
    """Ceilings are written down and never looked at."""
    patch.setattr(Spending, "_check", lambda self, names: None)


def defaults_for_caps(patch: pytest.MonkeyPatch) -> None:
    """The limits that are set are told, and others hold."""

    class Forgetful(Spending):
        def __init__(self, limits: Limits, clock: object) -> None:
            super().__init__(Limits(), clock)  # type: ignore[arg-type]

    patch.setattr("workbench.services.agent.loop.Spending", Forgetful)


def pastes_the_rewrite(patch: pytest.MonkeyPatch) -> None:
    """Every search of the round runs with the rewritten question."""

    def paste(batch: Sequence[Accepted], question: str) -> list[Accepted]:
        after = next((each.arguments.query for each in batch if isinstance(each.arguments, RewriteArguments)), None)
        if after is None:
            return list(batch)
        return [
            each._replace(arguments=each.arguments.model_copy(update={"query": after}))
            if isinstance(each.arguments, SearchArguments)
            else each
            for each in batch
        ]

    patch.setattr("workbench.services.agent.batch.wire_rewrite", paste)


def forgets_the_rewrite(patch: pytest.MonkeyPatch) -> None:
    """The single search runs with the old wording."""
    patch.setattr("workbench.services.agent.batch.wire_rewrite", lambda batch, question: list(batch))


_TWO_REWRITES: Scripts = {
    scripts.TYPO: [
        calls(scripts.rewrite(scripts.CLEAN), scripts.rewrite("Payment terms, compared."), *scripts.each_payment()),
        scripts.COMPARED,
    ]
}

FAULTS = {
    "two rewrites": Fault(rewrites_again, "routing", "one_rewrite", _TWO_REWRITES),
    "a repeated search": Fault(repeats_searches, "routing", "no_repeated_search"),
    "an early stop": Fault(stops_early, "routing", "enough"),
    "an ignored cap": Fault(ignores_caps, "budgets", "within_budget"),
    "a cap that is not the one that was set": Fault(defaults_for_caps, "budgets", "within_budget"),
    "the rewrite pasted into every search": Fault(pastes_the_rewrite, "routing", "rewrite_wired"),
    "the rewrite lost": Fault(forgets_the_rewrite, "routing", "rewrite_wired"),
}
