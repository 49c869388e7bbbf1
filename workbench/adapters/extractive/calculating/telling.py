"""The answer: the figure with its unit, which rows it counts, and where they stand."""

from collections.abc import Sequence
from decimal import Decimal

from workbench.adapters.extractive.calculating.figures import Printed, counted, listed, shown
from workbench.adapters.extractive.calculating.resolving import Resolved
from workbench.adapters.extractive.calculating.views import Column, View
from workbench.adapters.extractive.calculating.wanted import Operation, Sign, Wanted
from workbench.domain.ids import Ref

HONEST = (
    "*Calculated by code that the embedded model put together by rules and that ran in the sandbox: the trace shows it. "
    "Check that the rows are those you mean.*"
)
_MONTHS = "January February March April May June July August September October November December".split()
_SIGNS = {Sign.NEGATIVE: "below 0", Sign.POSITIVE: "above 0"}
NO_FIGURE = "No figure is given"
_NAMED = 5
_TOP = 10


def figures(wanted: Wanted, resolved: Resolved, run: Printed) -> str:
    """Return the answer to one or several operations on the rows of one table."""
    if run.error:
        return failed(run)
    if problem := _doubtful(resolved, run):
        return problem
    mark = _marked(resolved.view, run.refs.get(resolved.rows.table))
    if not run.count():
        return f"No row fits: {_where(resolved)}. {mark}"
    if resolved.by is not None and resolved.column is not None:
        return _grouped(resolved.by, resolved.column, run, mark)
    lines = [_line(operation, wanted, resolved, run) for operation in wanted.operations]
    text = f"{' '.join(lines)} {_rows(resolved, run)} {mark}"
    return "\n\n".join(part for part in (text, _remarks(wanted, resolved, run)) if part)


def difference(sides: Sequence[tuple[str, Resolved]], run: Printed) -> str:
    """Return the answer to how far two totals differ."""
    if run.error:
        return failed(run)
    (first, one), (second, other) = sides
    if problem := _doubtful(one, run) or _doubtful(other, run):
        return problem
    empty = [name for name, key in ((first, "rows of the first"), (second, "rows of the second")) if not run.count(key)]
    if empty:
        return f"No row fits {listed(empty)}, so there is nothing to compare."
    column = one.column
    gap = Decimal(run.figures["difference"])
    word = "exceeds" if gap > 0 else "falls short of" if gap < 0 else "equals"
    share = run.figures.get("per cent", "None")
    per_cent = f" ({abs(Decimal(share)):f}% of {second})" if share != "None" else ""
    text = f"{first} {word} {second} by **{shown(str(abs(gap)), column)}**{per_cent}."
    refs = [(each.view, run.refs.get(each.rows.table)) for each in (one, other)]
    lines = [
        f"- {name}: {shown(run.figures[key], column)} in “{each.column.name if each.column else ''}”, "
        f"{counted(run.count(f'rows of the {key}'))} of {each.view.label}{_conditions(each)} {_marked(view, ref)}"
        for (name, each), key, (view, ref) in zip(sides, ("first", "second"), refs, strict=True)
    ]
    return "\n\n".join([text, "\n".join(lines)])


def added(each: Sequence[Resolved], run: Printed) -> str:
    """Return the answer to the total over several sheets."""
    if run.error:
        return failed(run)
    if problem := next((text for one in each if (text := _doubtful(one, run))), ""):
        return problem
    column = each[0].column
    name = column.name if column else ""
    total = f"The total of “{name}” over {len(each)} sheets is **{shown(run.figures['total'], column)}** "
    lines = [
        f"- {one.view.sheet}: {shown(run.figures[f'table {one.rows.table}'], column)} "
        f"{_marked(one.view, run.refs.get(one.rows.table))}"
        for one in each
    ]
    return "\n\n".join([f"{total}({counted(run.count())}).", "\n".join(lines)])


def formula(view: View, column: Column, written: str, example: str) -> str:
    """Return how a column is calculated, by the formulas of its cells."""
    return f"“{column.name}” is calculated as {written}, in each row: for example {example} [{view.ref}]."


def unresolved(problem: str, tables: Sequence[View]) -> str:
    """Say what was looked at and what could not be resolved. No figure is given."""
    looked = "; ".join(f"{view.label} [{view.ref}]" for view in tables[:_NAMED])
    return f"{NO_FIGURE}, for one thing is not sure. {problem}\n\nLooked at: {looked}."


def failed(run: Printed) -> str:
    return f"{NO_FIGURE}, for the calculation failed: {run.error}"


