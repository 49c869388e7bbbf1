"""Charts are put together anew from what is allowed: plain data, drawn."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.charts import MOST_ROWS, ChartRefused, numbers_missing, read_chart

pytestmark = pytest.mark.req("CITE-10", "OPEN-6")


def bars(**changes: Any) -> dict[str, Any]:
    return {
        "data": {
            "values": [{"Supplier": "Halden", "Amount (EUR)": 1250.5}, {"Supplier": "Corvid", "Amount (EUR)": 980}]
        },
        "mark": "bar",
        "encoding": {
            "x": {"field": "Amount (EUR)", "type": "quantitative"},
            "y": {"field": "Supplier", "type": "nominal", "sort": "-x"},
        },
    } | changes


def read(spec: object) -> Any:
    return read_chart(json.dumps(spec), "Spending")


def test_a_chart_keeps_its_data_and_the_names_of_its_columns() -> None:
    chart = read(bars())
    assert chart.columns == ("Supplier", "Amount (EUR)")
    assert chart.rows == [["Halden", "1,250.5"], ["Corvid", "980"]]
    assert chart.numbers == [Decimal("1250.5"), Decimal(980)]
    assert chart.spec["encoding"]["x"] == {"field": "c1", "title": "Amount (EUR)", "type": "quantitative"}
    assert chart.spec["encoding"]["y"]["sort"] == "-x"


def test_layers_are_drawn_over_the_same_data() -> None:
    layers = [{"mark": {"type": "line", "point": True}}, {"mark": "text", "encoding": {"text": {"field": "Supplier"}}}]
    spec = bars(layer=layers)
    del spec["mark"]
    chart = read(spec)
    assert [layer["mark"]["type"] for layer in chart.spec["layer"]] == ["line", "text"]
    assert chart.spec["layer"][1]["encoding"]["text"]["field"] == "c0"


HREF = {"href": {"field": "Supplier"}}
REFUSED: list[dict[str, Any]] = [
    bars(data={"url": "https://example.org/data.csv"}),
    bars(data={"values": [{"a": 1}], "format": {"parse": {"a": "date"}}}),
    bars(data={"sequence": {"start": 0, "stop": 9}}),
    bars(data={"values": "https://example.org"}),
    bars(data={"values": []}),
    bars(data={"values": [{"a": {"b": 1}}]}),
    bars(data={"values": [1, 2]}),
    bars(data={"values": [{"a": 1}] * (MOST_ROWS + 1)}),
    bars(data={"values": [{str(each): 1 for each in range(40)}]}),
    bars(data={"values": [{"a": "x" * 301}]}),
    bars(datasets={"a": []}),
    bars(transform=[{"calculate": "datum.a * 2", "as": "b"}]),
    bars(transform=[{"lookup": "a", "from": {"data": {"url": "x"}}}]),
    bars(params=[{"name": "p", "expr": "1"}]),
    bars(usermeta={"embedOptions": {"loader": {"baseURL": "https://example.org"}}}),
    bars(config={"axis": {"labelExpr": "datum"}}),
    bars(mark="image"),
    bars(mark="geoshape"),
    bars(mark={"type": "bar", "href": "javascript:alert(1)"}),
    bars(mark={"type": "bar", "tooltip": {"expr": "datum"}}),
    bars(mark={"type": "bar", "size": {"expr": "1 + 1"}}),
    bars(mark={"type": "bar", "opacity": {"signal": "a"}}),
    bars(mark=["bar"]),
    bars(encoding=HREF),
    bars(encoding={"url": {"field": "Supplier"}}),
    bars(encoding={"tooltip": {"field": "Supplier"}}),
    bars(encoding={"x": {"field": "no such field"}}),
    bars(encoding={"x": {"field": {"repeat": "row"}}}),
    bars(encoding={"x": {"field": "Supplier", "aggregate": "count"}}),
    bars(encoding={"x": {"field": "Supplier", "bin": True}}),
    bars(encoding={"x": {"field": "Supplier", "axis": {"labelExpr": "datum.label"}}}),
    bars(encoding={"x": {"field": "Supplier", "axis": {"format": "%d", "formatType": "own"}}}),
    bars(encoding={"x": {"field": "Supplier", "scale": {"domain": {"param": "p"}}}}),
    bars(encoding={"x": {"field": "Supplier", "sort": {"field": "a", "op": "sum"}}}),
    bars(encoding={"x": {"value": {"expr": "1"}}}),
    bars(encoding={"color": {"condition": {"test": "datum.a > 1", "value": "red"}}}),
    bars(hconcat=[]),
    bars(projection={"type": "mercator"}),
    bars(layer=[]),
    bars(layer=[{"mark": "bar"}] * 5),
    bars(layer=[{"mark": "bar", "data": {"url": "x"}}]),
]


@pytest.mark.parametrize("spec", REFUSED, ids=lambda spec: json.dumps(spec)[-60:])
def test_whatever_loads_links_calculates_or_is_too_large_is_refused_in_words(spec: dict[str, Any]) -> None:
    with pytest.raises(ChartRefused) as refused:
        read(spec)
    assert refused.value.message.endswith(".")
    assert refused.value.advice


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", '{"data": {"values": [{"a": NaN}]}, "mark": "bar"}', "[" * 50_000]
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(ChartRefused):
        read_chart(text, "t")


def test_a_field_that_a_tooltip_would_draw_as_a_picture_has_no_tooltip() -> None:
    picture = bars(
        data={"values": [{"image": "https://example.org/a.png", "n": 1}]},
        encoding={"x": {"field": "image"}, "y": {"field": "n", "type": "quantitative"}},
    )
    assert read(picture).spec["mark"]["tooltip"] is None
    assert read(bars()).spec["mark"]["tooltip"] == {"content": "encoding"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["field", "expr", "signal", "url", "type", "x", "mark", "values", "data"]), inner
        )
    ),
    max_leaves=12,
)
LEADING_OUT = ("expr", "signal", "url", "href", "transform", "params", "usermeta", "config", "image", "loader")


@given(json_values, json_values, json_values)
def test_nothing_but_plain_data_comes_out_whatever_goes_in(mark: Any, x: Any, extra: Any) -> None:
    spec = bars(mark=mark, encoding={"x": x, "y": {"field": "Supplier"}})
    if isinstance(extra, dict):
        spec = extra | spec
    try:
        chart = read(spec)
    except ChartRefused:
        return
    drawn = json.dumps({key: value for key, value in chart.spec.items() if key != "data"})
    assert not [word for word in LEADING_OUT if f'"{word}"' in drawn]


def test_figures_of_a_chart_that_no_result_holds_are_told() -> None:
    told = ["TABLE (2 rows):\n| Halden\t1250.50", "| Corvid\t1.980,00 EUR"]
    assert numbers_missing([Decimal("1250.5"), Decimal(-1980)], told) == ()
    assert numbers_missing([Decimal("1250.4"), Decimal("1250.4"), Decimal(7)], told) == ("1,250.4", "7")
