"""Evaluation: suites of samples, what is expected of each, the scores it got, and the log of a run.

The words are those of the field: a *dataset* (a suite) holds *samples*; *scorers* look at the turn that answered a sample and
give *scores*; the log of a run keeps them with all that is needed to read them later.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from workbench.domain.budgets import LimitName, Profile, Spend
from workbench.domain.figures import figures
from workbench.domain.ids import ConversationId, RunId, TurnId, UserId
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.spread import spread
from workbench.domain.values import Value


def _figure(text: str) -> str:
    if not figures(text):
        raise ValueError(f"{text!r} holds no figure")
    return text


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from error
    return text


Count = Annotated[int, Field(ge=0)]
FigureText = Annotated[str, AfterValidator(_figure)]
Pattern = Annotated[str, AfterValidator(_pattern)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Place(Value):
    """A document by the name people see, and the physical pages of which one must be cited; none, any page will do."""

    document: str
    pages: tuple[Annotated[int, Field(ge=1)], ...] = ()


class Enough(Value):
    """How far a turn has to look before it answers: so many searches, and passages of each of these documents."""

    searches: Count = 0
    documents: tuple[str, ...] = ()


class Expectations(Value):
    """What is expected of a turn. Each field is named for its scorer; what is left out is not scored.

    The rules of every good trajectory come last and are scored unless a sample says ``false``.
    """

    # the outcome
    status: TurnStatus | None = None
    result: ResultType | None = None
    contains: tuple[str, ...] = ()
    omits: tuple[str, ...] = ()
    matches: tuple[Pattern, ...] = ()
    figures: tuple[FigureText, ...] = ()
    cites: tuple[Place, ...] = ()
    cites_only: tuple[str, ...] = ()
    cites_nothing: bool = False
    refuses: bool = False
    asks: bool = False
    grounded: bool = False
    # the trajectory
    uses: tuple[str, ...] = ()
    avoids: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    counts: Mapping[str, Count] = Field(default_factory=dict)
    at_most: Mapping[str, Count] = Field(default_factory=dict)
    calls_at_most: Count | None = None
    broadens: bool = False
    enough: Enough | None = None
    stops_at: LimitName | None = None
    # the rules
    known_sources: bool = True
    one_rewrite: bool = True
    rewrite_wired: bool = True
    no_repeated_search: bool = True
    within_budget: bool = True
    nothing_after_answer: bool = True


class SuiteDocument(Value):
    """A document that a suite brings along: a file beside it, the container it goes into, and its tags."""

    file: str
    container: str
    tags: Mapping[str, str] = Field(default_factory=dict)


class Sample(Value):
    """One question with its circumstances.

    ``earlier`` are the questions of the talk before it. ``containers`` are names; none, those of the suite. ``filters`` are
    the user's selections of tags. ``limits`` replace those of the profile. ``pinned`` maps names of documents to the SHA-256
    of the bytes that the expectations were written for: where they have changed, the sample cannot be scored.
    """

    id: str = Field(min_length=1, pattern=r"^[\w.-]+$")
    question: str = Field(min_length=1)
    earlier: tuple[str, ...] = ()
    user: UserId | None = None
    containers: tuple[str, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    language: str = "en"
    profile: Profile | None = None
    limits: Mapping[LimitName, float] = Field(default_factory=dict)
    pinned: Mapping[str, str] = Field(default_factory=dict)
    note: str = ""
    expect: Expectations = Expectations()


class Dataset(Value):
    """A suite. ``required`` is the share of samples that must pass, ``allowed_invalid`` the share that may not be scorable.

    ``hash`` is the SHA-256 of its file: scores of two texts of a suite do not simply compare.
    """

    name: str
    description: str = ""
    containers: tuple[str, ...] = ()
    sample_contracts: bool = False
    document: tuple[SuiteDocument, ...] = ()
    required: Share = 1.0
    allowed_invalid: Share = 0.1
    sample: tuple[Sample, ...] = Field(min_length=1)
    hash: str = ""

    @model_validator(mode="after")
    def _one_sample_an_id(self) -> Self:
        seen: set[str] = set()
        for sample in self.sample:
            if sample.id in seen:
                raise ValueError(f"two samples have the id {sample.id!r}")
            seen.add(sample.id)
        return self


class Score(Value):
    """What a scorer found, with its reason in words.

    ``value`` is from 0 (nothing as expected) to 1 (all of it); None where the scorer does not apply to the turn, or could not
    judge it, which ``failed`` tells apart.
    """

    scorer: str
    value: Share | None
    explanation: str = ""
    failed: bool = False


class SampleLog(Value):
    """A sample in one epoch, counted from 1. ``error`` says why it could not be run or scored; then it counts for nothing."""

    sample_id: str
    epoch: int
    conversation_id: ConversationId | None = None
    turn_id: TurnId | None = None
    status: TurnStatus | None = None
    scores: tuple[Score, ...] = ()
    spend: Spend = Spend()
    error: str = ""

    @property
    def valid(self) -> bool:
        return not self.error and not any(score.failed for score in self.scores)

    @property
    def value(self) -> float | None:
        """The mean of its scores; None where there is none."""
        return spread(score.value for score in self.scores).mean if self.valid else None

    @property
    def passed(self) -> bool | None:
        """Whether everything is as expected; None where that cannot be said."""
        return None if self.value is None else all(score.value in (None, 1.0) for score in self.scores)


class RunState(StrEnum):
    """``RUNNING`` until the end, also of a run whose process ended meanwhile. ``CEILING``: its money was spent."""

    RUNNING = "running"
    FINISHED = "finished"
    CEILING = "ceiling"


class Versions(Value):
    """What a run was made with: the application, the instructions of the agent, and the embedding model."""

    application: str
    prompt: str
    embedding: str


class EvalLog(Value):
    """A run of a suite: what it was made with, and what came of each sample in each epoch.

    ``seed`` decides the order of the samples, and so what a spending ceiling (in US dollars) leaves out.
    """

    id: RunId
    user_id: UserId
    suite: str
    suite_hash: str
    model: str
    profile: Profile | None = None
    epochs: int = Field(ge=1)
    seed: int = 0
    versions: Versions
    required: Share = 1.0
    allowed_invalid: Share = 0.1
    ceiling: float | None = None
    rescored: RunId | None = None
    """The run whose stored answers were scored again, where none was asked anew."""
    state: RunState = RunState.RUNNING
    started_at: datetime
    finished_at: datetime | None = None
    samples: tuple[SampleLog, ...] = ()

    @property
    def cost(self) -> float:
        return sum(sample.spend.cost for sample in self.samples)

    def of(self, sample_id: str) -> tuple[SampleLog, ...]:
        """Return what came of one sample, epoch by epoch."""
        return tuple(each for each in self.samples if each.sample_id == sample_id)
