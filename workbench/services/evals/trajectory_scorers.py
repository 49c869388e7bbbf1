"""Scorers of the trajectory: how the turn came about, read from its stored events only.

Each is made from what is expected and is then a pure function of it, like the scorers of the outcome.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from workbench.domain.budgets import BEFORE_MODEL_CALL, UNITS, LimitName, Limits, Spend
from workbench.domain.evals import Enough, Score
from workbench.domain.events import (
    BudgetSpent,
    Event,
    LimitReached,
    ModelCallFinished,
    ModelCallStarted,
    SearchFinished,
    SourcesGathered,
    ToolCallFinished,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
)
from workbench.domain.results import TurnStatus
from workbench.services.agent.wiring import carries_wording
from workbench.services.evals.outcome_scorers import Scorer, judged, share
from workbench.services.evals.trajectory import (
    ENDING,
    REWRITE,
    SEARCH,
    Trajectory,
    calls,
    limit_reached,
    rewrites,
    searches,
    words,
)
from workbench.services.gaps import found_nothing

STAMPING_SECONDS = 0.5


def uses(tools: Sequence[str]) -> Scorer:
    """Each tool ran at least once."""

    def score(seen: Trajectory) -> Score:
        ran = {call.name for call in calls(seen.events) if call.outcome == "ok"}
        return share("uses", tools, [tool for tool in tools if tool not in ran], "Never ran")

    return score


def avoids(tools: Sequence[str]) -> Scorer:
    """None of the tools was called, whatever became of the call."""

    def score(seen: Trajectory) -> Score:
        made = {call.name for call in calls(seen.events)}
        return share("avoids", tools, [tool for tool in tools if tool in made], "Called")

    return score


def order(tools: Sequence[str]) -> Scorer:
    """The tools ran in this order; others may stand between."""

    def score(seen: Trajectory) -> Score:
        ran = [call.name for call in calls(seen.events) if call.outcome == "ok"]
        rest = iter(ran)
        return judged("order", all(tool in rest for tool in tools), f"It ran {', '.join(ran) or 'no tool'}.")

    return score


def counts(wanted: Mapping[str, int]) -> Scorer:
    """Each tool was called exactly so often."""

    def score(seen: Trajectory) -> Score:
        made = Counter(call.name for call in calls(seen.events))
        wrong = [f"{tool} {made[tool]} times, not {number}" for tool, number in wanted.items() if made[tool] != number]
        return share("counts", list(wanted), wrong, "Called")

    return score


def at_most(wanted: Mapping[str, int]) -> Scorer:
    """Each tool was called so often at most."""

    def score(seen: Trajectory) -> Score:
        made = Counter(call.name for call in calls(seen.events))
        over = [f"{tool} {made[tool]} times, over {number}" for tool, number in wanted.items() if made[tool] > number]
        return share("at_most", list(wanted), over, "Called")

    return score


def calls_at_most(number: int) -> Scorer:
    """All tools together were called so often at most."""

    def score(seen: Trajectory) -> Score:
        made = len(calls(seen.events))
        return judged("calls_at_most", made <= number, f"{made} tool calls, {number} allowed.")

    return score


def one_rewrite() -> Scorer:
    """The question was rewritten once at most."""

    def score(seen: Trajectory) -> Score:
        made = max(sum(call.name == REWRITE for call in calls(seen.events)), len(rewrites(seen.events)))
        return judged("one_rewrite", made <= 1, f"{made} rewrites.")

    return score


def rewrite_wired() -> Scorer:
    """A rewrite replaced the wording of the single search of its round that still carried the old one, and of no other.

    With several searches in a round, each ran with words of its own.
    """

    def score(seen: Trajectory) -> Score:
        if not rewrites(seen.events):
            return Score(scorer="rewrite_wired", value=None, explanation="Nothing was rewritten.")
        wrong = [problem for each in rewrites(seen.events) for problem in _wrongly_wired(each.call_id, seen.events)]
        return judged("rewrite_wired", not wrong, " ".join(wrong) or "Every search ran with the words it should.")

    return score


def no_repeated_search() -> Scorer:
    """No search was made twice: neither the same call, nor one that comes to the same query over the same documents."""

    def score(seen: Trajectory) -> Score:
        asked = Counter(call.key for call in calls(seen.events) if call.name == SEARCH)
        ran = Counter(_sought(search) for search in searches(seen.events))
        wrong = [f"{number} times {what}" for counted in (asked, ran) for what, number in counted.items() if number > 1]
        return judged("no_repeated_search", not wrong, "; ".join(wrong) or "No search was repeated.")

    return score


def broadens() -> Scorer:
    """After a search that found nothing, another one looked with other words, or with fewer or other restrictions."""

    def score(seen: Trajectory) -> Score:
        made = searches(seen.events)
        empty = [place for place, search in enumerate(made) if found_nothing(search)]
        if not empty:
            return Score(scorer="broadens", value=None, explanation="Every search found something.")
        given_up = [
            made[place].requested
            for place in empty
            if not any(_broader(later, made[place]) for later in made[place + 1 :])
        ]
        text = f"Nothing was tried after {given_up[0]!r} found nothing." if given_up else "It looked further."
        return judged("broadens", not given_up, text)

    return score


def enough(wanted: Enough) -> Scorer:
    """The turn did not stop too early: it searched so often and saw passages of each document before it answered."""

    def score(seen: Trajectory) -> Score:
        if limit_reached(seen.events) is not None:
            return Score(scorer="enough", value=None, explanation="A limit ended the turn, not the model.")
        made = len(searches(seen.events))
        read = set(_read(seen.events))
        unseen = [document for document in wanted.documents if document not in read]
        problems = [f"{made} of {wanted.searches} searches"] if made < wanted.searches else []
        problems += [f"nothing of {document} was read" for document in unseen]
        return judged("enough", not problems, "; ".join(problems) or "It looked far enough.")

    return score


def stops_at(limit: LimitName) -> Scorer:
    """This limit ended the turn with a partial answer, and nothing was spent after it."""

    def score(seen: Trajectory) -> Score:
        hit = limit_reached(seen.events)
        if hit is None:
            return judged("stops_at", False, "No limit ended the turn.")
        after = [event.kind for event in seen.events if event.seq > hit.seq and isinstance(event, _SPENDING)]
        right = hit.limit is limit and seen.turn.status is TurnStatus.PARTIAL and not after
        text = f"It ended as {seen.turn.status.value} at its limit of {hit.ceiling:g} {UNITS[hit.limit]}."
        return judged("stops_at", right, text + (f" After that: {', '.join(after)}." if after else ""))

    return score


def within_budget() -> Scorer:
    """No model call and no tool call began where a ceiling had been reached, and nothing countable went over one."""

    def score(seen: Trajectory) -> Score:
        started = next((event for event in seen.events if isinstance(event, TurnStarted)), None)
        if started is None:
            return Score(scorer="within_budget", value=None, explanation="No event tells the limits.", failed=True)
        wrong = list(dict.fromkeys(_overspent(started.limits, seen.events)))
        return judged("within_budget", not wrong, "; ".join(wrong) or "Every ceiling was kept.")

    return score


def nothing_after_answer() -> Scorer:
    """Once the answer stood, a tool had ended the turn, or a limit was reached, nothing more was called."""

    def score(seen: Trajectory) -> Score:
        end = _ended_at(seen.events)
        after = [event.kind for event in seen.events if event.seq > end and isinstance(event, _SPENDING)] if end else []
        return judged("nothing_after_answer", not after, ", ".join(after) or "Nothing came after the answer.")

    return score


_SPENDING = (ModelCallStarted, ToolCallStarted, SearchFinished)


def _wrongly_wired(rewrite_id: str, events: Sequence[Event]) -> Iterator[str]:
    made = {call.call_id: call for call in calls(events)}
    rewrite = next(each for each in rewrites(events) if each.call_id == rewrite_id)
    if rewrite_id not in made:
        return
    round_ = [
        search
        for search in searches(events)
        if search.call_id in made and made[search.call_id].round == made[rewrite_id].round
    ]
    for search in round_:
        replaced = not words(search.query) <= words(search.requested)
        stale = carries_wording(search.requested, rewrite.before, rewrite.after)
        if len(round_) > 1 and (replaced or _pasted(search, round_)):
            yield f"{search.requested!r} ran as {search.query!r}, beside other searches."
        elif len(round_) == 1 and stale and not words(search.query) <= words(rewrite.after):
            yield f"{search.requested!r} ran as {search.query!r}, without the rewriting."


def _pasted(search: SearchFinished, round_: Sequence[SearchFinished]) -> bool:
    """Tell whether another search of the round, asked for in other words, ran with the very same ones."""
    return any(
        other.query.casefold() == search.query.casefold() and words(other.requested) != words(search.requested)
        for other in round_
        if other is not search and not other.named and other.filters == search.filters
    )


def _sought(search: SearchFinished) -> str:
    restriction = "" if search.filters is None else search.filters.model_dump_json(exclude_defaults=True)
    within = f" in {', '.join(search.named)}" if search.named else ""
    return f"{' '.join(search.query.casefold().split())!r}{within}{' with ' + restriction if restriction else ''}"


def _broader(later: SearchFinished, earlier: SearchFinished) -> bool:
    restricted_otherwise = later.filters != earlier.filters and _restrictions(later) <= _restrictions(earlier)
    return words(later.query) != words(earlier.query) or restricted_otherwise


def _restrictions(search: SearchFinished) -> int:
    return 0 if search.filters is None else len(search.filters.model_dump(exclude_defaults=True))


def _read(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, SearchFinished):
            yield from (hit.title for hit in event.kept)
        elif isinstance(event, SourcesGathered):
            yield from (source.title for source in event.sources)


def _overspent(limits: Limits, events: Sequence[Event]) -> Iterator[str]:
    """Yield what went over a ceiling, counted from the events themselves and not only from what the loop says it spent."""
    searched = {event.call_id for event in events if isinstance(event, SearchFinished)}
    spent, models, tools, chunks = Spend(), 0, 0, 0
    for event in events:
        match event:
            case ModelCallStarted():
                # The event is stamped a moment after the ceiling was looked at.
                spent = spent.model_copy(update={"model_calls": models, "seconds": event.at - STAMPING_SECONDS})
                for name in BEFORE_MODEL_CALL:
                    if spent.of(name) >= limits.of(name):
                        yield f"a model call at {spent.of(name):g} of {limits.of(name):g} {UNITS[name]}"
                models += 1
            case ModelCallFinished():
                spent = spent.model_copy(
                    update={
                        "input_tokens": spent.input_tokens + event.usage.input_tokens,
                        "output_tokens": spent.output_tokens + event.usage.output_tokens,
                        "cost": spent.cost + (event.cost or 0.0),
                    }
                )
            case ToolCallFinished() if event.outcome in ("ok", "failed"):
                tools += 1
            case SourcesGathered() if event.call_id in searched:
                chunks += len(event.sources)
            case BudgetSpent():
                yield from _over(limits, event.spend)
    counted = Spend(model_calls=models, tool_calls=tools, chunks=chunks)
    yield from _over(limits, counted)


def _over(limits: Limits, spend: Spend) -> Iterator[str]:
    countable = (LimitName.MODEL_CALLS, LimitName.TOOL_CALLS, LimitName.CALLS_PER_ROUND, LimitName.CHUNKS)
    for name in countable:
        if spend.of(name) > limits.of(name):
            yield f"{spend.of(name):g} {UNITS[name]} of {limits.of(name):g}"


def _ended_at(events: Sequence[Event]) -> int | None:
    """Return the number of the event with which the turn had nothing more to do."""
    names = {event.call_id: event.name for event in events if isinstance(event, ToolCallStarted)}
    for event in events:
        match event:
            case ModelCallFinished() if event.calls == 0:
                return event.seq
            case ToolCallFinished() if event.outcome == "ok" and names.get(event.call_id) in ENDING:
                return _end_of_round(events, event.seq)
            case LimitReached() | TurnFinished():
                return event.seq
            case _:
                continue
    return None


def _end_of_round(events: Sequence[Event], seq: int) -> int:
    """Return the last event of the round in which ``seq`` lies: other calls of it may still be answered."""
    last = seq
    for event in events:
        if event.seq > seq and isinstance(event, ModelCallStarted):
            break
        last = max(last, event.seq)
    return last
