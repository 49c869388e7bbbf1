"""One batch of tool calls: check them, wire them, run them side by side, and give each exactly one output."""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Literal, NamedTuple

from workbench.domain.errors import PinciteError
from workbench.domain.events import Event, ToolCallFinished, ToolCallStarted
from workbench.domain.items import FunctionCall, FunctionCallOutput
from workbench.domain.scope import Scope
from workbench.services.agent.gathered import Gathered
from workbench.services.agent.pump import Halted, outcome
from workbench.services.agent.spending import LimitHit, Spending
from workbench.services.agent.wiring import wire_rewrite
from workbench.services.ports import Clock
from workbench.services.retrieval.ledger import Ledger
from workbench.services.tools.registry import Accepted, Rejected, Toolbelt
from workbench.services.tools.search_documents import SearchArguments
from workbench.services.tools.tool import CallRejected, Ending, ToolContext, ToolResult

NOT_RUN = "This call was not run: the turn ended before it."
PARALLEL = 4


class Refusal(NamedTuple):
    """A call that does not run, why, and what the model is told."""

    outcome: Literal["rejected", "repeated", "skipped"]
    message: str


class Batch:
    """Runs the batches of one turn; remembers what was asked, so that an identical call is answered from the ledger.

    After ``run``: ``outputs`` holds one output a call, but for ``asked``, the call that put a question to the user, which
    the user's reply answers; ``ending`` is set where a tool ended the turn, ``limit`` where a ceiling did.
    """

    def __init__(
        self,
        toolbelt: Toolbelt,
        scope: Scope,
        question: str,
        ledger: Ledger,
        spending: Spending,
        clock: Clock,
        halted: Halted,
        *,
        current: Callable[[Scope], Scope] = lambda scope: scope,
    ) -> None:
        """``current`` gives a scope the rights that the user has at that moment: each round asks it anew."""
        self._current = current
        self._toolbelt = toolbelt
        self._scope = scope
        self._question = question
        self._ledger = ledger
        self._spending = spending
        self._clock = clock
        self._halted = halted
        self._asked: dict[tuple[str, str], int] = {}
        self.outputs: dict[str, FunctionCallOutput] = {}
        self.ending: Ending | None = None
        self.asked: str | None = None
        self.limit: LimitHit | None = None
        self.gathered = Gathered()
        self._in_round = 0

    def run(self, calls: Sequence[FunctionCall]) -> Iterator[Event]:
        """Run the calls and yield their events, in the order of the batch whichever was faster.

        Raises what ``halted`` returns, at once, whatever is still being fetched.
        """
        self.outputs = {call.call_id: FunctionCallOutput(call_id=call.call_id, output=NOT_RUN) for call in calls}
        self._in_round = 0
        self._scope = self._current(self._scope)
        plan = [(call, self._admit(call)) for call in calls]
        wired = {
            a.call.call_id: a for a in wire_rewrite([a for _, a in plan if isinstance(a, Accepted)], self._question)
        }
        for call in calls:
            yield ToolCallStarted(call_id=call.call_id, name=call.name, arguments=call.arguments)
        share = self._ledger.share(sum(isinstance(each.arguments, SearchArguments) for each in wired.values()))
        pool = ThreadPoolExecutor(max_workers=PARALLEL, thread_name_prefix="tool")
        try:
            fetches = {
                call_id: pool.submit(self._fetch, accepted, self._context(accepted, plan, share))
                for call_id, accepted in wired.items()
            }
            for call, admitted in plan:
                if isinstance(admitted, Refusal):
                    yield self._finished(call, admitted.outcome, admitted.message, 0.0)
                else:
                    accepted = wired[call.call_id]
                    yield from self._settle(accepted, self._context(accepted, plan, share), fetches[call.call_id])
        finally:
            # Not waited for: after a stop, a fetch that stands at a slow embedding ends by itself and is not looked at.
            pool.shutdown(wait=False, cancel_futures=True)

    def _admit(self, call: FunctionCall) -> Accepted | Refusal:
        if self.limit is not None:
            return Refusal("skipped", NOT_RUN)
        a_round = self._spending.limits.calls_per_round
        if self._in_round >= a_round:
            only = "only one call" if a_round == 1 else f"only {a_round} calls"
            return Refusal(
                "skipped", f"This call was not run: {only} a round. Make it in the next round if you need it."
            )
        try:
            self._spending.tool_call()
            self._in_round += 1
            self._spending.round_of(self._in_round)
            checked = self._toolbelt.check(call)
            times = self._count(call)
            if times > 1:
                self._spending.identical_call(times)
        except LimitHit as hit:
            self.limit = hit
            return Refusal("skipped", NOT_RUN)
        if isinstance(checked, Rejected):
            return Refusal("rejected", checked.message)
        if times > 1:
            message = f"This very call was made before in this turn (now {times} times). Its result stands above."
            return Refusal("repeated", f"NOTE: {message} Ask something else, or answer.")
        return checked

    def _count(self, call: FunctionCall) -> int:
        key = (call.name, _canonical(call.arguments))
        self._asked[key] = self._asked.get(key, 0) + 1
        return self._asked[key]

    def _context(
        self, accepted: Accepted, plan: Sequence[tuple[FunctionCall, Accepted | Refusal]], share: int
    ) -> ToolContext:
        requested = next(
            (
                before.arguments.query
                for call, before in plan
                if call is accepted.call
                and isinstance(before, Accepted)
                and isinstance(before.arguments, SearchArguments)
            ),
            None,
        )
        return ToolContext(
            scope=self._scope,
            ledger=self._ledger,
            question=self._question,
            call_id=accepted.call.call_id,
            requested_query=requested,
            share=share,
            seconds_left=lambda: self._spending.seconds_left,
            halted=lambda: self._halted() is not None,
        )

    def _fetch(self, accepted: Accepted, context: ToolContext) -> tuple[Any, float]:
        started = self._clock.monotonic()
        fetched = accepted.tool.fetch(accepted.arguments, context)
        return fetched, self._clock.monotonic() - started

    def _settle(self, accepted: Accepted, context: ToolContext, fetch: "Future[tuple[Any, float]]") -> Iterator[Event]:
        call = accepted.call
        try:
            fetched, seconds = outcome(fetch, self._halted)
            result = accepted.tool.settle(fetched, accepted.arguments, context)
        except CallRejected as error:
            message = f"The arguments of {call.name} were rejected, and the call did not run: {error}"
            yield self._finished(call, "rejected", message, 0.0)
            return
        except PinciteError as error:
            yield self._finished(call, "failed", f"The call failed: {error}", 0.0)
            return
        if result.ending is not None and self.ending is not None:
            message = "This call was not run: another call of the same round ends the turn."
            yield self._finished(call, "skipped", message, seconds)
            return
        self._spending.chunks(self._ledger.given)
        self.gathered.take(result)
        yield from result.events
        yield self._told(call, result, seconds)

    def _told(self, call: FunctionCall, result: ToolResult, seconds: float) -> ToolCallFinished:
        self.ending = result.ending or self.ending
        if result.ending is None or not result.ending.asks:
            return self._finished(call, "ok", result.output, seconds)
        self.asked = call.call_id
        del self.outputs[call.call_id]
        return ToolCallFinished(call_id=call.call_id, name=call.name, outcome="ok", output="", seconds=seconds)

    def _finished(
        self,
        call: FunctionCall,
        outcome: Literal["ok", "rejected", "repeated", "skipped", "failed"],
        output: str,
        s: float,
    ) -> ToolCallFinished:
        self.outputs[call.call_id] = FunctionCallOutput(call_id=call.call_id, output=output)
        return ToolCallFinished(
            call_id=call.call_id, name=call.name, outcome=outcome, output=output, seconds=round(s, 4)
        )


def _canonical(arguments: str) -> str:
    """Return the arguments so that spacing and the order of keys make no difference; text that is not JSON stays."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except ValueError:
        return arguments.strip()
