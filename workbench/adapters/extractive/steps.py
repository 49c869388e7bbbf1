"""Steps: what the model does next in a turn, decided from the transcript alone."""

from collections.abc import Mapping, Sequence

from workbench.adapters.extractive import answer, searches
from workbench.adapters.extractive.calculating import prorata
from workbench.adapters.extractive.calculating.calculation import MOST_DOCUMENTS, Calculation
from workbench.adapters.extractive.calculating.telling import HONEST as CALCULATED
from workbench.adapters.extractive.calculating.telling import NO_FIGURE
from workbench.adapters.extractive.calculating.wanted import wanted
from workbench.adapters.extractive.concepts import asked, on_front
from workbench.adapters.extractive.findings import Finding, compared, looked_up
from workbench.adapters.extractive.lists import ListRequest, list_answer, list_request
from workbench.adapters.extractive.naming import Group, Roster
from workbench.adapters.extractive.phrasing import telling
from workbench.adapters.extractive.plan import Part, Plan, interpret, merged
from workbench.adapters.extractive.quoting import quoted
from workbench.adapters.extractive.selection import Selector
from workbench.adapters.extractive.spelling import correct, foreign
from workbench.adapters.extractive.toolcalls import Step, ToolCall
from workbench.adapters.extractive.transcript import (
    ASK,
    FIND,
    READ_PAGE,
    READ_TABLE,
    REWRITE,
    RUN_CODE,
    SEARCH,
    Call,
    TurnSoFar,
)


