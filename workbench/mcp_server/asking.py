"""Asking as a job: it starts at once, is waited for by whoever asked, and is found again by its id.

A client that waits is told of each step. One that cannot be told gets the job's id after a few seconds and asks for the
answer later. The same question of the same client joins the job that is at work on it; when all who waited for a job have
cancelled, it is stopped.
"""

import threading
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from pydantic import Field

from workbench.bootstrap import Workbench
from workbench.domain.budgets import Profile
from workbench.domain.clients import Client
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound
from workbench.domain.events import AnswerDelta, Event, ModelCallStarted, SearchFinished, ToolCallStarted
from workbench.domain.ids import ContainerId, ConversationId, TurnId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access, Filters
from workbench.domain.values import Value

ANSWERS_WITHIN = 8
"""Seconds that a client without progress waits, unless it says otherwise: many give up after ten."""
LONGEST_WAIT = 50
"""Seconds it may say: most of the others give up after sixty."""

_REMEMBERED = 500
"""How many questions are known at the same time, to be joined: far more than run."""


class AskArguments(Value):
    question: str = Field(min_length=1, max_length=4000, description="The whole question, in any language.")
    containers: tuple[str, ...] | None = Field(
        description="Ask only these containers, by name. Null asks all that you may see."
    )
    profile: Profile | None = Field(description="How much effort the answer may take. Null is quick.")
    conversation: str | None = Field(description="Go on with this conversation, by id. Null begins a new one.")
    wait_seconds: int | None = Field(
        ge=0,
        le=LONGEST_WAIT,
        description=(
            "How long to wait before you get the job's id instead of the answer. Null waits to the end where you asked for "
            f"progress notifications, else {ANSWERS_WITHIN} seconds."
        ),
    )


class JobArguments(Value):
    job: str = Field(min_length=1, max_length=100, description="The id that ask gave as job.")


class StatusArguments(JobArguments):
    wait_seconds: int | None = Field(
        ge=0, le=LONGEST_WAIT, description="How long to wait for the answer. Null does not wait."
    )


class _Question(NamedTuple):
    """What makes two questions the same one."""

    client: Client
    arguments: AskArguments


class Asking:
    """The questions of all clients of one workbench."""

    def __init__(self, workbench: Callable[[], Workbench]) -> None:
        self._workbench = workbench
        self._at_work: dict[_Question, TurnId] = {}
        self._waiting: Counter[TurnId] = Counter()
        self._lock = threading.Lock()

    def start(self, access: Access, client: Client, arguments: AskArguments) -> Turn:
        """Start the job of a question, or join the one that is at work on it.

        Raises what Turns.ask raises, and NotFound where a container or a conversation is not the client's.
        """
        bench = self._workbench()
        same = _Question(client, arguments.model_copy(update={"wait_seconds": None}))
        with self._lock:
            known = self._at_work.get(same)
            if known is not None:
                turn = self._turn(access, known)
                if turn is not None and turn.status is TurnStatus.RUNNING:
                    return turn
            turn = self._begun(bench, access, client, arguments)
            self._at_work.pop(same, None)
            self._at_work[same] = turn.id
            while len(self._at_work) > _REMEMBERED:
                del self._at_work[next(iter(self._at_work))]
            return turn

    def turn(self, access: Access, job: TurnId) -> Turn:
        """Return the job as it stands. Raises NotFound where it is not the user's, or goes beyond what the client may see."""
        turn = self._workbench().conversations.turn(access, job)
        if not set(turn.containers) <= access.containers:
            raise NotFound("There is no such job, or it is not yours.", "Use the id that ask gave.")
        return turn

    def stop(self, access: Access, job: TurnId) -> Turn:
        """End a job; wait until it has ended, which is within a second."""
        turns = self._workbench().turns
        turns.stop(access, self.turn(access, job).id)
        return turns.wait(access, job)

    def waits(self, job: TurnId) -> None:
        """Note that somebody waits for the job."""
        with self._lock:
            self._waiting[job] += 1

    def left(self, access: Access, job: TurnId, *, cancelled: bool) -> None:
        """Note that somebody waits no more; stop the job where they ``cancelled`` and nobody else waits."""
        with self._lock:
            self._waiting[job] -= 1
            alone = self._waiting[job] <= 0
            if alone:
                del self._waiting[job]
        if cancelled and alone:
            self._workbench().turns.stop(access, job)

    def _begun(self, bench: Workbench, access: Access, client: Client, arguments: AskArguments) -> Turn:
        chosen = _containers(bench, access, arguments.containers)
        profile = arguments.profile or Profile.QUICK
        if arguments.conversation is None:
            talk = bench.conversations.create(access, chosen, profile=profile)
            turn = bench.turns.ask(access, talk.id, arguments.question)
            bench.conversations.rename(access, talk.id, f"{client.name}: {arguments.question}")
            return turn
        talk = bench.conversations.get(access, ConversationId(arguments.conversation))
        reached = {each for turn in bench.conversations.turns(access, talk.id) for each in turn.containers}
        if not reached <= access.containers:
            raise NotFound("This conversation does not exist.", "Begin a new one.")
        bench.conversations.choose(access, talk.id, chosen, Filters(), profile)
        return bench.turns.ask(access, talk.id, arguments.question)

    def _turn(self, access: Access, job: TurnId) -> Turn | None:
        try:
            return self.turn(access, job)
        except NotFound:  # its conversation was deleted meanwhile
            return None


def _containers(bench: Workbench, access: Access, names: tuple[str, ...] | None) -> list[ContainerId]:
    if names is None:
        return sorted(access.containers)
    return [bench.library.container_named(access, name).id for name in names]


def told(event: Event) -> str:
    """Say in a few words what an event means to somebody who waits; empty where it means nothing to them."""
    match event:
        case ModelCallStarted(number=number):
            return "Thinking" if number == 1 else f"Thinking on (call {number})"
        case ToolCallStarted(name=name):
            return f"Using {name}"
        case SearchFinished(query=query, kept=kept, documents=documents):
            return f"Passages for “{query}”: {len(kept)}, from documents in scope: {documents}"
        case AnswerDelta():
            return "Writing the answer"
        case _:
            return ""
