"""The loop: call the model, run the tools it asks for, until it answers or a hard limit ends the turn.

``TurnRun.events`` is the one place where a turn happens. It yields the turn's events; what must be stored besides
(transcript, thread, response ids) stands on the run and is valid after every event.
"""

import logging
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from typing import NamedTuple

from workbench.domain.budgets import UNITS, Limits, Profile
from workbench.domain.citations import CitedAnswer
from workbench.domain.conversations import Thread
from workbench.domain.errors import HistoryExpired, ModelError, ModelRefused, ResponseIncomplete
from workbench.domain.events import (
    AnswerDelta,
    AnswerWithdrawn,
    BudgetSpent,
    CodeRan,
    Event,
    LimitReached,
    ModelCallFinished,
    ModelCallStarted,
    ObjectKept,
    ResponseCreated,
    TurnFinished,
    TurnStarted,
)
from workbench.domain.ids import ConversationId, TurnId
from workbench.domain.items import FunctionCallOutput, Item, ModelResponse, UserMessage
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Filters, Scope
from workbench.services.agent.batch import NOT_RUN, Batch
from workbench.services.agent.gathered import Gathered
from workbench.services.agent.partial import partial_text
from workbench.services.agent.pump import Pump
from workbench.services.agent.spending import LimitHit, Spending
from workbench.services.agent.unheard import replied
from workbench.services.citations.writer import CitationWriter
from workbench.services.ports import (
    Clock,
    Model,
    ModelRequest,
    ObjectUsed,
    ResponseFinished,
    ResponseStarted,
    TextDelta,
)
from workbench.services.retrieval.ledger import Ledger
from workbench.services.tools.registry import Toolbelt
from workbench.services.tools.tool import ToolResult

log = logging.getLogger(__name__)

OUTPUT_TOKENS_A_CALL = 4096


class TurnSetup(NamedTuple):
    """Everything a turn starts from."""

    turn_id: TurnId
    conversation_id: ConversationId
    question: str
    scope: Scope
    containers: tuple[str, ...]
    filters: Filters
    profile: Profile
    limits: Limits
    effort: str
    instructions: str
    prompt_version: str
    thread: Thread
    history: tuple[Item, ...]
    current: Callable[[Scope], Scope] = lambda scope: scope
    """Gives a scope the rights that the user has at that moment."""


class Stopped(Exception):
    """The user pressed Stop."""


