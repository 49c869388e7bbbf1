"""A run of code as the trace shows it: everything in it is text."""

import re

import pytest

from workbench.domain.calculations import (
    CodeRun,
    ColumnKind,
    LimitHit,
    ResultTable,
    RunError,
    RunInput,
    RunLimits,
    RunOutcome,
    SandboxResult,
)
from workbench.domain.ids import DocumentId
from workbench.domain.tables import CellRange
from workbench.ui.ask.python_html import python_html
from workbench.ui.ask.run_html import outcome_in_words, run_html

pytestmark = pytest.mark.req("TRACE-1")


def run(code: str = "1 + 1", **result: object) -> CodeRun:
    given = RunInput(
        name="stock", sha256="ab" * 32, document_id=DocumentId("doc_1"), title="<b>stock</b>.csv", origin="Prices A1:C9",
        cells=CellRange(1, 1, 9, 3), rows=8, page=2,
    )  # fmt: skip
    values: dict[str, object] = {"outcome": RunOutcome.OK, "seconds": 0.21} | result
    return CodeRun(
        code=code,
        inputs=(given,),
        engine="CPython in a box",
        limits=RunLimits(seconds=20.0, memory_mb=512),
        result=SandboxResult.model_validate(values),
    )


def text_of(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def test_code_is_text_line_by_line_with_its_words_coloured() -> None:
    html = python_html('for x in "<script>":  # all & more\n    print(x, 12)')
    assert "<script>" not in html
    assert html.count("<li>") == 2
    assert '<span class="pc-py-keyword">for</span>' in html
    assert '<span class="pc-py-string">&quot;&lt;script&gt;&quot;</span>' in html
    assert '<span class="pc-py-comment"># all &amp; more</span>' in html
    assert '<span class="pc-py-number">12</span>' in html


def test_a_text_over_several_lines_is_coloured_on_each() -> None:
    assert python_html('x = """a\nb"""').count("pc-py-string") == 2


@pytest.mark.parametrize("code", ["x = (", "x = '", "  if:\n x", "\x00 \u202e", "", "é = 'ß'\n\n"])
def test_code_that_cannot_be_read_is_shown_whole(code: str) -> None:
    shown = text_of(python_html(code))
    assert all(word in shown for word in re.findall(r"\w+", code))


def test_the_line_of_an_error_is_marked() -> None:
    error = RunError(type="ZeroDivisionError", message="division by zero", line=2)
    failed = run("x = 0\n1 / x", outcome=RunOutcome.ERROR, error=error)
    first, second = re.findall(r"<li[^>]*>", python_html(failed.code, 2))
    assert "pc-code-wrong" not in first
    assert "pc-code-wrong" in second
    assert "ZeroDivisionError in line 2: division by zero" in text_of(run_html(failed))
    assert outcome_in_words(failed) == "ZeroDivisionError in line 2"


def test_inputs_link_to_the_document_and_name_the_cells() -> None:
    html = run_html(run())
    assert 'href="/viewer?document=doc_1&amp;page=2"' in html
    assert "<b>stock</b>" not in html
    assert "&lt;b&gt;stock&lt;/b&gt;.csv, Prices A1:C9 · 8 rows" in text_of(html)
    assert f"{'ab' * 32}" in html


def test_value_and_print_are_shown_as_text() -> None:
    html = run_html(run(value="<img src=x>", printed="[a](javascript:1)\n"))
    assert "<img" not in html
    assert "&lt;img src=x&gt;" in html
    assert "[a](javascript:1)" in html


def test_a_table_is_shown_with_figures_at_the_right_and_how_much_is_left_out() -> None:
    table = ResultTable(
        columns=("who", "sum"),
        kinds=(ColumnKind.TEXT, ColumnKind.NUMBER),
        rows=tuple((f"<{number}>", str(number)) for number in range(80)),
        total_rows=900,
    )
    html = run_html(run(tables=(table,)))
    assert "900 rows, the first 50 are shown" in html
    assert "<td>&lt;49&gt;</td><td class=pc-figure>49</td>" in html
    assert "&lt;50&gt;" not in html
    assert outcome_in_words(run(tables=(table,))) == "900 rows"


def test_where_it_ran_how_long_and_which_limit_it_reached() -> None:
    shown = text_of(run_html(run(outcome=RunOutcome.TIMEOUT, limits_hit=(LimitHit.TIME,)))).replace("\u00a0", " ")
    assert "CPython in a box · 0.2 s · at most 20 s and 512 MB · reached its limit of the time" in shown


def test_of_a_run_at_the_provider_no_limits_are_known() -> None:
    shown = text_of(run_html(run().model_copy(update={"at_provider": True})))
    assert "at most" not in shown
