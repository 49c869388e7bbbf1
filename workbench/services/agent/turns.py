"""Turns: start one, follow it, stop it, read it again. A turn runs in its own thread and is stored as it goes."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from workbench.domain.budgets import Profile, ProfileSettings, UserLimits
from workbench.domain.citations import CitedAnswer
from workbench.domain.conversations import Conversation, Thread, Turn
from workbench.domain.errors import PinciteError, TurnInProgress
from workbench.domain.events import AnswerDelta, AnswerWithdrawn, BudgetSpent, Event, TurnFinished
from workbench.domain.ids import ConversationId, TurnId, UserId, new_id
from workbench.domain.items import Item
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access, Scope, build_scope
from workbench.services.agent.jobs import Recorder, TurnJob
from workbench.services.agent.loop import TurnRun, TurnSetup
from workbench.services.agent.page_labels import page_labels
from workbench.services.agent.prompt import Prompt
from workbench.services.agent.rates import Rates
from workbench.services.agent.recording import RecordingModel
from workbench.services.agent.transcript import transcript
from workbench.services.agent.unheard import thread_after
from workbench.services.conversations import Conversations
from workbench.services.ports import Clock, ConversationStore, LibraryStore, Model
from workbench.services.retrieval.ledger import Ledger
from workbench.services.retrieval.search import Search
from workbench.services.tools.registry import ToolRegistry

log = logging.getLogger(__name__)

INTERRUPTED = "The application was closed while this turn was running."
BROKEN = "The turn broke off because of an error in the application. It is in the log under this turn's id."


class Turns:
    """The use case of asking. One turn at a time runs in a conversation; different conversations run side by side."""

    def __init__(
        self,
        *,
        conversations: Conversations,
        store: ConversationStore,
        library: LibraryStore,
        search: Search,
        registry: ToolRegistry,
        model: Model,
        prompt: Prompt,
        profiles: Mapping[Profile, ProfileSettings],
        clock: Clock,
        rates: Rates | None = None,
        on_end: Callable[[TurnId], None] | None = None,
        rights: Callable[[UserId], Access] | None = None,
    ) -> None:
        """``on_end`` is told of every turn that has ended and is stored; it must not raise. ``rights`` tells what a user may
        see at that moment: a turn asks it before every step, so that it finds nothing more where a membership has ended.
        Without ``rates`` nothing limits how often a user may ask."""
        self._rights = rights
        self._conversations = conversations
        self._store = store
        self._library = library
        self._search = search
        self._registry = registry
        self._model = model
        self._prompt = prompt
        self._profiles = profiles
        self._clock = clock
        self._rates = rates or Rates(UserLimits(), store, clock)
        self._on_end = on_end
        self._jobs: dict[TurnId, TurnJob] = {}
        self._threads: dict[TurnId, threading.Thread] = {}
        self._lock = threading.Lock()

    def ask(
        self,
        access: Access,
        conversation_id: ConversationId,
        question: str,
        *,
        from_transcript: bool = False,
        seen: int | None = None,
    ) -> Turn:
        """Start a turn with the conversation's choices and return at once.

        ``from_transcript`` continues from our copy of the talk where the provider has lost its own. ``seen`` is how many
        turns stood before whoever asks; None asks after whatever there is. Raises ScopeError where no container is chosen or
        one is not the user's, TurnInProgress where a turn is running, StaleConversation where there are turns not seen,
        TooManyTurns where the user has reached a limit.
        """
        question = question.strip()
        if not question:
            raise PinciteError("There is no question.", "Write what you want to know.")
        conversation = self._conversations.get(access, conversation_id)
        scope = build_scope(access, conversation.containers, conversation.filters)
        # Of two questions put at once both are counted, and the second one sees the first.
        with self._rates.lock:
            earlier = self._store.turns(conversation_id)
            if any(turn.status is TurnStatus.RUNNING for turn in earlier):
                raise TurnInProgress(
                    "This conversation is still working on the last question.", "Wait for it or stop it."
                )
            self._rates.check(access.user_id)
            number = (len(earlier) if seen is None else seen) + 1
            turn = self._new_turn(conversation, question, _thread(earlier, from_transcript), number)
            self._store.add_turn(turn)
            self._conversations.touch(access, conversation_id, question)
        self._start(turn, scope, earlier)
        return turn

    def follow(self, access: Access, turn_id: TurnId, after: int = 0) -> Iterator[Event | None]:
        """Yield the turn's events with ``seq`` over ``after``, live while it runs; None is a heartbeat."""
        self._conversations.turn(access, turn_id)
        job = self._job(turn_id)
        if job is not None:
            yield from job.follow(after)
        else:
            yield from (event for event in self._store.events(turn_id) if event.seq > after)

    def events(self, access: Access, turn_id: TurnId) -> list[Event]:
        """Return the events stored so far."""
        return self._store.events(self._conversations.turn(access, turn_id).id)

    def stop(self, access: Access, turn_id: TurnId) -> None:
        """Ask a running turn to end; it ends within a second. A turn that has ended stays as it is."""
        job = self._job(self._conversations.turn(access, turn_id).id)
        if job is not None:
            job.stop()

    def wait(self, access: Access, turn_id: TurnId) -> Turn:
        """Wait for the end of a turn and return it."""
        for _ in self.follow(access, turn_id):
            pass
        with self._lock:
            thread = self._threads.get(turn_id)
        if thread is not None:
            thread.join()
        return self._conversations.turn(access, turn_id)

    def recover(self) -> int:
        """Mark turns that a closed or killed process left running as interrupted; return how many there were."""
        left = self._store.running_turns()
        for turn in left:
            events = self._store.events(turn.id)
            finished = TurnFinished(
                status=TurnStatus.INTERRUPTED,
                result_type=turn.result_type,
                answer=turn.answer,
                spend=turn.spend,
                reason=INTERRUPTED,
                advice="Ask again.",
            )
            last = events[-1] if events else None
            self._store.append_events(
                turn.id, [finished.stamped((last.seq if last else 0) + 1, last.at if last else 0.0)]
            )
            self._store.save_turn(self._ended(turn, finished))
        return len(left)

    def close(self) -> None:
        """Stop all running turns and wait for their threads."""
        with self._lock:
            jobs, threads = list(self._jobs.values()), list(self._threads.values())
        for job in jobs:
            job.stop()
        for thread in threads:
            thread.join()

    def _new_turn(self, conversation: Conversation, question: str, thread: Thread, number: int) -> Turn:
        return Turn(
            id=TurnId(new_id("turn")),
            conversation_id=conversation.id,
            number=number,
            question=question,
            containers=conversation.containers,
            filters=conversation.filters,
            profile=conversation.profile,
            model=self._model.name,
            provider=self._model.identity,
            prompt_version=self._prompt.version,
            thread=thread,
            started_at=self._clock.now(),
        )

    def _start(self, turn: Turn, scope: Scope, earlier: list[Turn]) -> None:
        job = TurnJob(turn.id)
        history = transcript(earlier, self._model.identity)
        thread = threading.Thread(
            target=self._work, args=(turn, scope, history, job), name=f"turn-{turn.id}", daemon=True
        )
        with self._lock:
            self._jobs[turn.id] = job
            self._threads[turn.id] = thread
        thread.start()

    def _work(self, turn: Turn, scope: Scope, history: tuple[Item, ...], job: TurnJob) -> None:
        started = self._clock.monotonic()
        recorder = Recorder(
            lambda events: self._store.append_events(turn.id, events), lambda: self._clock.monotonic() - started
        )
        try:
            self._run(turn, scope, history, job, recorder)
            if self._on_end is not None:
                self._on_end(turn.id)
        except Exception:
            log.exception("turn %s broke off", turn.id)
            latest = self._store.turn(turn.id)
            if latest is not None:  # its conversation may have been deleted meanwhile, which is what broke it off then
                finished = _broken(latest)
                self._store.save_turn(self._ended(latest, finished))
                job.publish(recorder.record(finished))
        finally:
            with self._lock:
                self._jobs.pop(turn.id, None)
                self._threads.pop(turn.id, None)
            job.end()

    def _run(self, turn: Turn, scope: Scope, history: tuple[Item, ...], job: TurnJob, recorder: Recorder) -> None:
        setup = self._setup(turn, scope, history)
        ledger = Ledger(setup.limits.chunks, page_labels(self._library))
        model = RecordingModel(self._model, self._clock)
        run = TurnRun(setup, model, self._registry.toolbelt(), ledger, self._clock, job.stopping)
        saved = turn
        for event in run.events():
            so_far = {"thread": run.thread, "items": run.items, "response_ids": run.response_ids}
            turn = self._after(turn.model_copy(update=so_far), event)
            if isinstance(event, TurnFinished):
                self._store.save_recording(turn.id, model.recording)
            # A citation can be opened as soon as a screen shows it, so it is stored before.
            if turn != saved and (not isinstance(event, AnswerDelta) or event.mentions):
                self._store.save_turn(turn)
                saved = turn
            job.publish(recorder.record(event))

    def _after(self, turn: Turn, event: Event) -> Turn:
        """Return the turn as it stands after an event."""
        match event:
            case AnswerDelta():
                answer = turn.answer.extended(event.text, event.mentions, event.citations)
                return turn.model_copy(update={"answer": answer})
            case AnswerWithdrawn():
                return turn.model_copy(update={"answer": CitedAnswer()})
            case BudgetSpent():
                return turn.model_copy(update={"spend": event.spend})
            case TurnFinished():
                return self._ended(turn, event)
            case _:
                return turn

    def _setup(self, turn: Turn, scope: Scope, history: tuple[Item, ...]) -> TurnSetup:
        settings = self._profiles[turn.profile]
        names = tuple(c.name for c in self._library.containers() if c.id in scope.containers)
        documents = self._search.documents(scope)
        return TurnSetup(
            turn_id=turn.id,
            conversation_id=turn.conversation_id,
            question=turn.question,
            scope=scope,
            containers=names,
            filters=turn.filters,
            profile=turn.profile,
            limits=settings.limits,
            effort=settings.effort,
            instructions=self._prompt.fill(self._clock.now(), names, turn.filters, documents, settings.limits),
            prompt_version=self._prompt.version,
            thread=turn.thread,
            history=history,
            current=self._current,
        )

    def _current(self, scope: Scope) -> Scope:
        return scope if self._rights is None else scope.seen_by(self._rights(scope.access.user_id))

    def _ended(self, turn: Turn, event: TurnFinished) -> Turn:
        ended = turn.model_copy(
            update={
                "status": event.status,
                "result_type": event.result_type,
                "answer": event.answer,
                "spend": event.spend,
                "reason": event.reason,
                "advice": event.advice,
                "unsourced": event.unsourced,
                "listing": event.listing,
                "coverage": event.coverage,
                "cards": event.cards,
                "charts": event.charts,
                "finished_at": self._clock.now(),
            }
        )
        return ended.model_copy(update={"thread": thread_after(ended)})

    def _job(self, turn_id: TurnId) -> TurnJob | None:
        with self._lock:
            return self._jobs.get(turn_id)


def _thread(earlier: Sequence[Turn], from_transcript: bool) -> Thread:
    """Return where the next turn takes up the talk; what is owed is owed in a transcript as well."""
    thread = earlier[-1].thread if earlier else Thread()
    return thread.model_copy(update={"response_id": None}) if from_transcript else thread


def _broken(turn: Turn) -> TurnFinished:
    return TurnFinished(
        status=TurnStatus.FAILED,
        result_type=turn.result_type,
        answer=turn.answer,
        spend=turn.spend,
        reason=BROKEN,
        advice="Ask again; if it happens again, report it.",
    )