def _line(operation: Operation, wanted: Wanted, resolved: Resolved, run: Printed) -> str:
    column = resolved.column
    name = column.name if column else ""
    figure = shown(run.figures.get(operation.value, ""), column)
    match operation:
        case Operation.COUNT:
            return f"**{run.count():,}** rows."
        case Operation.DISTINCT:
            return f"**{int(run.figures['different']):,}** different texts in “{name}”, as they are written."
        case Operation.MONTHS:
            return f"{_months(run.figures.get('months', ''))}."
        case Operation.LARGEST | Operation.SMALLEST:
            found = "; ".join(_told(row) for row in run.rows)
            return f"The {operation.value} “{name}” is **{figure}**" + (f": {found}." if found else ".")
        case _:
            sign = f" It is {'negative' if figure.startswith('-') else 'positive'}." if wanted.asks_sign else ""
            return f"The {operation.value} of “{name}” is **{figure}**.{sign}"


def _rows(resolved: Resolved, run: Printed) -> str:
    return f"Counted: {counted(run.count())} of {_where(resolved)}"


def _where(resolved: Resolved) -> str:
    return f"{resolved.view.label}{_conditions(resolved)}"


def _conditions(resolved: Resolved) -> str:
    rows = resolved.rows
    parts = [f"“{each.column}” is {' or '.join(f'“{value}”' for value in each.values)}" for each in rows.conditions]
    if rows.dated is not None:
        parts.append(f"“{rows.dated.column}” lies from {rows.dated.period.first} to {rows.dated.period.last}")
    if rows.sign is not None and resolved.column is not None:
        parts.append(f"“{resolved.column.name}” is {_SIGNS[rows.sign]}")
    return f" where {' and '.join(parts)}" if parts else ""


def _remarks(wanted: Wanted, resolved: Resolved, run: Printed) -> str:
    remarks = list(run.notes)
    if run.count("rows of totals left out"):
        remarks.append(_left_out(run))
    if wanted.claimed is not None and wanted.claimed != run.count():
        remarks.append(f"The question speaks of {wanted.claimed:,} rows; there are {run.count():,}.")
    if run.count("rows without a date"):
        remarks.append(f"{counted(run.count('rows without a date'))} have no date.")
    partly = [each for each in resolved.rows.conditions if not each.whole]
    remarks += [f"“{each.phrase}” was taken as part of a longer text: {listed(each.values)}." for each in partly]
    return " ".join(remarks)


def _grouped(by: Column, column: Column, run: Printed, mark: str) -> str:
    rows = [row for row in run.table[1:] if len(row) == 2]
    lines = [f"| {by.name} | {column.name} |", "| --- | ---: |"]
    lines += [f"| {_cell(name)} | {shown(figure, column)} |" for name, figure in rows[:_TOP]]
    head = f"The total of “{column.name}” for each “{by.name}”, the largest first {mark}:"
    more = f"The first {_TOP} of {len(rows)} are shown; the trace has the others." if len(rows) > _TOP else ""
    remarks = " ".join(part for part in (more, _left_out(run), *run.notes) if part)
    return "\n\n".join(part for part in (head, "\n".join(lines), f"Counted: {counted(run.count())}. {remarks}") if part)


def _left_out(run: Printed) -> str:
    count = run.count("rows of totals left out")
    return f"Left out: {counted(count)} of totals." if count else ""


def _doubtful(resolved: Resolved, run: Printed) -> str:
    """Say why a figure would count twice: the sheet has rows that add up others, and none was known by its label."""
    if not resolved.rows.totals or run.count("rows of totals left out"):
        return ""
    name = resolved.column.name if resolved.column else ""
    return (
        f"{NO_FIGURE}: “{name}” of {resolved.view.label} has rows that add up others, and which they are could not "
        f"be told from their labels [{resolved.view.ref}]."
    )


def _marked(view: View, ref: Ref | None) -> str:
    return f"[{ref or view.ref}]"


def _told(row: dict[str, str]) -> str:
    return ", ".join(f"{name} “{' '.join(text.split())}”" for name, text in row.items())


def _cell(text: str) -> str:
    return text.replace("|", "/")


def _months(found: str) -> str:
    names = [f"{_MONTHS[int(month[5:7]) - 1]} {month[:4]}" for month in found.split(", ") if month]
    if len(names) == 1:
        return f"**{names[0]}** only"
    return ", ".join(f"**{name}**" for name in names) or "No months"
