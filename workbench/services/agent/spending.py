"""What a turn spends, checked against its limits before anything more is spent."""

from workbench.domain.budgets import BEFORE_MODEL_CALL, BEFORE_TOOL_CALL, LimitName, Limits, Spend, reached
from workbench.domain.items import ModelResponse
from workbench.services.ports import Clock


class LimitHit(Exception):
    """A ceiling was reached; the turn ends with what was gathered."""

    def __init__(self, limit: LimitName, ceiling: float, used: float) -> None:
        super().__init__(f"{limit.value}: {used:g} of {ceiling:g}")
        self.limit = limit
        self.ceiling = ceiling
        self.used = used


class Spending:
    """The running account of one turn."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self._clock = clock
        self._started = clock.monotonic()
        self._spend = Spend()

    @property
    def so_far(self) -> Spend:
        return self._spend.model_copy(update={"seconds": round(self.seconds, 3)})

    @property
    def seconds(self) -> float:
        return self._clock.monotonic() - self._started

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.limits.seconds - self.seconds)

    @property
    def tool_calls_left(self) -> int:
        return max(0, self.limits.tool_calls - self._spend.tool_calls)

    @property
    def output_tokens_left(self) -> int:
        return self.limits.output_tokens - self._spend.output_tokens

    def model_call(self) -> int:
        """Count a model call that is about to be made and return its number; raise LimitHit where none is left."""
        self._check(BEFORE_MODEL_CALL)
        return self._add("model_calls", 1)

    def tool_call(self) -> None:
        """Count a tool call that is about to be made; raise LimitHit where none is left."""
        self._check(BEFORE_TOOL_CALL)
        self._add("tool_calls", 1)

    def ran(self, calls: int) -> None:
        """Count what the provider ran by itself, which nobody could stop before it was made."""
        self._add("tool_calls", calls)

    def round_of(self, calls: int) -> None:
        """Note how many calls the present round has run."""
        self._set("calls_per_round", max(calls, self._spend.calls_per_round))

    def identical_call(self, times: int) -> None:
        """Note that one identical call was asked for ``times`` times; raise LimitHit where that is too often."""
        self._set("repeated_calls", max(times, self._spend.repeated_calls))
        if times >= self.limits.repeated_calls:
            raise self._hit(LimitName.REPEATED_CALLS)

    def out_of_time(self) -> LimitHit | None:
        """Return the limit where the turn's seconds are over."""
        over = self.seconds >= self.limits.seconds
        return self._hit(LimitName.SECONDS) if over else None

    def response(self, response: ModelResponse, cost: float | None) -> None:
        self._add("input_tokens", response.usage.input_tokens)
        self._add("output_tokens", response.usage.output_tokens)
        self._set("cost", self._spend.cost + (cost or 0.0))

    def chunks(self, given: int) -> None:
        self._set("chunks", given)

    def _check(self, names: tuple[LimitName, ...]) -> None:
        hit = reached(self.limits, self.so_far, names)
        if hit is not None:
            raise self._hit(hit)

    def _hit(self, name: LimitName) -> LimitHit:
        return LimitHit(name, self.limits.of(name), self.so_far.of(name))

    def _add(self, field: str, amount: int) -> int:
        total = int(getattr(self._spend, field)) + amount
        self._set(field, total)
        return total

    def _set(self, field: str, value: float) -> None:
        self._spend = self._spend.model_copy(update={field: value})
