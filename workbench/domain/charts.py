"""Charts: specifications of Vega-Lite that a model wrote, taken apart and put together anew from what is allowed.

Nothing of a specification is passed on as it is. Data stand in it as plain values; nothing in it is calculated, loaded,
linked or evaluated, so that a chart shows what stands in a table and does nothing else.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

from pydantic import Field

from workbench.domain.errors import PinciteError
from workbench.domain.ids import DocumentId, Ref
from workbench.domain.values import Value

MOST_ROWS, MOST_COLUMNS, MOST_LAYERS, MOST_CHARACTERS = 1_000, 12, 4, 60_000
_MARKS = ("bar", "line", "area", "point", "circle", "square", "tick", "rule", "arc", "rect", "text", "trail")
_CHANNELS = (
    *("x", "y", "x2", "y2", "xOffset", "yOffset", "theta", "radius"),
    *("color", "size", "shape", "opacity", "order", "detail", "text"),
)
_TYPES = ("quantitative", "temporal", "ordinal", "nominal")
_SORTS = ("ascending", "descending", "x", "y", "-x", "-y", "color", "-color")
_FORMAT = re.compile(r"[\w%$,.+\-~ :/()]{0,30}")
_SPECIAL_TITLES = ("image", "title")
"""What a tooltip would not show as text: the viewer's library makes a picture or a heading of fields with these names."""


class ChartRefused(PinciteError):
    """A specification asks for more than a chart of plain data."""


class ChartSource(Value):
    """The table that a chart's data come from: document, cells for people, and the page that shows them first."""

    ref: Ref
    document_id: DocumentId
    title: str
    label: str
    page: int = 1


class Chart(Value):
    """A chart as it is drawn and stored. ``columns`` names the fields c0, c1 ... of ``spec``'s data.

    ``unsourced`` are figures of the data that no result and no cell of the turn holds.
    """

    title: str
    spec: dict[str, Any]
    columns: tuple[str, ...]
    sources: tuple[ChartSource, ...] = ()
    unsourced: tuple[str, ...] = Field(default=())

    @property
    def rows(self) -> list[list[str]]:
        """The data as a table, for those who do not see the drawing."""
        values: list[dict[str, Any]] = self.spec["data"]["values"]
        return [[_shown(row.get(f"c{index}")) for index in range(len(self.columns))] for row in values]

    @property
    def numbers(self) -> list[Decimal]:
        """The numbers of the data, as they were written."""
        values: list[dict[str, Any]] = self.spec["data"]["values"]
        cells = (cell for row in values for cell in row.values())
        return [Decimal(str(cell)) for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]


def read_chart(text: str, title: str) -> Chart:
    """Make a chart of a specification. Raises ChartRefused, which says what is not allowed and what to do instead."""
    if len(text) > MOST_CHARACTERS:
        raise ChartRefused(
            f"The specification has {len(text):,} characters; {MOST_CHARACTERS:,} are the most.",
            "Group the data first, so that there are fewer rows.",
        )
    try:
        given = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ChartRefused(f"The specification is no JSON: {error}.", "Write one JSON object.") from error
    spec = _object(given, "the specification")
    _only(
        spec, ("$schema", "title", "description", "data", "mark", "encoding", "layer", "width", "height"), "the chart"
    )
    columns, values = _data(spec.get("data"))
    drawn: dict[str, Any] = {"data": {"values": values}}
    if "layer" in spec:
        shared = {"encoding": _encoding(spec["encoding"], columns)} if "encoding" in spec else {}
        _only(spec, ("$schema", "title", "description", "data", "encoding", "layer", "width", "height"), "layers")
        layers = spec["layer"] if isinstance(spec["layer"], list) else []
        if not 0 < len(layers) <= MOST_LAYERS:
            raise ChartRefused(f"A chart has 1 to {MOST_LAYERS} layers.", "Leave the others out.")
        drawn |= shared | {"layer": [_view(_object(layer, "a layer"), columns) for layer in layers]}
    else:
        drawn |= _view({key: spec[key] for key in ("mark", "encoding") if key in spec}, columns)
    return Chart(title=title, spec=drawn, columns=tuple(columns))


