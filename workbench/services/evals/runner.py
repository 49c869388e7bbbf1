"""Running a suite: every sample in every epoch, side by side up to a bound, until all are done or the money is spent."""

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple, Protocol

from workbench.domain.budgets import Profile, ProfileSettings
from workbench.domain.conversations import Turn
from workbench.domain.errors import PinciteError
from workbench.domain.evals import Dataset, Sample, SampleLog
from workbench.domain.events import Event
from workbench.domain.ids import ConversationId, UserId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Access
from workbench.services.agent.turns import Turns
from workbench.services.conversations import Conversations
from workbench.services.evals.prepare import Prepared, SuiteLibrary
from workbench.services.evals.scorers import score
from workbench.services.ports import Model

_BROKE_OFF = frozenset({TurnStatus.FAILED, TurnStatus.EXPIRED, TurnStatus.INTERRUPTED, TurnStatus.STOPPED})
"""How turns end that say nothing about the sample, unless it expects just that."""


class MakeTurns(Protocol):
    """Makes the use case of asking for one sample: the same loop as everywhere, with another model or other limits."""

    def __call__(
        self,
        *,
        model: Model,
        profiles: Mapping[Profile, ProfileSettings],
        rights: Callable[[UserId], Access],
    ) -> Turns: ...


class Plan(NamedTuple):
    """How a suite is to be run. ``ceiling`` is in US dollars for the whole run; None, there is none."""

    epochs: int = 1
    profile: Profile | None = None
    parallel: int = 2
    ceiling: float | None = None
    seed: int = 0

    def order(self, dataset: Dataset) -> list[tuple[Sample, int]]:
        """Return the samples epoch by epoch, each epoch in an order that its number and the seed decide."""
        planned = []
        for epoch in range(1, self.epochs + 1):
            samples = list(dataset.sample)
            random.Random(f"{self.seed}/{epoch}").shuffle(samples)
            planned += [(sample, epoch) for sample in samples]
        return planned


class Runner:
    """Asks samples and scores the stored turns."""

    def __init__(
        self,
        library: SuiteLibrary,
        conversations: Conversations,
        turns: MakeTurns,
        profiles: Mapping[Profile, ProfileSettings],
    ) -> None:
        self._library = library
        self._conversations = conversations
        self._turns = turns
        self._profiles = profiles

    def run(self, access: Access, dataset: Dataset, plan: Plan, model: Model) -> Iterator[SampleLog]:
        """Yield what came of each sample as it ends; those that the ceiling leaves out are not among them."""
        purse = _Purse(plan.ceiling)
        with ThreadPoolExecutor(plan.parallel, thread_name_prefix="eval") as pool:
            work = [
                pool.submit(self._within, purse, access, dataset, sample, epoch, plan.profile, model)
                for sample, epoch in plan.order(dataset)
            ]
            try:
                for each in as_completed(work):
                    done = each.result()
                    if done is not None:
                        yield done
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _within(
        self,
        purse: "_Purse",
        access: Access,
        dataset: Dataset,
        sample: Sample,
        epoch: int,
        profile: Profile | None,
        model: Model,
    ) -> SampleLog | None:
        if purse.empty:
            return None
        if profile is not None:
            sample = sample.model_copy(update={"profile": profile})
        try:
            prepared = self._library.prepare(access, dataset, sample, self._profiles)
            done = self._asked(prepared, dataset, sample, epoch, model)
        except PinciteError as error:
            return SampleLog(sample_id=sample.id, epoch=epoch, error=str(error))
        purse.spend(done.spend.cost)
        return done

    def _asked(self, prepared: Prepared, dataset: Dataset, sample: Sample, epoch: int, model: Model) -> SampleLog:
        turns = self._turns(model=model, profiles=prepared.profiles, rights=prepared.rights)
        access = prepared.access
        talk = self._conversations.create(access, prepared.containers, prepared.filters, prepared.profile)
        self._conversations.rename(access, talk.id, f"{dataset.name}: {sample.id}")
        questions = (*sample.earlier, sample.question)
        asked = [turns.wait(access, turns.ask(access, talk.id, question).id) for question in questions]
        return scored(sample, epoch, talk.id, asked, turns.events(access, asked[-1].id))


def scored(
    sample: Sample, epoch: int, talk: ConversationId, turns: Sequence[Turn], events: Sequence[Event]
) -> SampleLog:
    """Score the last of the turns; the cost is that of all. A turn that broke off is no answer to score, but an error."""
    turn = turns[-1]
    error = ""
    if turn.status in _BROKE_OFF and sample.expect.status is not turn.status:
        error = f"The turn ended as {turn.status.value}: {turn.reason}"
    return SampleLog(
        sample_id=sample.id,
        epoch=epoch,
        conversation_id=talk,
        turn_id=turn.id,
        status=turn.status,
        scores=() if error else score(sample.expect, turn, events),
        spend=turn.spend.model_copy(update={"cost": sum(each.spend.cost for each in turns)}),
        error=error,
    )


class _Purse:
    """The money of a run. A sample that has begun is ended; none begins once the ceiling is reached."""

    def __init__(self, ceiling: float | None) -> None:
        self._ceiling = ceiling
        self._spent = 0.0
        self._lock = threading.Lock()

    @property
    def empty(self) -> bool:
        with self._lock:
            return self._ceiling is not None and self._spent >= self._ceiling

    def spend(self, cost: float) -> None:
        with self._lock:
            self._spent += cost
