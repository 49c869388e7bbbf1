"""Resolving: which table, column and rows a question means. What is not sure is said, never guessed."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from workbench.adapters.extractive.calculating.programs import FOUND, Condition, Dated, Rows
from workbench.adapters.extractive.calculating.terms import (
    best,
    head,
    kinds,
    left_over,
    measures,
    names_month,
    names_sheet,
    words,
)
from workbench.adapters.extractive.calculating.views import Column, View, sheet_columns
from workbench.adapters.extractive.calculating.wanted import Operation, Wanted, time_of
from workbench.domain.date_words import MONTHS
from workbench.domain.dates import Period

_MOST_VALUES = 8
"""A word that stands in more different cells than these does not say which are meant."""
_YEAR_DIGITS = 4
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.]\d{4}")


class Unresolved(Exception):
    """What of the question could not be resolved, in words for the reader. ``related`` tells whether the tables have
    anything to do with the question at all."""

    def __init__(self, message: str, related: bool) -> None:
        super().__init__(message)
        self.message = message
        self.related = related


class Match(NamedTuple):
    """A cell that holds words of the question: all of its own words stand there (``whole``), or it holds ``phrases``."""

    table: str
    column: str
    value: str
    whole: bool
    phrases: tuple[str, ...]


class Resolved(NamedTuple):
    """What to calculate. ``column`` is None where rows are counted; ``told`` are columns to tell of a row that is found."""

    view: View
    rows: Rows
    column: Column | None
    told: tuple[str, ...] = ()
    by: Column | None = None


def table_names(views: Sequence[View]) -> dict[str, View]:
    """Name the tables for the code: by their sheets, or by their files."""
    found: dict[str, View] = {}
    for view in views:
        name = "_".join(words(view.sheet or view.title.rsplit(".", 1)[0]))[:50] or "table"
        found[name if name not in found else f"{name}_{len(found) + 1}"] = view
    return found


def matches(output: str) -> list[Match]:
    """Read what the first program printed."""
    found = []
    for line in output.splitlines():
        text = line.removeprefix("| ")
        if text.startswith(f"{FOUND} "):
            table, column, value, whole, phrases = json.loads(text.removeprefix(f"{FOUND} "))
            found.append(Match(table, column, value, whole, tuple(phrases)))
    return found


def text_columns(view: View) -> list[str]:
    """Return the columns in which words of a question are looked up."""
    return [column.name for column in sheet_columns(view) if column.mostly("text")]


class Resolver:
    """Resolves what is wanted in the tables that were read; ``column`` is given where it is known already."""

    def __init__(self, wanted: Wanted, question: str, tables: dict[str, View], column: Column | None = None) -> None:
        self._wanted = wanted
        self._column_given = column
        self._question = question
        self._tables = self._meant(tables)
        self._names = {word for view in tables.values() for word in words(view.title.rsplit(".", 1)[0])}

    @property
    def tables(self) -> dict[str, View]:
        return self._tables

    def phrases(self, text: str | None = None) -> list[str]:
        """Return the words of the question that must name values of cells."""
        text = self._wanted.text if text is None else text
        passed = set(self._names)
        for view in self._tables.values():
            passed |= {word for column in self._named(view) for word in (*kinds(column.name), *words(column.name))}
            if self._by_sheet(view, text):
                passed |= set(words(view.sheet))
        return left_over(text, passed)

    def one(self, found: Sequence[Match], text: str | None = None, period: Period | None = None) -> Resolved:
        """Return the one table, column and rows that are meant. Raises Unresolved."""
        phrases = self.phrases(text)
        fitting: list[tuple[str, View, tuple[Condition, ...]]] = []
        problems: list[Unresolved] = []
        for name, view in self._tables.items():
            try:
                fitting.append((name, view, _conditions(phrases, [each for each in found if each.table == name], view)))
            except Unresolved as problem:
                problems.append(problem)
        if not fitting:
            raise next((each for each in problems if each.related), problems[0])
        return self._chosen(fitting, period or self._wanted.period)

    def _chosen(self, fitting: Sequence[tuple[str, View, tuple[Condition, ...]]], period: Period | None) -> Resolved:
        resolved: list[Resolved] = []
        problems: list[Unresolved] = []
        for name, view, conditions in fitting:
            try:
                resolved.append(self._resolved(name, view, conditions, period))
            except Unresolved as problem:
                problems.append(problem)
        if not resolved:
            raise problems[0]
        named = [each for each in resolved if each.column is not None and each.column in self._named(each.view)]
        resolved = named or resolved
        if len(resolved) > 1:
            tables = "; ".join(each.view.label for each in resolved)
            raise Unresolved(f"It can mean several tables: {tables}. Name the one that is meant.", bool(named))
        return resolved[0]

    def _resolved(self, name: str, view: View, conditions: tuple[Condition, ...], period: Period | None) -> Resolved:
        wanted = self._wanted
        by = self._grouped(view) if wanted.group else None
        column = self._column(view)
        fixed = {each.name for each in (column, by) if each is not None}
        told = [each.name for each in sheet_columns(view) if each.mostly("text") and each.name not in fixed]
        asked = [each.name for each in self._named(view) if each.name in told]
        rows = Rows(
            table=name,
            conditions=conditions,
            dated=self._dated(view, period, column),
            sign=wanted.sign,
            totals=self._totals(view, column),
        )
        return Resolved(view, rows, column, tuple(asked or told[:3]), by)

    def _column(self, view: View) -> Column | None:
        """Return the column to calculate with. Raises Unresolved."""
        if self._column_given is not None:
            return self._column_given
        operations = self._wanted.operations
        if operations == (Operation.COUNT,) and self._wanted.sign is None:
            return None
        if operations == (Operation.DISTINCT,):
            return self._distinct(view)
        return self._measure(view)

    def _measure(self, view: View) -> Column:
        numbers = measures(view)
        asked = kinds(self._question)
        named = best(numbers, [word for word in asked if word != "amount"]) or best(numbers, asked)
        amounts = named or best(numbers, ["amount"]) or numbers
        if len(amounts) == 1:
            return amounts[0]
        if not numbers:
            raise Unresolved(f"{view.label} has no column of numbers with a name.", related=False)
        listed = _quoted(column.name for column in numbers)
        raise Unresolved(
            f"{view.label} has several columns of numbers: {listed}. Name the one that is meant.", related=bool(named)
        )

    def _distinct(self, view: View) -> Column:
        texts = [column for column in sheet_columns(view) if not column.mostly("date")]
        named = best(texts, kinds(self._wanted.text))
        plain = [column for column in named if column.mostly("text")] or named
        if len(plain) != 1:
            listed = _quoted(column.name for column in texts)
            raise Unresolved(f"The columns of {view.label} are {listed}: which shall be counted?", related=bool(named))
        return plain[0]

    def _grouped(self, view: View) -> Column:
        texts = [column for column in sheet_columns(view) if not column.mostly("number")]
        named = best(texts, kinds(self._wanted.group))
        if len(named) != 1:
            listed = _quoted(column.name for column in texts)
            raise Unresolved(
                f"{view.label} has no column that is surely “{self._wanted.group}”; there are {listed}.",
                related=bool(named),
            )
        return named[0]

    def _dated(self, view: View, period: Period | None, measured: Column | None) -> Dated | None:
        """Return which column holds the days of the period; None where the sheet, or what is measured, is of that time."""
        if period is None or _is_of(period, view.sheet) or (measured and _is_of(period, measured.name)):
            return None
        column = date_column(view, self._question)
        return Dated(column.name, period, day_first(view, column))

    def _totals(self, view: View, column: Column | None) -> tuple[str, ...]:
        """Return the columns that can label rows of totals, where the sheet has such rows."""
        numbers = [column] if column is not None and column.mostly("number") else measures(view)
        return () if all(each.summed for each in numbers) else tuple(text_columns(view)[:1])

    def _meant(self, tables: dict[str, View]) -> dict[str, View]:
        """Return the tables whose sheets the question names, or all."""
        if self._wanted.sides is not None or self._wanted.every_sheet:
            return tables
        month = self._wanted.month
        named = {name: view for name, view in tables.items() if self._by_sheet(view, self._question)}
        if not named and month is not None:
            named = {name: view for name, view in tables.items() if names_month(view, month)}
        if not named and month is not None:
            raise Unresolved("The month is named without its year.", related=False)
        return named or tables

    def _by_sheet(self, view: View, text: str) -> bool:
        return names_sheet(view, text) or (self._wanted.month is not None and names_month(view, self._wanted.month))

    def _named(self, view: View) -> list[Column]:
        """Return the columns that the question names, of each kind the best."""
        asked = kinds(self._question)
        columns = sheet_columns(view)
        numbers, others = measures(view), [column for column in columns if not column.mostly("number")]
        found = best(numbers, [word for word in asked if word != "amount"]) or best(numbers, asked)
        return [*found, *(column for column in others if all(word in asked for word in head(column)))]


def date_column(view: View, question: str) -> Column:
    """Return the one column of days. Raises Unresolved."""
    dates = [column for column in sheet_columns(view) if column.mostly("date")]
    dates = dates if len(dates) < 2 else best(dates, kinds(question)) or dates
    if len(dates) != 1:
        found = f"several columns of dates: {_quoted(each.name for each in dates)}" if dates else "no column of dates"
        raise Unresolved(f"{view.label} has {found}.", related=bool(dates))
    return dates[0]


def day_first(view: View, column: Column) -> bool | None:
    """Tell whether days that are written 01/02/2024 begin with the day; None where they are dates or written year first.

    Raises Unresolved where the rows that were read do not tell.
    """
    written = [found for row in view.rows if (found := _SLASHED.fullmatch(row.get(column.name, "").strip()))]
    if not written:
        return None
    first, second = (max(int(found[part]) for found in written) for part in (1, 2))
    if first > 12 >= second or second > 12 >= first:
        return first > 12
    raise Unresolved(
        f"The dates of “{column.name}” in {view.label} can be read in two ways, day or month first.", related=True
    )


def side_of(text: str, tables: dict[str, View]) -> tuple[View | None, Period | None, int | None, str]:
    """Read one side of a comparison: the sheet that it names, or the time, and the words that are left."""
    sheets = [view for view in tables.values() if names_sheet(view, text)]
    rest, period, month = time_of(text)
    if not sheets and month is not None:
        sheets = [view for view in tables.values() if names_month(view, month)]
    if len(sheets) == 1:
        return sheets[0], None, None, ""
    return None, period, month, rest


def _conditions(phrases: Sequence[str], found: Sequence[Match], view: View) -> tuple[Condition, ...]:
    """Return a condition for every phrase. Raises Unresolved where one names no cells, or cells of several columns."""
    conditions: list[Condition] = []
    for phrase in phrases:
        plain = " ".join(words_of(phrase))
        whole = [each for each in found if each.whole and _within(each.value, plain)]
        part = [each for each in found if plain in each.phrases]
        chosen = whole or part
        if whole:
            longest = max(len(words_of(each.value)) for each in whole)
            chosen = [each for each in whole if len(words_of(each.value)) == longest]
        if not chosen or (whole and not _covered(plain, chosen)):
            missing = f"“{phrase}” is no text of a cell of {view.label}."
            raise Unresolved(missing, related=bool(chosen or conditions))
        columns = tuple(dict.fromkeys(each.column for each in chosen))
        values = tuple(dict.fromkeys(each.value for each in chosen))
        if len(columns) > 1:
            raise Unresolved(
                f"“{phrase}” stands in several columns: {_quoted(columns)}. Name the one meant.", related=True
            )
        if len(values) > _MOST_VALUES:
            raise Unresolved(
                f"“{phrase}” stands in {len(values)} different texts of “{columns[0]}”, such as {_quoted(values[:3])}.",
                related=True,
            )
        conditions.append(Condition(columns[0], values, whole=bool(whole), phrase=phrase))
    return tuple(conditions)


def words_of(text: str) -> list[str]:
    """Return the words of a text as the first program compares them."""
    return re.findall(r"\w+", text.casefold())


def _within(value: str, phrase: str) -> bool:
    return f" {' '.join(words_of(value))} " in f" {phrase} "


def _covered(phrase: str, chosen: Sequence[Match]) -> bool:
    """Tell whether the texts of the cells leave nothing of the phrase over that says something."""
    held = {word for each in chosen for word in words_of(each.value)}
    return not left_over(" ".join(word for word in phrase.split() if word not in held), ())


def _is_of(period: Period, name: str) -> bool:
    """Tell whether a name says that what it names is of the period: "Mar 2025", "Cost 2025"."""
    if period.first is None or period.last is None:
        return False
    named = words(name)
    months = {MONTHS[word] for word in named if word in MONTHS}
    month = period.first.month if period.first.month == period.last.month else None
    years = {word for word in named if word.isdigit() and len(word) == _YEAR_DIGITS}
    if month is None:
        return str(period.first.year) in years and not months
    return months == {month} and years <= {str(period.first.year)}


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)
