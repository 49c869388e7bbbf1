"""A run of code as HTML: the code, what it was given, what it gave, and its limits."""

from collections.abc import Sequence
from html import escape

from workbench.domain.calculations import CodeRun, ColumnKind, LimitHit, ResultTable, RunInput, RunLimits
from workbench.ui.addresses import PageAddress
from workbench.ui.ask.python_html import python_html
from workbench.ui.ask.visible_text import one_line, visible
from workbench.ui.ask.wording import counted, duration

_ROWS = 50
"""Rows of a result that are drawn; how many there are is said."""
_SHOWN = 20_000
"""Characters of a text that are drawn."""
_HITS = {
    LimitHit.TIME: "the time",
    LimitHit.MEMORY: "the memory",
    LimitHit.OUTPUT: "what may be printed",
    LimitHit.RESULT: "the size of a result, which was cut to it",
}


def run_html(run: CodeRun) -> str:
    """Return all that is kept of a run. Code, names and cells are shown as text."""
    error = run.result.error
    parts = [python_html(run.code, error.line if error else None)]
    if run.inputs:
        parts.append(f'<ul class="pc-inputs">{"".join(map(_input, run.inputs))}</ul>')
    parts += [_error(run), _text("Result", run.result.value if not run.result.tables else None)]
    parts += [_text("Printed", run.result.printed.rstrip("\n") or None), *map(_table, run.result.tables)]
    parts.append(f'<p class="pc-quiet">{escape(_terms(run))}</p>')
    return "".join(parts)


def outcome_in_words(run: CodeRun) -> str:
    """Return in a few words what a run gave, for the line of its step."""
    result = run.result
    if result.error is not None:
        line = f" in line {result.error.line}" if result.error.line else ""
        return f"{one_line(result.error.type, 40)}{line}"
    if result.tables:
        return counted(sum(table.total_rows for table in result.tables), "row")
    return one_line(result.value or result.printed, 60) or "no result"


def _input(given: RunInput) -> str:
    where = f"{visible(given.title)}, {visible(given.origin)}"
    link = escape(where)
    if given.document_id is not None:
        link = f'<a class="pc-step-link" href="{escape(PageAddress(given.document_id, given.page).url)}">{link}</a>'
    rows = counted(given.rows, "row")
    return (
        f"<li><code>{escape(visible(given.name))}</code><span>{link} · {rows}</span>"
        f'<span class="pc-hash" title="SHA-256 of what the code was given: {given.sha256}">{given.sha256[:8]}</span></li>'
    )


def _error(run: CodeRun) -> str:
    error = run.result.error
    if error is None:
        return ""
    line = f" in line {error.line}" if error.line is not None else ""
    return f'<p class="pc-run-wrong">{escape(visible(f"{error.type}{line}: {error.message}")[:2000])}</p>'


def _text(name: str, text: str | None) -> str:
    if text is None:
        return ""
    shown = visible(text)
    cut = f"… {len(shown):,} characters in all" if len(shown) > _SHOWN else ""
    return f'<p class="pc-quiet">{name}</p><pre class="pc-output">{escape(shown[:_SHOWN])}{cut}</pre>'


def _table(table: ResultTable) -> str:
    head = "".join(f'<th scope="col">{escape(visible(name))}</th>' for name in table.columns)
    body = "".join(_row(row, table.kinds) for row in table.rows[:_ROWS])
    name = f"{one_line(table.name, 60)}: " if table.name else ""
    shown = min(len(table.rows), _ROWS)
    more = f", the first {shown} are shown" if shown < table.total_rows else ""
    caption = f'<p class="pc-quiet">{escape(name)}{counted(table.total_rows, "row")}{more}</p>'
    grid = f'<table class="pc-result"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'{caption}<div class="pc-table">{grid}</div>'


def _row(row: Sequence[str | None], kinds: Sequence[ColumnKind]) -> str:
    cells = (
        f"<td{' class=pc-figure' if kind is ColumnKind.NUMBER else ''}>{escape(visible(cell or ''))}</td>"
        for cell, kind in zip(row, kinds, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _terms(run: CodeRun) -> str:
    """Say where it ran and for how long, what it might have taken, and which of that it reached."""
    ran = f"{visible(run.engine)} · {duration(run.result.seconds)}"
    if run.at_provider:
        return ran
    reached = [_HITS[hit] for hit in run.result.limits_hit]
    told = f" · reached its limit of {' and of '.join(reached)}" if reached else ""
    return f"{ran} · at most {_allowed(run.limits)}{told}"


def _allowed(limits: RunLimits) -> str:
    return f"{duration(limits.seconds)} and {limits.memory_mb:,}\u00a0MB"
