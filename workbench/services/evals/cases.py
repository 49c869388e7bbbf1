"""A case for evaluation from a turn that a reviewer found good."""

from collections.abc import Mapping, Sequence

from workbench.domain.conversations import Turn
from workbench.domain.evals import Enough, Expectations, Place, Sample
from workbench.domain.events import Event
from workbench.domain.figures import figures
from workbench.domain.ids import UserId
from workbench.domain.results import ResultType
from workbench.services.evals.trajectory import calls, rewrites, searches

SPARE_CALLS = 2
"""How many tool calls more than in the reviewed turn are still no worse."""


def case_of(
    turn: Turn,
    events: Sequence[Event],
    *,
    sample_id: str | None,
    earlier: Sequence[str],
    containers: Sequence[str],
    pinned: Mapping[str, str],
    user: UserId,
) -> Sample:
    """Return the sample: the question with its circumstances, and what was right about the turn as expectations.

    What is expected is the kind of result, the cited pages and the figures quoted from them, and a trajectory about as short.
    The words of the answer are not: a good answer can be worded otherwise.
    """
    return Sample(
        id=sample_id or turn.id,
        question=turn.question,
        earlier=tuple(earlier),
        user=user,
        containers=tuple(containers),
        filters=turn.filters.tags,
        profile=turn.profile,
        pinned=pinned,
        note=f"From turn {turn.id}, {turn.started_at:%Y-%m-%d}, answered by {turn.model}.",
        expect=_expectations(turn, events),
    )


def _expectations(turn: Turn, events: Sequence[Event]) -> Expectations:
    made = calls(events)
    answered = turn.result_type in (ResultType.ANSWER, ResultType.COMBINED)
    pages: dict[str, list[int]] = {}
    for citation in turn.answer.citations:
        pages.setdefault(citation.document, []).append(citation.page)
    return Expectations(
        status=turn.status,
        result=turn.result_type,
        cites=tuple(Place(document=document, pages=tuple(sorted(found))) for document, found in pages.items()),
        cites_nothing=answered and not turn.answer.citations,
        figures=_quoted_figures(turn),
        asks=turn.result_type is ResultType.CLARIFICATION,
        grounded=answered and bool(turn.answer.citations),
        uses=tuple(dict.fromkeys(call.name for call in made if call.outcome == "ok")),
        calls_at_most=len(made) + SPARE_CALLS,
        at_most={} if rewrites(events) else {"rewrite_query": 0},
        enough=Enough(searches=1) if searches(events) else None,
    )


def _quoted_figures(turn: Turn) -> tuple[str, ...]:
    """Return the figures of the answer that a cited passage states, as the answer writes them."""
    said = [each for each in figures(turn.answer.text) if each.telling]
    quoted = [figures(mention.quote) for mention in turn.answer.mentions]
    stated = [each for each in said if any(each.agrees(other) for found in quoted for other in found)]
    texts = (f"{each.value.normalize():f} {each.unit}".strip() for each in sorted(stated) if each.unit not in _DATES)
    return tuple(text for text in dict.fromkeys(texts) if figures(text))


_DATES = frozenset({"date", "calendar day"})
"""Units of figures that are not written as a number and a unit."""
