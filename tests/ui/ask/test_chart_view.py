"""A chart of a turn: drawn from its stored specification, with its data as a table and links to its sources."""

import json
from collections.abc import Callable

import pytest

from tests.ui.ask.desk import Desk, Open, html, search, shown_turn
from workbench.adapters.fakes.scripted_model import call, say
from workbench.domain.charts import ChartSource, read_chart
from workbench.domain.events import ChartDrawn
from workbench.domain.ids import DocumentId, Ref
from workbench.ui.ask.chart_view import drawn, heading_html, table_html
from workbench.ui.ask.trace_steps import trace_steps

TITLE = "Cost <b>by</b> site"
SPEC = json.dumps(
    {
        "data": {"values": [{"site": "North <i>", "cost": 1250.5}, {"site": "South", "cost": 45}]},
        "mark": "bar",
        "encoding": {"y": {"field": "site"}, "x": {"field": "cost", "type": "quantitative"}},
    }
)
SOURCE = ChartSource(ref=Ref("S1"), document_id=DocumentId("doc_1"), title="costs.csv", label="A1:B9", page=3)


@pytest.mark.req("CITE-5")
def test_a_stored_chart_stands_below_its_answer_also_after_a_reload(
    desk_for: Callable[..., Desk], open_screen: Open
) -> None:
    drawing = call("draw_chart", title=TITLE, spec=SPEC, sources=["S1"])
    turn = desk_for(search("payment due"), drawing, say("Due in 45 days [S1].")).asked()
    for _ in range(2):
        at = shown_turn(open_screen, turn)
        (chart,) = at.get("arrow_vega_lite_chart") or at.get("vega_lite_chart")
        assert json.loads(chart.proto.spec)["mark"]["type"] == "bar"
        assert "<td>1,250.5</td>" in html(at)
        assert "No result and no cell of this turn holds 1,250.5" in html(at)


@pytest.mark.req("OPEN-6")
def test_the_menu_of_a_chart_leads_to_no_other_site() -> None:
    actions = drawn(read_chart(SPEC, TITLE))["usermeta"]["embedOptions"]["actions"]
    assert actions == {"export": True, "source": False, "compiled": False, "editor": False}


@pytest.mark.req("CITE-10")
def test_words_of_documents_are_text_in_titles_and_tables() -> None:
    chart = read_chart(SPEC, TITLE).model_copy(update={"sources": (SOURCE,)})
    heading = heading_html(chart)
    assert "Cost &lt;b&gt;by&lt;/b&gt; site" in heading
    assert '<a class="pc-step-link" href="/viewer?document=doc_1&amp;page=3">costs.csv, A1:B9</a>' in heading
    assert "holds" not in heading
    assert "<td>North &lt;i&gt;</td>" in table_html(chart.columns, chart.rows)


@pytest.mark.req("TRACE-1")
def test_the_trace_names_the_chart_and_its_source() -> None:
    chart = read_chart(SPEC, "Cost by site").model_copy(update={"sources": (SOURCE,)})
    (step,) = trace_steps([ChartDrawn(call_id="call_1", chart=chart)])
    assert step.title == "Draw ‘Cost by site’ · 2 rows"
    assert step.lines == ("From costs.csv, A1:B9",)