_WRITTEN = re.compile(r"\d(?:[\d.,'’\u00a0\u202f]*\d)?")


def numbers_missing(numbers: Iterable[Decimal], texts: Iterable[str]) -> tuple[str, ...]:
    """Return the numbers that none of the texts holds, as people write them, each once. Signs are passed over."""
    known: set[Decimal] = set()
    for match in _WRITTEN.finditer("\n".join(texts)):
        digits = re.sub(r"['’\u00a0\u202f]", "", match[0])
        for read in (digits.replace(",", ""), digits.replace(".", "").replace(",", ".")):
            if read.count(".") <= 1:
                known.add(Decimal(read))
    return tuple(dict.fromkeys(f"{number:,f}" for number in numbers if abs(number) not in known))


# --- data ------------------------------------------------------------------------------------------------------------


def _data(given: object) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the names of the columns, and the rows under the names c0, c1 ..., which mean nothing to an expression."""
    data = _object(given, "data")
    _only(data, ("values",), "data")
    rows = data.get("values")
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_ROWS:
        raise ChartRefused(
            f"data.values is a list of 1 to {MOST_ROWS:,} rows, each an object of plain values.",
            "Put the rows of a result there; group them first where they are more.",
        )
    columns = list(dict.fromkeys(key for row in rows for key in _object(row, "a row of data.values")))
    if len(columns) > MOST_COLUMNS:
        raise ChartRefused(f"The data have {len(columns)} fields; {MOST_COLUMNS} are the most.", "Leave fields out.")
    places = {name: f"c{index}" for index, name in enumerate(columns)}
    return columns, [{places[name]: _scalar(cell, name) for name, cell in row.items()} for row in rows]


def _scalar(cell: object, name: str) -> object:
    if cell is None or isinstance(cell, bool) or (isinstance(cell, str) and len(cell) <= 300):
        return cell
    if isinstance(cell, int | float) and isfinite(cell):
        return cell
    raise ChartRefused(f"A value of {name!r} is no text of up to 300 characters and no number.", "Use plain values.")


# --- views -----------------------------------------------------------------------------------------------------------


def _view(spec: dict[str, Any], columns: list[str]) -> dict[str, Any]:
    _only(spec, ("mark", "encoding"), "a layer")
    encoding = _encoding(spec.get("encoding", {}), columns)
    return {"mark": _mark(spec.get("mark"), encoding), "encoding": encoding}


def _mark(given: object, encoding: Mapping[str, Any]) -> dict[str, Any]:
    mark = {"type": given} if isinstance(given, str) else _object(given, "mark")
    _only(mark, ("type", *_MARK_OPTIONS), "mark")
    if mark.get("type") not in _MARKS:
        raise ChartRefused(f"mark is one of {', '.join(_MARKS)}.", "Choose one of these.")
    made = {key: _MARK_OPTIONS[key](value, key) for key, value in mark.items() if key in _MARK_OPTIONS}
    titles = {str(each.get("title")).casefold() for each in encoding.values()}
    tooltip = None if titles & set(_SPECIAL_TITLES) else {"content": "encoding"}
    return {"type": mark["type"], **made, "tooltip": tooltip}


def _encoding(given: object, columns: list[str]) -> dict[str, Any]:
    encoding = _object(given, "encoding")
    _only(encoding, _CHANNELS, "encoding")
    return {channel: _channel(_object(each, channel), channel, columns) for channel, each in encoding.items()}


def _channel(given: dict[str, Any], channel: str, columns: list[str]) -> dict[str, Any]:
    _only(given, ("field", "type", "value", *_CHANNEL_OPTIONS), channel)
    if "field" not in given:
        value = given.get("value")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ChartRefused(f"{channel} has neither a field of the data nor a number as value.", "Give it a field.")
        return {"value": value}
    if given["field"] not in columns:
        raise ChartRefused(
            f"{channel} draws {given['field']!r}, which is no field of the data.", f"They have {', '.join(columns)}."
        )
    place = columns.index(given["field"])
    made = {key: _CHANNEL_OPTIONS[key](value, key) for key, value in given.items() if key in _CHANNEL_OPTIONS}
    if "type" in given:
        made["type"] = _one_of(_TYPES)(given["type"], "type")
    return {"field": f"c{place}", "title": columns[place], **made}


# --- values ----------------------------------------------------------------------------------------------------------

Check = Callable[[Any, str], Any]


def _one_of(allowed: tuple[str, ...]) -> Check:
    def check(value: object, name: str) -> object:
        if value not in allowed:
            raise ChartRefused(f"{name} is one of {', '.join(allowed)}.", "Choose one of these.")
        return value

    return check


def _number(value: object, name: str) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ChartRefused(f"{name} is a number.", "Write one, or leave it out.")
    return value


def _flag(value: object, name: str) -> object:
    if not isinstance(value, bool):
        raise ChartRefused(f"{name} is true or false.", "Write one of them, or leave it out.")
    return value


def _text(value: object, name: str) -> object:
    if value is not None and (not isinstance(value, str) or len(value) > 150):
        raise ChartRefused(f"{name} is a text of up to 150 characters.", "Shorten it, or leave it out.")
    return value


def _format(value: object, name: str) -> object:
    if not isinstance(value, str) or not _FORMAT.fullmatch(value):
        raise ChartRefused(f"{name} is a number or time format such as ',.2f'.", "Leave it out.")
    return value


def _sort(value: object, name: str) -> object:
    if isinstance(value, list) and len(value) <= MOST_ROWS:
        return [_scalar(each, name) for each in value]
    return None if value is None else _one_of(_SORTS)(value, name)


def _stack(value: object, name: str) -> object:
    return value if value is None or isinstance(value, bool) else _one_of(("zero", "normalize", "center"))(value, name)


def _options(allowed: Mapping[str, Check]) -> Check:
    def check(value: object, name: str) -> object:
        if value is None:
            return None
        given = _object(value, name)
        _only(given, tuple(allowed), name)
        return {key: allowed[key](each, key) for key, each in given.items()}

    return check


_ORIENT = _one_of(("left", "right", "top", "bottom", "horizontal", "vertical"))
_MARK_OPTIONS: Mapping[str, Check] = {
    **dict.fromkeys(("opacity", "size", "innerRadius", "strokeWidth", "cornerRadius"), _number),
    **dict.fromkeys(("point", "filled"), _flag),
    "orient": _ORIENT,
    "interpolate": _one_of(("linear", "monotone", "step", "step-after", "step-before")),
}
_AXIS: Mapping[str, Check] = {
    "title": _text,
    "format": _format,
    "grid": _flag,
    "labels": _flag,
    "labelAngle": _number,
    "labelLimit": _number,
    "tickCount": _number,
    "orient": _ORIENT,
}
_SCALE: Mapping[str, Check] = {
    "zero": _flag,
    "nice": _flag,
    "type": _one_of(("linear", "log", "sqrt", "symlog", "time", "utc", "band", "point", "ordinal")),
    "domain": _sort,
}
_CHANNEL_OPTIONS: Mapping[str, Check] = {
    "title": _text,
    "sort": _sort,
    "stack": _stack,
    "format": _format,
    "axis": _options(_AXIS),
    "legend": _options({"title": _text, "orient": _ORIENT, "format": _format}),
    "scale": _options(_SCALE),
}


def _object(given: object, name: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ChartRefused(f"{name[:1].upper()}{name[1:]} is a JSON object.", "Write it in braces.")
    return given


def _only(given: Mapping[str, Any], allowed: tuple[str, ...], name: str) -> None:
    extra = [key for key in given if key not in allowed]
    if extra:
        raise ChartRefused(
            f"{', '.join(map(repr, extra[:5]))} of {name} is not allowed: a chart draws plain data and calculates, loads and "
            "links nothing.",
            f"Allowed are {', '.join(allowed)}. Calculate with run_code first.",
        )


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _shown(cell: object) -> str:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return f"{Decimal(str(cell)):,f}"
    return "" if cell is None else str(cell)
