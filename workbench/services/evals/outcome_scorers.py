"""Scorers of the outcome: what the stored turn says, cites, refuses or asks.

Each is made from what is expected and is then a pure function of a trajectory: a turn and its events. Nothing is asked of a
model, so the same stored turn always gets the same score.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from workbench.domain.conversations import Turn
from workbench.domain.evals import Place, Score
from workbench.domain.events import Event, SourcesGathered, ToolCallFinished
from workbench.domain.figures import Figure, figures
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.sentences import sentences
from workbench.services.evals.trajectory import Trajectory

Scorer = Callable[[Trajectory], Score]


def status(wanted: TurnStatus) -> Scorer:
    """The turn ended in this way."""
    return lambda seen: judged("status", seen.turn.status is wanted, f"The turn ended as {seen.turn.status.value}.")


def result(wanted: ResultType) -> Scorer:
    """The turn gave this type of result."""
    return lambda seen: judged(
        "result", seen.turn.result_type is wanted, f"The result is {seen.turn.result_type.value}."
    )


def contains(wanted: Sequence[str]) -> Scorer:
    """Each text stands in the answer; case and spacing make no difference."""

    def score(seen: Trajectory) -> Score:
        said = _plain(seen.turn.answer.text)
        return share("contains", wanted, [each for each in wanted if _plain(each) not in said], "Not in the answer")

    return score


def omits(unwanted: Sequence[str]) -> Scorer:
    """None of the texts stands in the answer."""

    def score(seen: Trajectory) -> Score:
        said = _plain(seen.turn.answer.text)
        return share("omits", unwanted, [each for each in unwanted if _plain(each) in said], "In the answer")

    return score


def matches(patterns: Sequence[str]) -> Scorer:
    """Each regular expression matches somewhere in the answer, whatever the case."""

    def score(seen: Trajectory) -> Score:
        missed = [each for each in patterns if not re.search(each, seen.turn.answer.text, re.IGNORECASE)]
        return share("matches", patterns, missed, "Nothing matches")

    return score


def figure(wanted: Sequence[str]) -> Scorer:
    """Each figure stands in the answer with its value and unit, however it is written; citation labels do not count."""

    def score(seen: Trajectory) -> Score:
        said = figures(_own_words(seen.turn))
        missed = [text for text in wanted if not all(_known(each, said) for each in figures(text))]
        return share("figures", wanted, missed, "Not among the figures of the answer")

    return score


def cites(places: Sequence[Place]) -> Scorer:
    """Of each document one of the pages is cited; a document without pages is cited anywhere."""

    def score(seen: Trajectory) -> Score:
        cited = {(citation.document, citation.page) for citation in seen.turn.answer.citations}
        documents = {document for document, _ in cited}
        missed = [
            place
            for place in places
            if not (place.document in documents and not place.pages)
            and not any((place.document, page) in cited for page in place.pages)
        ]
        return share("cites", places, [_place(place) for place in missed], "Not cited")

    return score


def cites_only(documents: Sequence[str]) -> Scorer:
    """Nothing but these documents is cited."""

    def score(seen: Trajectory) -> Score:
        others = sorted({citation.document for citation in seen.turn.answer.citations} - set(documents))
        return judged("cites_only", not others, _list("Cited as well", others) or "Nothing else is cited.")

    return score


def cites_nothing() -> Scorer:
    """The answer cites no document."""

    def score(seen: Trajectory) -> Score:
        cited = [citation.label for citation in seen.turn.answer.citations]
        return judged("cites_nothing", not cited, _list("Cited", cited) or "Nothing is cited.")

    return score


def known_sources() -> Scorer:
    """Every marker that the model wrote named a source that it was given."""

    def score(seen: Trajectory) -> Score:
        unknown = seen.turn.answer.unknown_refs
        return judged("known_sources", not unknown, _list("Invented", unknown) or "No source was invented.")

    return score


def refuses() -> Scorer:
    """The turn gives no answer on the matter: the model declined, or says so without a source and without a new figure."""

    def score(seen: Trajectory) -> Score:
        if seen.turn.status is TurnStatus.REFUSED:
            return judged("refuses", True, "The model declined.")
        if seen.turn.status is not TurnStatus.ANSWERED or seen.turn.result_type is not ResultType.ANSWER:
            return judged(
                "refuses", False, f"The turn ended as {seen.turn.status.value}, with a {seen.turn.result_type.value}."
            )
        if seen.turn.answer.citations:
            return judged("refuses", False, _list("It cites", [each.label for each in seen.turn.answer.citations]))
        new = _unknown(_own_words(seen.turn), figures(seen.turn.question))
        return judged("refuses", not new, _list("It claims", new) or "It claims nothing.")

    return score


def asks() -> Scorer:
    """The turn ended with a question to the user."""

    def score(seen: Trajectory) -> Score:
        asked = seen.turn.result_type is ResultType.CLARIFICATION and "?" in seen.turn.answer.text
        return judged("asks", asked, f"The result is {seen.turn.result_type.value}.")

    return score


def grounded() -> Scorer:
    """The answer is faithful to what the turn was given, whether or not that is right.

    Every figure of the answer stands in the question, in what the tools gave or in a quoted passage, and every citation has a
    passage on its page that says it. Judged by the retrieved text alone, never by an expected answer. One that claims nothing
    is not scored.
    """

    def score(seen: Trajectory) -> Score:
        quotes = (mention.quote for mention in seen.turn.answer.mentions)
        given = figures("\n\n".join([seen.turn.question, *_given(seen.events), *quotes]))
        claims = _claims(seen.turn)
        if not claims:
            return Score(scorer="grounded", value=None, explanation="The answer claims nothing that could be checked.")
        unsaid = [claim for claim in claims if _unknown(claim, given)]
        missing = [seen.turn.answer.text[each.start : each.end] for each in seen.turn.answer.mentions if not each.quote]
        total = [*claims, *(each.citation for each in seen.turn.answer.mentions)]
        return share("grounded", total, [*unsaid, *missing], "Not in what was retrieved")

    return score


def judged(scorer: str, passed: bool, explanation: str) -> Score:
    """Return a score of all or nothing."""
    return Score(scorer=scorer, value=float(passed), explanation=explanation)


def share(scorer: str, wanted: Sequence[object], missed: Sequence[str], problem: str) -> Score:
    """Return the share of what was wanted that is as it should be; the explanation names the rest."""
    explanation = _list(problem, missed) or "All as expected."
    return Score(scorer=scorer, value=(len(wanted) - len(missed)) / len(wanted), explanation=explanation)


def _own_words(turn: Turn) -> str:
    """Return the answer without its citation labels, whose page numbers are no figures of it."""
    pieces, place = list[str](), 0
    for mention in turn.answer.mentions:
        pieces.append(turn.answer.text[place : mention.start])
        place = mention.end
    return " ".join([*pieces, turn.answer.text[place:]])


def _claims(turn: Turn) -> list[str]:
    """Return the sentences of the answer that hold a telling figure which the question does not, or all where it cites."""
    text, asked = _own_words(turn), figures(turn.question)
    said = [text[start:end] for start, end in sentences(text)]
    return [sentence for sentence in said if turn.answer.citations or _unknown(sentence, asked)]


def _unknown(text: str, known: Iterable[Figure]) -> list[str]:
    known = list(known)
    return [
        f"{each.value.normalize():f} {each.unit}".strip()
        for each in sorted(figures(text))
        if each.telling and not _known(each, known)
    ]


def _known(wanted: Figure, figures_: Iterable[Figure]) -> bool:
    return any(wanted.agrees(each) for each in figures_)


def _given(events: Sequence[Event]) -> Iterable[str]:
    for event in events:
        if isinstance(event, ToolCallFinished):
            yield event.output
        elif isinstance(event, SourcesGathered):
            yield from (source.chunk.text for source in event.sources)


def _place(place: Place) -> str:
    return place.document + (f", p. {' or '.join(map(str, place.pages))}" if place.pages else "")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _list(problem: str, texts: Sequence[str]) -> str:
    return f"{problem}: {'; '.join(' '.join(text.split()).rstrip('.') for text in texts)}." if texts else ""