class Deciding:
    """Decides the next step of one turn: a rewrite with the first searches, a search by supplier, one broader search, and
    then the answer. The four are the most a turn takes."""

    def __init__(
        self, turns: Sequence[TurnSoFar], roster: Roster, vocabulary: Mapping[str, int], tools: frozenset[str]
    ) -> None:
        self._turn = turns[-1]
        self._roster = roster
        self._vocabulary = vocabulary
        self._tools = tools
        self._first = not any(answer.HONEST in turn.answer for turn in turns)
        self._told = "\n".join(turn.answer for turn in turns)
        self.asked, self.plan = _read(turns, roster, vocabulary)

    def next(self, selector: Selector) -> Step:
        """Return the calls to make next, or the answer."""
        if not len(self._roster):
            return self._said(answer.NO_DOCUMENTS)
        listed = list_request(self.plan.question, self._roster.words) if FIND in self._tools else None
        if listed is not None:
            return self._list(listed)
        return self._calculate() or self._quote(selector)

    def _quote(self, selector: Selector) -> Step:
        """Return the next step towards sentences of documents."""
        if self.plan.vague or (self.plan.page is not None and self._page_of() is None):
            return self._ask()
        if self.plan.page is not None and READ_PAGE in self._tools:
            return self._page(selector)
        if SEARCH not in self._tools:
            return self._said(answer.NO_SEARCH)
        return self._compare(selector) if self.plan.comparing else self._look_up(selector)

    def _list(self, wanted: ListRequest) -> Step:
        made = [call for call in self._turn.calls if call.name == FIND]
        return list_answer(_output(made)) if made else [ToolCall(FIND, wanted.arguments)]

    def _calculate(self) -> Step | None:
        """Return the next step towards a figure that tables give; None where the question is no such question."""
        if RUN_CODE in self._tools and prorata.asks(self.asked):
            return prorata.next_step(self.asked, self._turn)
        sheets = self._roster.sheets
        titled, question = self._roster.titled(self.asked)
        want = wanted(question) if {READ_TABLE, RUN_CODE} <= self._tools else None
        in_groups = [one for group in self.plan.groups for one in group.documents if one in sheets]
        named = titled or in_groups
        only = len(sheets) == len(self._roster)
        if want is None or not sheets or not (want.strong or named or only):
            return None
        documents = named or sheets
        if len(documents) > MOST_DOCUMENTS:
            if not self._turn.batches:
                return self._searching(searches.lookups(self.plan))
            found = dict.fromkeys(block.document for block in self._turn.blocks)
            documents = [one for one in found if one in sheets]
        step = Calculation(want, question, self._turn, documents, self._tools, only=only).next()
        ran = any(call.name == RUN_CODE for call in self._turn.calls)
        if isinstance(step, str) and ran and CALCULATED not in self._told and not step.startswith(NO_FIGURE):
            return f"{step}\n\n{CALCULATED}"
        return step or None

    def _look_up(self, selector: Selector) -> Step:
        if not self._turn.batches:
            return self._searching(searches.lookups(self.plan))
        findings = looked_up(selector, self.plan, self._roster, self._turn, self._vocabulary)
        if self._turn.batches == 1 and (again := self._broadened(findings)):
            return again
        return self._said(answer.lookup(self.plan, findings, self._roster))

    def _compare(self, selector: Selector) -> Step:
        ranking = searches.needs_ranking(self.plan, self._roster)
        if not self._turn.batches and ranking:
            return self._searching([searches.broad_search(self.plan)])
        groups = self._groups(ranking=ranking)
        planned = 2 if ranking else 1
        if self._turn.batches < planned:
            return self._searching(searches.comparison(self.plan, groups))
        findings = compared(selector, self.plan, groups, self._turn, self._vocabulary)
        if self._turn.batches == planned and (again := self._broadened(findings)):
            return again
        return self._said(answer.comparison(self.plan, groups, findings, self._roster))

    def _groups(self, *, ranking: bool) -> tuple[Group, ...]:
        if not ranking:
            return searches.candidates(self.plan, self._roster) or ()
        first = min(call.batch for call in self._turn.calls if call.name == SEARCH)
        found = self._turn._replace(calls=tuple(call for call in self._turn.calls if call.batch == first))
        return searches.ranked(self.plan, self._roster, found.blocks)

    def _broadened(self, findings: Sequence[Finding]) -> list[ToolCall]:
        """Search once more for the parts that found nothing; no call that was made before is made again."""
        weak = [finding.part for finding in findings if finding.empty]
        made = [call.arguments for call in self._turn.calls]
        new = [call for call in searches.broadened(self.plan, weak) if call.arguments not in made]
        calls = [*self._front_pages(weak), *(ToolCall(SEARCH, call.arguments) for call in new)]
        return calls[: max(0, searches.MOST_CALLS - len(made))]

    def _front_pages(self, weak: Sequence[Part]) -> list[ToolCall]:
        """Read the first two pages of the one contract meant, where they tell what the search did not."""
        group = self._page_of()
        if group is None or READ_PAGE not in self._tools or not any(on_front(asked(part.topic)) for part in weak):
            return []
        return [ToolCall(READ_PAGE, {"document_id": group.documents[0], "page": page}) for page in (1, 2)]

    def _searching(self, calls: Sequence[searches.SearchCall]) -> list[ToolCall]:
        steps = [ToolCall(SEARCH, call.arguments) for call in calls]
        rewritten = any(call.name == REWRITE for call in self._turn.calls)
        if REWRITE in self._tools and self.asked != self.plan.question and not rewritten:
            steps.insert(0, ToolCall(REWRITE, {"query": self.plan.question}))
        return steps

    def _ask(self) -> Step:
        question = answer.question_back(self.plan, self._roster)
        return [ToolCall(ASK, {"question": question})] if ASK in self._tools else self._said(question)

    def _page_of(self) -> Group | None:
        """The one group whose page is meant, if that is clear."""
        groups = self.plan.groups or self._roster.groups
        return groups[0] if len(groups) == 1 else None

    def _page(self, selector: Selector) -> Step:
        group, number = self._page_of(), self.plan.page
        reads = [call for call in self._turn.calls if call.name == READ_PAGE]
        if not reads and group is not None:
            return [ToolCall(READ_PAGE, {"document_id": group.documents[0], "page": number})]
        topic = next((part.topic for part in self.plan.parts if telling(part.topic)), "")
        picks = selector.select(topic, self._turn.blocks, self._vocabulary, 3) or selector.opening(self._turn.blocks, 3)
        quotes = [quoted(pick, topic) for pick in picks]
        return self._said(answer.page(self._turn.blocks, quotes, _output(reads)))

    def _said(self, text: str) -> str:
        return answer.with_notes(
            text, first=self._first, foreign=foreign(self.asked, self._vocabulary, self._roster.words)
        )


def _read(turns: Sequence[TurnSoFar], roster: Roster, vocabulary: Mapping[str, int]) -> tuple[str, Plan]:
    """Read the turns in order, each in the light of the one before; return the last question as asked, and its plan."""
    asked, plan = "", Plan("")
    before: Plan | None = None
    cited = turns[-1].cited
    for turn in turns:
        asked = merged(asked, turn.question) if turn.replying else turn.question
        plan = interpret(correct(asked, vocabulary, roster.words), roster, before, cited)
        if not plan.vague:
            before, cited = plan, turn.cited
    return asked, plan


def _output(calls: Sequence[Call]) -> str:
    return " ".join(call.output for call in calls if call.output)
