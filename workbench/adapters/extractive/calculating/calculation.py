"""The steps of a calculation: read the tables, look up what the words mean, run the code, tell the figure."""

import re
from collections.abc import Sequence

from workbench.adapters.extractive.calculating import programs, telling
from workbench.adapters.extractive.calculating.figures import Printed, printed
from workbench.adapters.extractive.calculating.resolving import (
    Match,
    Resolved,
    Resolver,
    Unresolved,
    date_column,
    day_first,
    matches,
    side_of,
    table_names,
    text_columns,
)
from workbench.adapters.extractive.calculating.terms import best, head, kinds, measures, named
from workbench.adapters.extractive.calculating.views import Column, View, sheet_columns, views
from workbench.adapters.extractive.calculating.wanted import Operation, Wanted
from workbench.adapters.extractive.toolcalls import Step, ToolCall
from workbench.adapters.extractive.transcript import DRAW_CHART, READ_TABLE, RUN_CODE, Call, TurnSoFar
from workbench.domain.ids import DocumentId

MOST_DOCUMENTS = 4
"""Spreadsheets that are read for one question."""
_MOST_TABLES = 8
_CHARTED = 20


class Calculation:
    """One question for a figure. ``only`` tells that there is nothing else to ask than tables."""

    def __init__(
        self,
        wanted: Wanted,
        question: str,
        turn: TurnSoFar,
        documents: Sequence[DocumentId],
        tools: frozenset[str],
        *,
        only: bool,
    ) -> None:
        self._wanted = wanted
        self._question = question
        self._turn = turn
        self._documents = documents
        self._tools = tools
        self._only = only
        self._views: list[View] = []

    def next(self) -> Step | None:
        """Return the calls to make next, or the answer; None where the tables have nothing to do with the question."""
        reads = [call for call in self._turn.calls if call.name == READ_TABLE]
        if not reads:
            return [_reading(document) for document in self._documents[:MOST_DOCUMENTS]]
        self._views = views(reads)
        others = self._other_sheets(reads)
        if others:
            return others
        if not self._views:
            return None
        try:
            return self._formula() if Operation.FORMULA in self._wanted.operations else self._calculated()
        except Unresolved as problem:
            if problem.related or self._only:
                return telling.unresolved(problem.message, self._views)
            return None

    def _other_sheets(self, reads: Sequence[Call]) -> list[ToolCall]:
        """Read the sheets beside those that were read, once."""
        asked = {(call.arguments.get("document_id"), call.arguments.get("sheet")) for call in reads}
        if any(sheet for _, sheet in asked):
            return []
        left = [
            (view.document, sheet)
            for view in self._views
            for sheet in view.sheets
            if (view.document, sheet) not in {(each.document, each.sheet) for each in self._views}
        ]
        return [_reading(document, sheet) for document, sheet in dict.fromkeys(left)][: _MOST_TABLES - len(self._views)]

    # --- calculating -------------------------------------------------------------------------------------------------

    def _calculated(self) -> Step:
        tables = table_names(self._views)
        if self._wanted.sides is not None:
            return self._difference(tables, self._wanted.sides)
        resolver = Resolver(self._wanted, self._question, tables)
        phrases = resolver.phrases()
        found = self._found(resolver.tables, phrases)
        if found is None:
            return [self._looking_up(resolver.tables, phrases)]
        if self._wanted.every_sheet and len(resolver.tables) > 1:
            return self._every_sheet(resolver, found)
        if self._wanted.operations == (Operation.MONTHS,):
            return self._months(resolver, found)
        resolved = resolver.one(found)
        name = resolved.column.name if resolved.column else None
        if resolved.by is not None and name is not None:
            code = programs.grouping(resolved.rows, name, resolved.by.name)
        else:
            code = programs.calculating(resolved.rows, name, self._wanted.operations, resolved.told)
        run = self._ran(code)
        if run is None:
            return [self._running(code, [resolved], tables)]
        chart = self._chart(resolved, run)
        return [chart] if chart is not None else telling.figures(self._wanted, resolved, run)

    def _months(self, resolver: Resolver, found: Sequence[Match]) -> Step:
        (name, view), *others = resolver.tables.items()
        if others:
            raise Unresolved("Several tables can be meant. Name the one.", related=False)
        column = date_column(view, self._question)
        resolved = Resolved(view, programs.Rows(name), None)
        code = programs.months(resolved.rows, column.name, day_first(view, column))
        run = self._ran(code)
        if run is None:
            return [self._running(code, [resolved], {name: view})]
        return telling.figures(self._wanted, resolved, run)

    def _every_sheet(self, resolver: Resolver, found: Sequence[Match]) -> Step:
        each = [
            Resolver(self._wanted, self._question, {name: view}).one(found) for name, view in resolver.tables.items()
        ]
        names = {one.column.name for one in each if one.column is not None}
        if len(names) != 1 or self._wanted.operations != (Operation.TOTAL,):
            raise Unresolved(
                "Only a total of a column that all sheets have can be taken over several sheets.", related=True
            )
        code = programs.adding_tables([one.rows for one in each], names.pop())
        run = self._ran(code)
        return [self._running(code, each, resolver.tables)] if run is None else telling.added(each, run)

    def _difference(self, tables: dict[str, View], sides: tuple[str, str]) -> Step:
        phrases = [phrase for side in sides for phrase in self._side_phrases(tables, side)]
        found = self._found(tables, phrases)
        if found is None:
            return [self._looking_up(tables, phrases)]
        resolved = [(side, self._side(tables, side, found)) for side in sides]
        (_, one), (_, other) = resolved
        if one.column is None or other.column is None:
            raise Unresolved("Only totals of columns of numbers can be compared.", related=True)
        code = programs.subtracting((one.rows, one.column.name), (other.rows, other.column.name))
        run = self._ran(code)
        return [self._running(code, [one, other], tables)] if run is None else telling.difference(resolved, run)

    def _side_phrases(self, tables: dict[str, View], side: str) -> list[str]:
        if _columns(tables, side):
            return []
        view, _, _, rest = side_of(side, tables)
        return [] if view is not None else Resolver(self._wanted, self._question, tables).phrases(rest)

    def _side(self, tables: dict[str, View], side: str, found: Sequence[Match]) -> Resolved:
        columns = _columns(tables, side)
        if len(columns) == 1:
            ((name, column),) = columns
            return Resolver(self._wanted, self._question, {name: tables[name]}, column).one((), "")
        view, period, month, rest = side_of(side, tables)
        if month is not None:
            raise Unresolved(f"“{side}” is named without its year.", related=True)
        chosen = {name: each for name, each in tables.items() if view is None or each is view}
        return Resolver(self._wanted, self._question, chosen).one(found, rest, period)

    def _formula(self) -> str:
        """Tell how a column is calculated from the formulas that were read with it."""
        fitting = []
        for view in self._views:
            held = {re.sub(r"\d", "", cell) for cell in view.formulas}
            columns = best((each for each in sheet_columns(view) if each.letters in held), kinds(self._wanted.text))
            if len(columns) == 1:
                letters = columns[0].letters
                cells = {cell: text for cell, text in view.formulas.items() if re.sub(r"\d", "", cell) == letters}
                fitting.append((view, columns[0], cells))
        if len(fitting) != 1:
            raise Unresolved("No single column with formulas is surely meant.", related=bool(fitting))
        view, column, cells = fitting[0]
        rowwise = {cell: text for cell, text in cells.items() if _in_words(cell, text, view)}
        written = {_in_words(cell, text, view) for cell, text in rowwise.items()}
        if len(written) != 1:
            raise Unresolved(f"The cells of “{column.name}” are calculated in different ways.", related=True)
        cell, text = next(iter(rowwise.items()))
        return telling.formula(view, column, written.pop(), f"{cell} {text}")

    # --- runs --------------------------------------------------------------------------------------------------------

    def _found(self, tables: dict[str, View], phrases: Sequence[str]) -> list[Match] | None:
        """Return the cells that hold the phrases; None where they were not looked up yet."""
        if not phrases:
            return []
        for call in self._turn.calls:
            if call.name == RUN_CODE and str(call.arguments.get("code", "")).startswith(programs.LOOKING_UP):
                return matches(call.output or "")
        return None

    def _looking_up(self, tables: dict[str, View], phrases: Sequence[str]) -> ToolCall:
        columns = {name: found for name, view in tables.items() if (found := text_columns(view))}
        chosen = {name: tables[name] for name in list(columns)[:_MOST_TABLES]}
        columns = {name: columns[name] for name in chosen}
        return _run(programs.looking_up(columns, self._question, phrases), chosen)

    def _ran(self, code: str) -> Printed | None:
        """Return what this very code gave; None where it did not run yet."""
        for call in self._turn.calls:
            if call.name == RUN_CODE and call.arguments.get("code") == code and call.output is not None:
                return printed(call.output)
        return None

    def _running(self, code: str, each: Sequence[Resolved], tables: dict[str, View]) -> ToolCall:
        names = dict.fromkeys(one.rows.table for one in each)
        return _run(code, {name: tables[name] for name in names})

    def _chart(self, resolved: Resolved, run: Printed) -> ToolCall | None:
        """Return the call that draws the groups, where a chart is wanted and none was drawn yet."""
        asked = self._wanted.chart and DRAW_CHART in self._tools and not run.error
        drawn = any(call.name == DRAW_CHART for call in self._turn.calls)
        rows = [row for row in run.table[1:] if len(row) == 2][:_CHARTED]
        if not asked or drawn or resolved.by is None or resolved.column is None or len(rows) < 2:
            return None
        ref = run.refs.get(resolved.rows.table, resolved.view.ref)
        return ToolCall(DRAW_CHART, programs.bars(resolved.by.name, resolved.column.name, rows, ref))


