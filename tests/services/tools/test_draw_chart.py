"""``draw_chart``: a chart of figures of the turn is stored with it, cites its table, and nothing unsafe is drawn."""

import json
from typing import Any

import pytest

from tests.services.conftest import Bench, Ran
from tests.services.tools.test_read_table import kept, stock
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.domain.events import ChartDrawn, ToolCallFinished

ROWS = [{"sku": "sku-2", "price": 2.5}, {"sku": "sku-3", "price": 3.5}]


def drawn(bench: Bench, *, rows: list[dict[str, Any]] = ROWS, ref: str = "S1", mark: str = "bar") -> Ran:
    document = kept(bench, "stock.csv", stock(3))
    spec = {
        "data": {"values": rows},
        "mark": mark,
        "encoding": {"y": {"field": "sku"}, "x": {"field": "price", "type": "quantitative"}},
    }
    reading = call("read_table", document_id=document, sheet=None, range=None)
    drawing = call("draw_chart", title="Prices", spec=json.dumps(spec), sources=[ref])
    return bench.run(ScriptedModel([reading, drawing, say("The prices differ [S1].")]))


@pytest.mark.req("CITE-5")
def test_a_chart_belongs_to_its_turn_and_cites_its_table(bench: Bench) -> None:
    done = drawn(bench)
    (event,) = done.of(ChartDrawn)
    (chart,) = done.end.charts
    assert chart.rows == event.chart.rows == [["sku-2", "2.5"], ["sku-3", "3.5"]]
    assert [(source.title, source.label) for source in chart.sources] == [("stock.csv", "A1:C4")]
    assert chart.unsourced == ()
    assert chart == type(chart).model_validate_json(chart.model_dump_json())


def test_a_figure_that_the_turn_never_gave_is_told_with_the_chart(bench: Bench) -> None:
    (chart,) = drawn(bench, rows=[*ROWS, {"sku": "sku-9", "price": 91.7}]).end.charts
    assert chart.unsourced == ("91.7",)


def test_a_source_of_no_call_of_this_turn_is_rejected(bench: Bench) -> None:
    done = drawn(bench, ref="S8")
    assert done.end.charts == ()
    assert "'S8' names no source of this turn" in done.of(ToolCallFinished)[1].output


@pytest.mark.req("CITE-10")
def test_an_unsafe_chart_is_rejected_in_words_and_not_drawn(bench: Bench) -> None:
    done = drawn(bench, mark="image")
    finished = done.of(ToolCallFinished)[1]
    assert finished.outcome == "rejected"
    assert "mark is one of bar, line" in finished.output
    assert done.of(ChartDrawn) == []
