"""Conversations and their turns."""

import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import Field

from workbench.domain.budgets import Profile, Spend
from workbench.domain.charts import Chart
from workbench.domain.citations import CitedAnswer
from workbench.domain.ids import ContainerId, ConversationId, TurnId, UserId
from workbench.domain.items import FunctionCallOutput, Item
from workbench.domain.listing import Coverage, ListedDocument, Listing
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Filters
from workbench.domain.values import Value


class Thread(Value):
    """Where the next turn takes up the talk with the model.

    ``response_id`` is the last response the provider completed and whose tool calls are all answered or owed; ``provider``
    is the identity of the model it belongs to, and it continues nothing of another one. ``owed`` are
    outputs to send first, so that every call gets exactly one answer even after a stop. ``asked`` is the call id of a
    question to the user: the user's next message is its output. ``unheard`` is what was said in turns that broke off and has
    not reached the model: it is sent with the next question.
    """

    response_id: str | None = None
    provider: str = ""
    owed: tuple[FunctionCallOutput, ...] = ()
    asked: str | None = None
    unheard: tuple[Item, ...] = ()


class Conversation(Value):
    """A talk with its choices, which are remembered between turns. ``updated_at`` is when a question was last asked.

    A ``pinned`` one stands first in the list, and no retention time ends it.
    """

    id: ConversationId
    user_id: UserId
    title: str = ""
    pinned: bool = False
    containers: tuple[ContainerId, ...] = ()
    filters: Filters = Filters()
    profile: Profile = Profile.QUICK
    created_at: datetime
    updated_at: datetime


class Turn(Value):
    """One question and what came of it. ``items`` is our own transcript of the turn, kept whatever the provider keeps.

    ``provider`` is the identity of the model that was asked: what it keeps of the turn is deleted there.
    ``listing``, ``coverage``, ``cards`` and ``charts`` are as in :class:`~workbench.domain.events.TurnFinished`.
    """

    id: TurnId
    conversation_id: ConversationId
    number: int
    question: str
    containers: tuple[ContainerId, ...]
    filters: Filters = Filters()
    profile: Profile
    model: str
    provider: str = ""
    prompt_version: str = ""
    status: TurnStatus = TurnStatus.RUNNING
    result_type: ResultType = ResultType.ANSWER
    answer: CitedAnswer = CitedAnswer()
    reason: str = ""
    advice: str = ""
    unsourced: bool = False
    listing: Listing | None = None
    coverage: Coverage | None = None
    cards: tuple[ListedDocument, ...] = ()
    charts: tuple[Chart, ...] = ()
    spend: Spend = Spend()
    response_ids: tuple[str, ...] = ()
    thread: Thread = Thread()
    items: tuple[Item, ...] = Field(default=())
    started_at: datetime
    finished_at: datetime | None = None

    @property
    def coverage_limited(self) -> bool:
        """Whether the answer rests on part of what its listing matched."""
        return self.coverage is not None and self.coverage.limited


class Use(NamedTuple):
    """What one turn counts for in the limits of its user: when it began and the tokens it has read and written."""

    started_at: datetime
    tokens: int


def used(turn: Turn) -> Use:
    return Use(turn.started_at, turn.spend.input_tokens + turn.spend.output_tokens)


USE_KEPT = timedelta(days=2)
"""How long a use is kept at least: the longest limit is that of a day, wherever a day begins."""


class ConversationPage(NamedTuple):
    """Some conversations of a list, and how many the whole list has."""

    items: Sequence[Conversation]
    total: int


MOST_WORDS, LONGEST_WORD = 8, 100


def plain(text: str) -> str:
    """Return ``text`` as it is searched: in one case, without accents, on one line."""
    letters = unicodedata.normalize("NFKD", text.casefold()).replace("\0", " ")
    return " ".join("".join(each for each in letters if not unicodedata.combining(each)).split())


def spoken(turn: Turn) -> str:
    """Return what people find a turn by: its question and its answer."""
    return plain(f"{turn.question}\n{turn.answer.text}")


def search_words(text: str) -> tuple[str, ...]:
    """Return the words of a query, each of which must stand somewhere in a conversation; of a long text the first ones."""
    return tuple(word[:LONGEST_WORD] for word in plain(text).split()[:MOST_WORDS])
