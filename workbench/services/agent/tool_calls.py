"""One tool call without a model: what a client asks of a tool itself, under the rules of a turn.

It is a turn with one call. So it is bounded by the same scope, budgets and rates, it is checked by the same code, and it is
stored with the same events: the trace, the evaluation and the citations know nothing else. The calls of a client stand in a
conversation of its own.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence

from workbench.domain.budgets import UNITS, Profile, ProfileSettings, Spend
from workbench.domain.citations import CitedAnswer, Mention, Source
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound, StaleConversation
from workbench.domain.events import BudgetSpent, Event, LimitReached, ToolCallFinished, TurnFinished, TurnStarted
from workbench.domain.excerpts import excerpt
from workbench.domain.ids import ConversationId, TurnId, UserId, new_id
from workbench.domain.items import FunctionCall
from workbench.domain.markers import neutral
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access, Filters, Scope, build_scope
from workbench.services.agent.batch import Batch
from workbench.services.agent.jobs import Recorder
from workbench.services.agent.page_labels import page_labels
from workbench.services.agent.rates import Rates
from workbench.services.agent.spending import LimitHit, Spending
from workbench.services.citations.register import CitationRegister
from workbench.services.conversations import Conversations
from workbench.services.ports import Clock, ConversationStore, LibraryStore, ToolSpec
from workbench.services.retrieval.ledger import Ledger
from workbench.services.tools.registry import ToolRegistry

log = logging.getLogger(__name__)

CALLS_A_CONVERSATION = 100
"""How many calls of a client stand in one conversation, so that none grows without end."""
BROKEN = "The call broke off because of an error in the application. It is in the log under this turn's id."
_QUESTION = 400
_ROUND = str.maketrans("[]", "()")
"""The brackets of a label stay a pair, as in any answer."""


class Stopped(Exception):
    """Whoever asked does not wait any more."""


class ToolCalls:
    """The use case of calling a tool. Calls run side by side."""

    def __init__(
        self,
        *,
        conversations: Conversations,
        store: ConversationStore,
        library: LibraryStore,
        registry: ToolRegistry,
        profiles: Mapping[Profile, ProfileSettings],
        clock: Clock,
        rates: Rates,
        on_end: Callable[[TurnId], None] | None = None,
    ) -> None:
        """``rates`` and ``on_end`` are those of Turns."""
        self._conversations = conversations
        self._store = store
        self._library = library
        self._registry = registry
        self._profiles = profiles
        self._clock = clock
        self._rates = rates
        self._on_end = on_end
        self._talks: dict[tuple[UserId, str], tuple[ConversationId, int]] = {}

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools that mean something outside a conversation with a model."""
        return self._registry.toolbelt(within_a_turn=False).specs

    def run(
        self,
        access: Access,
        client: str,
        name: str,
        arguments: str,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Turn:
        """Call a tool over all containers of ``access`` and return the stored turn; its events say what came of it.

        ``arguments`` is JSON. Raises ScopeError where there is no container, TooManyTurns where the user has reached a limit.
        """
        scope = build_scope(access, sorted(access.containers))
        with self._rates.lock:
            self._rates.check(access.user_id)
            turn = self._begin(access, client, scope, f"{name} {_one_line(arguments)}")
        call = FunctionCall(call_id=new_id("call"), name=name, arguments=arguments)
        started = self._clock.monotonic()
        events: list[Event] = []  # stored together at the end: a call is short, and each time takes a transaction
        recorder = Recorder(events.extend, lambda: self._clock.monotonic() - started)
        try:
            turn = self._ended(turn, recorder, *self._work(turn, scope, call, stopped, recorder))
        except Exception:
            log.exception("tool call %s broke off", turn.id)
            turn = self._ended(turn, recorder, TurnStatus.FAILED, BROKEN, CitedAnswer(), Spend())
        self._store.append_events(turn.id, events)
        self._store.save_turn(turn)
        if self._on_end is not None:
            self._on_end(turn.id)
        return turn

    def _begin(self, access: Access, client: str, scope: Scope, question: str) -> Turn:
        """Store the turn in the client's conversation; in a new one where that is full, deleted, or was gone on with."""
        conversation, number = self._talks.get((access.user_id, client), (None, CALLS_A_CONVERSATION))
        if conversation is not None and number < CALLS_A_CONVERSATION:
            try:
                return self._stored(access, client, scope, question, conversation, number + 1)
            except (NotFound, StaleConversation):
                log.info("the conversation of the client %s is taken up in a new one", client)
        made = self._conversations.create(access, scope.containers)
        self._conversations.rename(access, made.id, f"{client}: tool calls")
        return self._stored(access, client, scope, question, made.id, 1)

    def _stored(
        self, access: Access, client: str, scope: Scope, question: str, conversation: ConversationId, number: int
    ) -> Turn:
        turn = Turn(
            id=TurnId(new_id("turn")),
            conversation_id=conversation,
            number=number,
            question=question,
            containers=scope.containers,
            profile=Profile.QUICK,
            model=f"{client} (no model of ours)",
            started_at=self._clock.now(),
        )
        self._store.add_turn(turn)
        self._talks[access.user_id, client] = (conversation, number)
        return turn

    def _work(
        self, turn: Turn, scope: Scope, call: FunctionCall, stopped: Callable[[], bool], recorder: Recorder
    ) -> tuple[TurnStatus, str, CitedAnswer, Spend]:
        limits = self._profiles[turn.profile].limits
        ledger, spending = Ledger(limits.chunks, page_labels(self._library)), Spending(limits, self._clock)
        recorder.record(self._start(turn, scope))

        def halted() -> Exception | None:
            return Stopped() if stopped() else spending.out_of_time()

        toolbelt = self._registry.toolbelt(within_a_turn=False)
        batch = Batch(toolbelt, scope, turn.question, ledger, spending, self._clock, halted)
        status, reason = TurnStatus.ANSWERED, ""
        try:
            for event in batch.run([call]):
                recorder.record(event)
                if isinstance(event, ToolCallFinished) and event.outcome != "ok":
                    status, reason = TurnStatus.FAILED, event.output
            if batch.limit is not None:
                raise batch.limit
        except Stopped:
            status, reason = TurnStatus.STOPPED, "The client stopped waiting for this call."
        except LimitHit as hit:
            recorder.record(LimitReached(limit=hit.limit, ceiling=hit.ceiling, used=hit.used))
            status, reason = (
                TurnStatus.PARTIAL,
                f"The call reached its limit of {hit.ceiling:g} {UNITS[hit.limit]}.",
            )
        recorder.record(BudgetSpent(spend=spending.so_far))
        return status, reason, cited(ledger.sources, _asked(call.arguments)), spending.so_far

    def _start(self, turn: Turn, scope: Scope) -> TurnStarted:
        names = tuple(each.name for each in self._library.containers() if each.id in scope.containers)
        return TurnStarted(
            turn_id=turn.id,
            conversation_id=turn.conversation_id,
            question=turn.question,
            containers=names,
            filters=Filters(),
            profile=turn.profile,
            limits=self._profiles[turn.profile].limits,
            model=turn.model,
            prompt_version="",
        )

    def _ended(
        self, turn: Turn, recorder: Recorder, status: TurnStatus, reason: str, answer: CitedAnswer, spend: Spend
    ) -> Turn:
        ended = turn.model_copy(
            update={
                "status": status,
                "reason": reason,
                "answer": answer,
                "spend": spend,
                "finished_at": self._clock.now(),
            }
        )
        recorder.record(
            TurnFinished(status=status, result_type=ended.result_type, answer=answer, spend=spend, reason=reason)
        )
        return ended


def cited(sources: Sequence[Source], wanted: str) -> CitedAnswer:
    """Return what the sources say best of what is wanted, quoted word for word and cited as any answer is.

    Where the quoted words stand is known here, so nothing has to be located as in the text of a model.
    """
    register, text, mentions = CitationRegister(), "", []
    for source in sources:
        chunk = source.chunk
        best = excerpt(wanted, chunk.text)
        quote, spans = chunk.text[best.start : best.end], chunk.on_pages(best.start, best.end)
        page = spans[0].page if spans else chunk.first_page
        citation = register.cite(source, page, quote, chunk.area.label if chunk.area else "")
        text += f"- “{neutral(_one_line(quote))}” "
        label = f"[{citation.label.translate(_ROUND)}]"
        mentions.append(
            Mention(
                start=len(text),
                end=len(text) + len(label),
                citation=citation.number,
                refs=(source.ref,),
                quote=quote,
                spans=spans,
            )
        )
        text += f"{label}\n"
    return CitedAnswer(text=text.rstrip("\n"), citations=register.citations, mentions=tuple(mentions))


def _asked(arguments: str) -> str:
    """Return the words among the arguments of a call: its texts, without the names they have."""
    try:
        given = json.loads(arguments)
    except ValueError:
        return ""
    return " ".join(each for each in given.values() if isinstance(each, str)) if isinstance(given, dict) else ""


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUESTION else line[: _QUESTION - 1].rstrip() + "…"