def _reading(document: DocumentId, sheet: str | None = None) -> ToolCall:
    return ToolCall(READ_TABLE, {"document_id": document, "sheet": sheet, "range": None})


def _run(code: str, tables: dict[str, View]) -> ToolCall:
    given = [
        {"name": name, "document_id": view.document, "sheet": view.sheet or None, "range": None}
        for name, view in tables.items()
    ]
    return ToolCall(RUN_CODE, {"code": code, "tables": given})


def _columns(tables: dict[str, View], side: str) -> list[tuple[str, Column]]:
    """Return the columns of numbers whose whole name a side of a comparison is."""
    asked = kinds(side)
    found = [
        (name, column) for name, view in tables.items() for column in measures(view) if named(column, asked) == 1.0
    ]
    longest = max((len(head(column)) for _, column in found), default=0)
    return [(name, column) for name, column in found if len(head(column)) == longest > 1]


def _in_words(cell: str, formula: str, view: View) -> str:
    """Return a formula over cells of its own row with the names of their columns; empty where it uses any other cell."""
    row = re.sub(r"\D", "", cell)
    names = {column.letters: column.name for column in view.columns}
    body = formula.removeprefix("=")
    if re.search(r"[A-Za-z]{2,}\(|\$|!|:", body):
        return ""
    parts = re.findall(r"([A-Z]{1,3})(\d+)", body)
    if not parts or any(number != row or not names.get(letters) for letters, number in parts):
        return ""
    written = re.sub(r"([A-Z]{1,3})\d+", lambda match: f"“{names[match[1]]}”", body)
    return re.sub(r"\s*([*+/-])\s*", lambda match: f" {match[1].replace('*', '×')} ", written)
