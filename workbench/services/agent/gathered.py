"""What the tools of a turn gathered, and so which type of result the turn gives (requirements TOOL-12 and TOOL-14).

The rule is kept in code: a turn that listed documents and searched or read none gives ``documents``; one that listed and
searched or read gives ``combined``; a tool that ends the turn says its own type; everything else is an ``answer``. Of several
listings the last one that matched a document counts.
"""

from typing import NamedTuple

from workbench.domain.charts import Chart, numbers_missing
from workbench.domain.events import (
    ChartDrawn,
    CodeRan,
    DocumentDescribed,
    DocumentsListed,
    SearchFinished,
    SourcesGathered,
)
from workbench.domain.figures import figures
from workbench.domain.ids import DocumentId
from workbench.domain.listing import Coverage, ListedDocument, Listing
from workbench.domain.results import ResultType
from workbench.services.tools.tool import Ending, ToolResult

_OF_LISTS = ("date", "calendar day")
"""Units of figures that a list may speak of without its documents being read."""


class Result(NamedTuple):
    """The type of a turn's result and what is shown beside its text."""

    type: ResultType
    listing: Listing | None = None
    coverage: Coverage | None = None
    cards: tuple[ListedDocument, ...] = ()


class Gathered:
    """Takes in the results of a turn's tools one by one."""

    def __init__(self) -> None:
        self._listing: Listing | None = None
        self._matched: frozenset[DocumentId] = frozenset()
        self._reached: frozenset[DocumentId] = frozenset()
        self._searched = False
        self._described = False
        self._calculated = False
        self._told: list[str] = []
        self.charts: tuple[Chart, ...] = ()

    @property
    def looked(self) -> bool:
        """Whether what is said can rest on what the turn looked at, or on what it had calculated."""
        return self._searched or self._described or self._calculated or self._listing is not None

    def claims_contents(self, text: str, question: str) -> bool:
        """Tell whether ``text`` claims what only the contents of documents could tell, though none was searched or read.

        Such are amounts, shares and times that stand neither in the question nor in what the tools told of the documents.
        """
        if self._searched:
            return False
        known = figures("\n\n".join([question, *self._told]))
        claimed = [figure for figure in figures(text) if figure.unit and figure.unit not in _OF_LISTS]
        return not all(any(figure.agrees(other) for other in known) for figure in claimed)

    def take(self, result: ToolResult) -> None:
        self._reached |= result.reached
        self._told.append(result.output)
        for event in result.events:
            match event:
                case SearchFinished() | SourcesGathered():
                    self._searched = True
                case DocumentDescribed():
                    self._described = True
                case CodeRan():
                    self._calculated = True
                case ChartDrawn(chart=chart):
                    missing = numbers_missing(chart.numbers, self._told[:-1])
                    self.charts += (chart.model_copy(update={"unsourced": missing}),)
                case DocumentsListed(listing=listing) if self._listing is None or listing.total or not self._matched:
                    self._listing = listing
                    self._matched = result.matched or frozenset()

    def result(self, ending: Ending | None = None) -> Result:
        """Return what the turn gives; ``ending`` is of the tool that ended it, where one did."""
        if ending is not None:
            return Result(ending.result_type, cards=ending.cards)
        if self._listing is None:
            return Result(ResultType.ANSWER)
        if not self._searched:
            return Result(ResultType.DOCUMENTS, self._listing)
        coverage = Coverage(based_on=len(self._reached & self._matched), matched=len(self._matched))
        return Result(ResultType.COMBINED, self._listing, coverage)
