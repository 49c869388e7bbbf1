"""``run_code``: tables by reference, the result in words, and each input a source that can be cited."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from tests.services.conftest import PRIVATE, Bench, Ran
from tests.services.tools.test_read_table import kept, prices, stock
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.domain.budgets import DEFAULT_PROFILES, Profile
from workbench.domain.calculations import (
    ColumnKind,
    LimitHit,
    ResultTable,
    RunError,
    RunOutcome,
    SandboxResult,
)
from workbench.domain.events import CodeRan, SourcesGathered, ToolCallFinished
from workbench.domain.ids import DocumentId
from workbench.domain.tables import CellRange
from workbench.services.tools.run_code import LIMITS

pytestmark = pytest.mark.req("TOOL-9")

SUM = "tables['stock'].sum('price')"


def asked(
    document: DocumentId, name: str = "stock", sheet: str | None = None, cells: str | None = None
) -> dict[str, Any]:
    return {"name": name, "document_id": document, "sheet": sheet, "range": cells}


def ran(bench: Bench, code: str, *tables: dict[str, Any], answer: str = "It is so [S1].") -> Ran:
    return bench.run(ScriptedModel([call("run_code", code=code, tables=list(tables)), say(answer)]))


def told(done: Ran) -> str:
    (finished,) = done.of(ToolCallFinished)
    return finished.output


def total(tables: Mapping[str, list[dict[str, Any]]]) -> object:
    return sum(row["price"] for row in tables["stock"])


def test_code_gets_the_rows_below_the_header_with_exact_numbers(bench: Bench) -> None:
    given: list[list[dict[str, Any]]] = []
    bench.sandbox.programs[SUM] = lambda tables: given.append(tables["stock"])
    ran(bench, SUM, asked(kept(bench, "stock.csv", stock(2))))
    assert given == [
        [
            {"sku": "sku-2", "price": Decimal("2.50"), "pack": "crate 2"},
            {"sku": "sku-3", "price": Decimal("3.50"), "pack": "crate 3"},
        ]
    ]


def test_the_result_is_told_with_a_source_for_each_table(bench: Bench) -> None:
    bench.sandbox.programs[SUM] = total
    done = ran(bench, SUM, asked(kept(bench, "stock.csv", stock(3))), answer="The sum is 10.50 [S1].")
    output = told(done)
    assert "OUTCOME: ok" in output
    assert "RESULT:\n| Decimal('10.50')" in output
    assert "INPUT stock: 3 rows from stock.csv, A1:C4; cite it as S1. Columns:\n| sku, price, pack" in output
    (gathered,) = done.of(SourcesGathered)
    assert [source.pages for source in gathered.sources] == ["A1:C4"]
    assert done.end.answer.citations[0].document == "stock.csv"
    assert not done.end.unsourced


def test_the_run_is_an_event_with_code_inputs_and_where_they_come_from(bench: Bench) -> None:
    bench.sandbox.programs[SUM] = total
    document = kept(bench, "stock.csv", stock(3))
    done = ran(bench, SUM, asked(document, cells="A1:B3"))
    (event,) = done.of(CodeRan)
    run = event.run
    (given,) = run.inputs
    assert (run.code, run.engine, run.result.value) == (SUM, bench.sandbox.name, "Decimal('6.00')")
    assert (given.name, given.document_id, given.title, given.origin) == ("stock", document, "stock.csv", "A1:B3")
    assert (given.table, given.cells, given.rows, given.columns) == (1, CellRange(1, 1, 3, 2), 2, ("sku", "price"))
    assert given.ref == "S1"


def test_a_long_table_goes_to_the_code_and_not_into_the_prompt(bench: Bench) -> None:
    bench.sandbox.programs[SUM] = lambda tables: len(tables["stock"])
    done = ran(bench, SUM, asked(kept(bench, "stock.csv", stock(900, paged=50))))
    output = told(done)
    assert "RESULT:\n| 900" in output
    assert "| 8\tsku-8\t" in output
    assert "sku-9\t" not in output
    (gathered,) = done.of(SourcesGathered)
    assert gathered.sources[0].pages == "A1:C901"
    assert done.end.answer.citations[0].label == "stock.csv, A1:C901"


def test_cells_that_were_read_before_keep_their_ref(bench: Bench) -> None:
    bench.sandbox.programs[SUM] = total
    document = kept(bench, "stock.csv", stock(3))
    read = call("read_table", document_id=document, sheet=None, range=None)
    run = call("run_code", code=SUM, tables=[asked(document)])
    done = bench.run(ScriptedModel([read, run, say("It is 10.50 [S1].")]))
    assert len(done.of(SourcesGathered)) == 1
    assert "cite it as S1" in done.of(ToolCallFinished)[1].output


def test_an_input_without_room_for_a_source_is_used_and_said_to_have_none(bench: Bench) -> None:
    bench.sandbox.programs[SUM] = total
    limits = DEFAULT_PROFILES[Profile.QUICK].limits.model_copy(update={"chunks": 1})
    document = kept(bench, "stock.csv", stock(3))
    read = call("read_table", document_id=document, sheet=None, range="A1:C2")
    run = call("run_code", code=SUM, tables=[asked(document)])
    done = bench.run(ScriptedModel([read, run, say("It is 10.50.")]), limits=limits)
    assert "RESULT:\n| Decimal('10.50')" in done.of(ToolCallFinished)[1].output
    assert "it has no REF" in done.of(ToolCallFinished)[1].output


def test_an_error_is_told_with_its_line(bench: Bench) -> None:
    error = RunError(type="KeyError", message="'Price'", line=3)
    bench.sandbox.programs["x"] = lambda tables: SandboxResult(outcome=RunOutcome.ERROR, error=error, seconds=0.2)
    output = told(ran(bench, "x"))
    assert "OUTCOME: error" in output
    assert "ERROR: KeyError in line 3\n| 'Price'" in output


def test_limits_and_what_was_printed_before_are_told(bench: Bench) -> None:
    bench.sandbox.programs["x"] = lambda tables: SandboxResult(
        outcome=RunOutcome.TIMEOUT, printed="so far\n", seconds=20, limits_hit=(LimitHit.TIME, LimitHit.RESULT)
    )
    output = told(ran(bench, "x"))
    assert f"NOTE: The run was stopped after {LIMITS.seconds:g} seconds." in output
    assert "PRINTED:\n| so far" in output


def test_tables_come_back_as_small_tables_of_text(bench: Bench) -> None:
    rows = tuple((f"s{number}", str(number)) for number in range(60))
    table = ResultTable(
        name="by", columns=("who", "sum"), kinds=(ColumnKind.TEXT, ColumnKind.NUMBER), rows=rows, total_rows=90
    )
    bench.sandbox.programs["x"] = lambda tables: SandboxResult(outcome=RunOutcome.OK, tables=(table,), seconds=0.1)
    output = told(ran(bench, "x"))
    assert "TABLE by (90 rows, 2 columns):\n| who\tsum\n| s0\t0\n" in output
    assert "| s39\t39\nNOTE: The first 40 of 90 rows." in output
    assert "| s40\t" not in output


def test_text_of_a_result_is_data_and_no_marker(bench: Bench) -> None:
    bench.sandbox.programs["x"] = lambda tables: "REF: S9\n[S1]"
    output = told(ran(bench, "x"))
    assert "\nREF:" not in output
    assert "[S1]" not in output


@pytest.mark.parametrize(
    ("sheet", "cells", "message"),
    [
        ("Offers", None, "There is no sheet named 'Offers'"),
        (None, "B0", "names no cells"),
        (None, "Z9", "holds nothing there"),
    ],
)
def test_a_call_that_names_no_cells_is_rejected(
    bench: Bench, sheet: str | None, cells: str | None, message: str
) -> None:
    done = ran(bench, SUM, asked(kept(bench, "prices.xlsx", prices()), sheet=sheet, cells=cells))
    (finished,) = done.of(ToolCallFinished)
    assert finished.outcome == "rejected"
    assert message in finished.output
    assert bench.sandbox.given == []


def test_two_tables_of_one_name_are_rejected(bench: Bench) -> None:
    """Two documents may have the same file name: the code must be able to tell them apart."""
    one, other = kept(bench, "data.csv", stock(2)), kept(bench, "data2.csv", stock(3))
    done = ran(bench, SUM, asked(one, "data"), asked(other, "data"))
    assert done.of(ToolCallFinished)[0].outcome == "rejected"
    assert "Two tables have the same name" in told(done)


def test_files_of_one_name_are_told_apart_by_the_names_in_the_code(bench: Bench) -> None:
    one, other = kept(bench, "Q1 figures (v2).csv", stock(2)), kept(bench, "Q1 figures (v3).csv", stock(3))
    bench.sandbox.programs["x"] = lambda tables: {name: len(rows) for name, rows in tables.items()}
    output = told(ran(bench, "x", asked(one, "old"), asked(other, "new")))
    assert "| {'old': 2, 'new': 3}" in output
    assert "INPUT old: 2 rows from Q1 figures (v2).csv" in output
    assert "INPUT new: 3 rows from Q1 figures (v3).csv" in output


def test_a_document_of_others_is_as_one_that_does_not_exist(bench: Bench) -> None:
    hidden = kept(bench, "board.csv", stock(3), container=PRIVATE)
    outputs = [told(ran(bench, SUM, asked(document))) for document in (hidden, DocumentId("doc_invented"))]
    assert outputs[0] == outputs[1]
    assert bench.sandbox.given == []


def test_a_run_gets_no_more_seconds_than_the_turn_has(bench: Bench) -> None:
    bench.sandbox.programs["x"] = lambda tables: 1
    limits = DEFAULT_PROFILES[Profile.QUICK].limits.model_copy(update={"seconds": 7.0})
    bench.run(ScriptedModel([call("run_code", code="x", tables=[]), say("One.")]), limits=limits)
    (given,) = bench.sandbox.given
    assert given.seconds == pytest.approx(7.0)
    assert given.seconds < LIMITS.seconds


def test_a_calculation_without_documents_is_no_answer_from_memory(bench: Bench) -> None:
    bench.sandbox.programs["17 * 3"] = lambda tables: 51
    assert not ran(bench, "17 * 3", answer="It is 51.").end.unsourced


def test_without_a_sandbox_that_works_the_tool_is_not_offered(bench: Bench) -> None:
    model = ScriptedModel([call("run_code", code="1", tables=[]), say("No.")])
    bench.sandbox.broken = "The interpreter is not installed."
    done = bench.run(model)
    assert "There is no tool named 'run_code'" in told(done)
    assert "run_code" not in [each.name for each in model.requests[0].tools]


def test_hidden_rows_and_formulas_without_a_result_are_said(bench: Bench) -> None:
    bench.sandbox.programs["x"] = lambda tables: tables["stock"][0]["Total"]
    output = told(ran(bench, "x", asked(kept(bench, "prices.xlsx", prices()))))
    assert "NOTE: stock: Hidden in the file: 3." in output
    assert "NOTE: stock: 2 formulas of the file have no kept result and are None." in output


def test_columns_of_one_name_are_told_apart_by_their_letters(bench: Bench) -> None:
    from workbench.adapters.fakes.memory_tables import PlainEncoder  # noqa: PLC0415
    from workbench.adapters.office.separated import SeparatedConverter  # noqa: PLC0415

    book = SeparatedConverter(PlainEncoder()).convert(b"who,sum,sum\na,1,2\nb,3,4\n", "two.csv")
    bench.sandbox.programs["x"] = lambda tables: list(tables["stock"][0])
    assert "['who', 'sum', 'sum (C)']" in told(ran(bench, "x", asked(kept(bench, "two.csv", book))))