class TurnRun:
    """One turn in the making."""

    def __init__(
        self,
        setup: TurnSetup,
        model: Model,
        toolbelt: Toolbelt,
        ledger: Ledger,
        clock: Clock,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._setup = setup
        self._model = model
        self._toolbelt = toolbelt
        self._ledger = ledger
        self._clock = clock
        self._stop = stop
        self._spending = Spending(setup.limits, clock)
        self._batch = Batch(
            toolbelt, setup.scope, setup.question, ledger, self._spending, clock, self._halted, current=setup.current
        )
        self._writer = CitationWriter(ledger.source)
        self.thread = setup.thread
        self.items: tuple[Item, ...] = ()
        self.response_ids: tuple[str, ...] = ()

    def events(self) -> Iterator[Event]:
        """Run the turn. The last event is a TurnFinished, whatever happens; only programming errors are raised."""
        setup = self._setup
        yield TurnStarted(
            turn_id=setup.turn_id,
            conversation_id=setup.conversation_id,
            question=setup.question,
            containers=setup.containers,
            filters=setup.filters,
            profile=setup.profile,
            limits=setup.limits,
            model=self._model.name,
            prompt_version=setup.prompt_version,
        )
        try:
            yield from self._steps()
        except LimitHit as hit:
            yield from self._end_at_limit(hit)
        except Stopped:
            yield from self._end(TurnStatus.STOPPED, "You stopped this turn.")
        except ModelError as error:
            yield from self._end(_status_of(error), error.message, error.advice)

    def _steps(self) -> Iterator[Event]:
        new_items = self._first_input()
        while True:
            response = yield from self._call_model(new_items)
            if self._stop():
                raise Stopped
            if not response.calls:
                yield from self._finish(response)
                return
            if response.finish != "complete":
                raise ResponseIncomplete(
                    f"The model's output was cut ({response.finish}) inside a tool call, so the call was not run.",
                    "Ask again, or choose the thorough profile.",
                )
            yield from self._run_tools(response)
            if self._batch.ending is not None:
                yield from self._end_by_tool()
                return
            new_items = self.thread.owed

    def _first_input(self) -> tuple[Item, ...]:
        """Send what the last turn owes first. A question the last turn put to the user is answered by this message."""
        thread, question = self._setup.thread, self._setup.question
        if thread.asked is not None:
            reply = FunctionCallOutput(call_id=thread.asked, output=replied(question))
            return (*thread.owed, *thread.unheard, reply)
        return (*thread.owed, *thread.unheard, UserMessage(text=question))

    def _call_model(self, new_items: tuple[Item, ...]) -> Generator[Event, None, ModelResponse]:
        self._go_on()
        number = self._spending.model_call()
        yield ModelCallStarted(number=number)
        started = self._clock.monotonic()
        self._writer = CitationWriter(self._ledger.source)
        response = yield from self._stream(number, self._request(new_items))
        cost = self._model.cost(response)
        self._spending.response(response, cost)
        if response.finish == "complete":
            self.items += (*new_items, *response.output)
            self.thread = self._thread(response, {})
        elif response.text and not response.calls:
            # A cut response cannot be continued by its id; the next turn starts from the transcript, which knows its text.
            self.items += (*new_items, *response.output)
            self.thread = Thread(provider=self._model.identity)
        yield ModelCallFinished(
            number=number,
            response_id=response.id,
            usage=response.usage,
            seconds=round(self._clock.monotonic() - started, 4),
            cost=cost,
            finish=response.finish,
            calls=len(response.calls),
        )
        yield from self._ran(response)
        yield BudgetSpent(spend=self._spending.so_far)
        return response

    def _ran(self, response: ModelResponse) -> Iterator[Event]:
        """Tell of code that the provider ran by itself: it counts as tool calls, and what it gave can be answered from."""
        self._spending.ran(len(response.runs))
        for each in response.runs:
            event = CodeRan(call_id=each.call_id, run=each.run)
            self._batch.gathered.take(ToolResult(each.run.result.printed, (event,)))
            yield event

    def _request(self, new_items: tuple[Item, ...]) -> ModelRequest:
        return ModelRequest(
            instructions=self._setup.instructions,
            input=new_items,
            history=(*self._setup.history, *self.items),
            previous_response_id=self._previous_response(),
            tools=self._toolbelt.specs,
            effort=self._setup.effort,
            max_output_tokens=min(OUTPUT_TOKENS_A_CALL, self._spending.output_tokens_left),
            tool_calls_left=self._spending.tool_calls_left,
            scope=self._setup.current(self._setup.scope),
        )

    def _previous_response(self) -> str | None:
        """Return the id to continue from; None where this model keeps no thread, or the thread is another model's."""
        continues = self._model.history == "chain" and self.thread.provider == self._model.identity
        return self.thread.response_id if continues else None

    def _thread(
        self, response: ModelResponse, outputs: Mapping[str, FunctionCallOutput], asked: str | None = None
    ) -> Thread:
        """Return the thread after ``response``; a call without an output was not run and owes to say so."""
        not_run = (FunctionCallOutput(call_id=call.call_id, output=NOT_RUN) for call in response.calls)
        owed = {output.call_id: outputs.get(output.call_id, output) for output in not_run if output.call_id != asked}
        return Thread(response_id=response.id, provider=self._model.identity, owed=tuple(owed.values()), asked=asked)

    def _stream(self, number: int, request: ModelRequest) -> Generator[Event, None, ModelResponse]:
        streamed = False
        with closing(Pump(lambda: self._model.stream(request), self._halted).items()) as stream:
            for event in stream:
                match event:
                    case ResponseStarted(response_id):
                        self.response_ids += (response_id,)
                        yield ResponseCreated(number=number, response_id=response_id)
                    case ObjectUsed(container_id, file_id):
                        yield ObjectKept(container_id=container_id, file_id=file_id)
                    case TextDelta(text):
                        streamed = True
                        yield from self._write(text)
                    case ResponseFinished(response):
                        if not streamed:
                            yield from self._write(response.text)
                        return response
        raise ResponseIncomplete("The model's stream ended without a finished response.", "Ask again.")

    def _go_on(self) -> None:
        halt = self._halted()
        if halt is not None:
            raise halt

    def _halted(self) -> Exception | None:
        """Return why the turn has to end now: the user's stop, or the end of its time."""
        return Stopped() if self._stop() else self._spending.out_of_time()

    def _write(self, text: str) -> Iterator[AnswerDelta]:
        delta = self._writer.feed(text)
        if delta is not None:
            yield delta

    def _run_tools(self, response: ModelResponse) -> Iterator[Event]:
        yield from self._withdraw()
        batch = self._batch
        asked = None
        try:
            yield from batch.run(response.calls)
            asked = batch.asked if batch.limit is None else None
        finally:
            # After a stop or a limit as well: what has run by then is told, the rest was not run, and no question was put.
            self.thread = self._thread(response, batch.outputs, asked)
        yield BudgetSpent(spend=self._spending.so_far)
        if batch.limit is not None:
            raise batch.limit

    def _withdraw(self) -> Iterator[Event]:
        """Take back text that turned out not to be the answer."""
        yield from self._flush()
        if self._writer.answer.text:
            yield AnswerWithdrawn(text=self._writer.answer.text)
        self._writer = CitationWriter(self._ledger.source)

    def _flush(self, *, cut: bool = False) -> Iterator[AnswerDelta]:
        delta = self._writer.finish(cut=cut)
        if delta is not None:
            yield delta

    def _finish(self, response: ModelResponse) -> Iterator[Event]:
        if response.refusal:
            yield from self._end(
                TurnStatus.REFUSED, f"The model declined: {response.refusal}", "Rephrase the question."
            )
        elif response.finish == "content_filter":
            yield from self._end(TurnStatus.REFUSED, "The provider's content filter cut the answer.", "Rephrase it.")
        elif response.finish != "complete" and not response.text.strip():
            reason = f"The model reached its output limit ({response.finish}) before it wrote an answer."
            yield from self._end(TurnStatus.FAILED, reason, "Ask for less at once, or choose the thorough profile.")
        elif response.finish != "complete":
            reason = f"The answer was cut: the model reached its output limit ({response.finish})."
            yield from self._end(TurnStatus.PARTIAL, reason, "Ask for less at once, or choose the thorough profile.")
        elif not response.text.strip():
            yield from self._end(TurnStatus.FAILED, "The model gave an empty answer.", "Ask again.")
        else:
            yield from self._end(TurnStatus.ANSWERED)

    def _end_by_tool(self) -> Iterator[Event]:
        ending = self._batch.ending
        if ending is not None:
            yield from self._write(ending.text)
            yield from self._end(TurnStatus.ANSWERED)

    def _end_at_limit(self, hit: LimitHit) -> Iterator[Event]:
        setup = self._setup
        log.warning("turn %s stopped at a limit: %s", setup.turn_id, hit)
        yield LimitReached(limit=hit.limit, ceiling=hit.ceiling, used=hit.used)
        yield from self._withdraw()
        reason = f"The turn reached its limit of {hit.ceiling:g} {UNITS[hit.limit]}."
        yield from self._write(partial_text(reason, setup.question, self._ledger.sources))
        advice = "Narrow the question, or choose the thorough profile."
        yield from self._end(TurnStatus.PARTIAL, reason, advice)

    def _end(self, status: TurnStatus, reason: str = "", advice: str = "") -> Iterator[Event]:
        yield from self._flush(cut=status is not TurnStatus.ANSWERED)
        answer = self._writer.answer
        gathered = self._batch.gathered
        result = gathered.result(self._batch.ending)
        unsourced = ""
        if status is TurnStatus.ANSWERED:
            unsourced = _unsourced(result.type, answer, gathered, self._setup.question)
        if unsourced:
            reason, advice = unsourced, "Ask for the same from your documents."
        yield TurnFinished(
            status=status,
            result_type=result.type,
            answer=answer,
            spend=self._spending.so_far,
            reason=reason,
            advice=advice,
            unsourced=bool(unsourced),
            listing=result.listing,
            coverage=result.coverage,
            cards=result.cards,
            charts=gathered.charts,
        )


def _unsourced(result_type: ResultType, answer: CitedAnswer, gathered: Gathered, question: str) -> str:
    """Say why an answer has no ground; empty where it has one or claims nothing."""
    if result_type is ResultType.ANSWER and answer.text and not gathered.looked:
        return "No document was looked at for this answer, so nothing in it can be checked."
    if result_type is not ResultType.CLARIFICATION and gathered.claims_contents(answer.text, question):
        return "No document was searched or read for this, so what it says of their contents cannot be checked."
    return ""


def _status_of(error: ModelError) -> TurnStatus:
    match error:
        case ModelRefused():
            return TurnStatus.REFUSED
        case HistoryExpired():
            return TurnStatus.EXPIRED
        case _:
            return TurnStatus.FAILED
