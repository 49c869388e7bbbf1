"""The use case of evaluation: run suites, read runs, score stored answers again, compare, and make samples of turns."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.eval_results import Comparison, compare
from workbench.domain.evals import Dataset, EvalLog, RunState, Sample, SampleLog, Versions
from workbench.domain.ids import RunId, TurnId, new_id
from workbench.domain.items import ModelResponse
from workbench.domain.scope import Access
from workbench.services.conversations import Conversations
from workbench.services.evals.cases import case_of
from workbench.services.evals.datasets import Suites, append_sample
from workbench.services.evals.prepare import EVALUATION, SuiteLibrary, as_asked
from workbench.services.evals.runner import Plan, Runner, scored
from workbench.services.library import Library
from workbench.services.ports import Clock, EvalStore, Model

Progress = Callable[[int, int, SampleLog], None]
"""Called after each sample with how many are done, how many there are, and what came of it."""


class Models(Protocol):
    """Gives the model to evaluate: None is the configured one, ``extractive`` the embedded one, else one of the provider."""

    def __call__(self, name: str | None) -> Model: ...


class Evals:
    """Runs suites with the agent that everybody asks. Runs and their turns are kept."""

    def __init__(
        self,
        *,
        store: EvalStore,
        suites: Suites,
        suite_library: SuiteLibrary,
        conversations: Conversations,
        library: Library,
        runner: Runner,
        models: Models,
        versions: Versions,
        clock: Clock,
    ) -> None:
        self.suites = suites
        self._store = store
        self._suite_library = suite_library
        self._conversations = conversations
        self._library = library
        self._runner = runner
        self._models = models
        self._versions = versions
        self._clock = clock

    def run(
        self,
        access: Access,
        suite: str,
        plan: Plan | None = None,
        *,
        model: str | None = None,
        progress: Progress | None = None,
    ) -> EvalLog:
        """Run a suite to its end and return the log, which is stored after every sample.

        Raises NotFound where there is no such suite, BadSuite where its file is wrong, and what the documents of the suite or
        the model raise where they are not there.
        """
        plan = plan or Plan()
        if plan.epochs < 1 or plan.parallel < 1:
            raise PinciteError("A run needs at least one epoch, and at least one sample at a time.")
        dataset = self.suites.read(suite)
        asked = self._models(model)
        if plan.ceiling is not None and asked.cost(ModelResponse(id="", output=())) is None:
            raise PinciteError(
                f"No price of {asked.name} is known, so a ceiling in US dollars cannot be kept.",
                "Set PINCITE_INPUT_PRICE and PINCITE_OUTPUT_PRICE, or run without a ceiling.",
            )
        self._suite_library.take_in(access, dataset, self.suites.path(suite).parent)
        log = self._begun(access, dataset, plan, asked.name)
        self._store.save_run(log)
        total = plan.epochs * len(dataset.sample)
        for sample in self._runner.run(self._library.access(access.user_id), dataset, plan, asked):
            log = log.model_copy(update={"samples": (*log.samples, sample)})
            self._store.save_run(log)
            if progress is not None:
                progress(len(log.samples), total, sample)
        state = RunState.FINISHED if len(log.samples) == total else RunState.CEILING
        return self._ended(log, dataset, state)

    def rescore(self, access: Access, run_id: RunId) -> EvalLog:
        """Score the stored answers of a run anew, with its suite as it is now, and store that as a run. Nothing is asked.

        A sample whose turn is gone, or that the suite no longer has, is told as an error.
        """
        before = self.log(access, run_id)
        dataset = self.suites.read(before.suite)
        samples = {sample.id: sample for sample in dataset.sample}
        now = self._clock.now()
        log = before.model_copy(
            update={
                "id": RunId(new_id("run")),
                "user_id": access.user_id,
                "suite_hash": dataset.hash,
                "required": dataset.required,
                "allowed_invalid": dataset.allowed_invalid,
                "rescored": before.id,
                "started_at": now,
                "samples": tuple(
                    self._scored_again(access, each, samples.get(each.sample_id)) for each in before.samples
                ),
            }
        )
        return self._ended(log, dataset, before.state)

    def log(self, access: Access, run_id: RunId) -> EvalLog:
        """Return a run. Raises NotFound where there is none, or it is another user's."""
        log = self._store.run(run_id)
        if log is None or not _may_see(access, log):
            raise NotFound(f"There is no run {run_id}.", "`pincite eval runs` lists those there are.")
        return log

    def logs(self, access: Access, suite: str | None = None, limit: int = 100) -> list[EvalLog]:
        """Return the user's runs, the latest first: what is told of a sample may quote documents that only they may see."""
        return [log for log in self._store.runs(suite, limit) if _may_see(access, log)]

    def compare(self, access: Access, before: RunId, after: RunId, margin: float = 0.0) -> Comparison:
        """Compare two runs. Raises NotFound as :meth:`log` does."""
        return compare(self.log(access, before), self.log(access, after), margin)

    def sample_of(self, access: Access, turn_id: TurnId, sample_id: str | None = None) -> Sample:
        """Make a sample of a turn that was found good: what it cited and called is what is expected from now on.

        Its documents are pinned to the version that was read. Raises NotFound where the turn is not the user's or a document
        that it cites is gone.
        """
        asked = as_asked(access, self._conversations, turn_id)
        turn = self._conversations.turn(asked, turn_id)
        earlier = [each for each in self._conversations.turns(asked, turn.conversation_id) if each.number < turn.number]
        names = {container.id: container.name for container in self._library.containers(access)}
        return case_of(
            turn,
            self._conversations.events(asked, turn_id),
            sample_id=sample_id,
            earlier=[each.question for each in earlier],
            containers=[names[each] for each in turn.containers if each in names],
            pinned=self._suite_library.pins(access, [each.document_id for each in turn.answer.citations]),
            user=access.user_id,
        )

    def add_sample(self, access: Access, turn_id: TurnId, file: Path, sample_id: str | None = None) -> Sample:
        """Add the sample of a turn to the file of a suite, which is made if there is none.

        Raises as :meth:`sample_of` does, and BadSuite where the file then is no suite, which leaves it as it was.
        """
        sample = self.sample_of(access, turn_id, sample_id)
        append_sample(file, sample)
        return sample

    def _begun(self, access: Access, dataset: Dataset, plan: Plan, model: str) -> EvalLog:
        return EvalLog(
            id=RunId(new_id("run")),
            user_id=access.user_id,
            suite=dataset.name,
            suite_hash=dataset.hash,
            model=model,
            profile=plan.profile,
            epochs=plan.epochs,
            seed=plan.seed,
            versions=self._versions,
            required=dataset.required,
            allowed_invalid=dataset.allowed_invalid,
            ceiling=plan.ceiling,
            started_at=self._clock.now(),
        )

    def _ended(self, log: EvalLog, dataset: Dataset, state: RunState) -> EvalLog:
        """Store the run in the order of the suite, whichever sample was faster."""
        places = {sample.id: place for place, sample in enumerate(dataset.sample)}
        in_order = sorted(log.samples, key=lambda each: (each.epoch, places.get(each.sample_id, len(places))))
        changes = {"samples": tuple(in_order), "state": state, "finished_at": self._clock.now()}
        log = log.model_copy(update=changes)
        self._store.save_run(log)
        return log

    def _scored_again(self, access: Access, before: SampleLog, sample: Sample | None) -> SampleLog:
        if sample is None:
            return before.model_copy(update={"scores": (), "error": "The suite no longer has this sample."})
        if before.turn_id is None or before.conversation_id is None:
            return before
        asking = access.model_copy(update={"user_id": EVALUATION})
        try:
            turns = self._conversations.turns(asking, before.conversation_id)
            events = self._conversations.events(asking, before.turn_id)
        except NotFound as error:
            return before.model_copy(update={"scores": (), "error": f"The stored answer is gone. {error}"})
        return scored(sample, before.epoch, before.conversation_id, turns, events)


def _may_see(access: Access, log: EvalLog) -> bool:
    return log.user_id == access.user_id
