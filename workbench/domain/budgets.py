"""Budgets: the hard limits of a turn, what it has spent, and the profiles that set them."""

from enum import StrEnum

from pydantic import Field

from workbench.domain.values import Value


class LimitName(StrEnum):
    """What is limited. The values are the names of the fields of :class:`Limits` and :class:`Spend`."""

    MODEL_CALLS = "model_calls"
    TOOL_CALLS = "tool_calls"
    CALLS_PER_ROUND = "calls_per_round"
    CHUNKS = "chunks"
    INPUT_TOKENS = "input_tokens"
    OUTPUT_TOKENS = "output_tokens"
    COST = "cost"
    SECONDS = "seconds"
    REPEATED_CALLS = "repeated_calls"


UNITS = {
    LimitName.MODEL_CALLS: "model calls",
    LimitName.TOOL_CALLS: "tool calls",
    LimitName.CALLS_PER_ROUND: "tool calls a round",
    LimitName.CHUNKS: "passages",
    LimitName.INPUT_TOKENS: "input tokens",
    LimitName.OUTPUT_TOKENS: "output tokens",
    LimitName.COST: "US dollars",
    LimitName.SECONDS: "seconds",
    LimitName.REPEATED_CALLS: "identical calls",
}


class Limits(Value):
    """The ceilings of one turn. ``cost`` is in US dollars; ``repeated_calls`` is how often one identical call may be asked
    for in a turn.

    ``calls_per_round`` is how many tool calls of one model response run: it ends no turn, the calls over it are answered with
    that rule instead.
    """

    model_calls: int = 8
    tool_calls: int = 12
    calls_per_round: int = 12
    chunks: int = 24
    input_tokens: int = 200_000
    output_tokens: int = 16_000
    cost: float = 1.0
    seconds: float = 180.0
    repeated_calls: int = 3

    def of(self, name: LimitName) -> float:
        return float(getattr(self, name.value))


class Spend(Value):
    """What a turn has used so far, in the same units as :class:`Limits`. ``calls_per_round`` is that of the fullest round."""

    model_calls: int = 0
    tool_calls: int = 0
    calls_per_round: int = 0
    chunks: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    repeated_calls: int = 0

    def of(self, name: LimitName) -> float:
        return float(getattr(self, name.value))


def reached(limits: Limits, spend: Spend, names: tuple[LimitName, ...]) -> LimitName | None:
    """Return the first of ``names`` whose ceiling is reached, so that nothing more of it may be spent."""
    return next((name for name in names if spend.of(name) >= limits.of(name)), None)


BEFORE_MODEL_CALL = (
    LimitName.MODEL_CALLS,
    LimitName.INPUT_TOKENS,
    LimitName.OUTPUT_TOKENS,
    LimitName.COST,
    LimitName.SECONDS,
)
BEFORE_TOOL_CALL = (LimitName.TOOL_CALLS, LimitName.SECONDS)


class UserLimits(Value):
    """How much one user may ask, over all conversations; 0 means without limit. Tokens are those read and written."""

    turns_per_minute: int = Field(default=0, ge=0)
    tokens_per_day: int = Field(default=0, ge=0)


class Profile(StrEnum):
    """How much effort a turn may take, chosen per turn and remembered for the conversation.

    ``ROUTER`` only decides between listing, searching and both: few calls, one at a time.
    """

    ROUTER = "router"
    QUICK = "quick"
    THOROUGH = "thorough"


class ProfileSettings(Value):
    """A profile's reasoning effort (a value of the Responses API's ``reasoning.effort``) and its limits."""

    effort: str
    limits: Limits


DEFAULT_PROFILES = {
    Profile.ROUTER: ProfileSettings(
        effort="low",
        limits=Limits(
            model_calls=4,
            tool_calls=3,
            calls_per_round=1,
            input_tokens=60_000,
            output_tokens=8_000,
            cost=0.5,
            seconds=90.0,
        ),
    ),
    Profile.QUICK: ProfileSettings(effort="low", limits=Limits()),
    Profile.THOROUGH: ProfileSettings(
        effort="high",
        limits=Limits(
            model_calls=16,
            tool_calls=32,
            calls_per_round=32,
            chunks=60,
            input_tokens=600_000,
            output_tokens=48_000,
            cost=4.0,
            seconds=600.0,
        ),
    ),
}
