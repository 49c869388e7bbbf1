"""The charts of a turn below its answer: drawn by Vega-Lite, with their data as a table and their sources as links."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from workbench.domain.charts import Chart, ChartSource
from workbench.domain.conversations import Turn
from workbench.ui.addresses import PageAddress
from workbench.ui.ask.visible_text import one_line, visible

# Of the viewer's own menu only the picture may be saved: its editor is a page of another site, which would get the data.
_MENU = {"embedOptions": {"actions": {"export": True, "source": False, "compiled": False, "editor": False}}}
_NAMED = 5


def show(turn: Turn) -> None:
    """Draw the turn's charts, as they are stored with it."""
    for number, chart in enumerate(turn.charts):
        with st.container(key=f"ask-chart-{turn.id}-{number}", gap="small"):
            st.html(heading_html(chart))
            st.vega_lite_chart(
                spec=drawn(chart),
                width="stretch",
                key=f"ask-chart-drawing-{turn.id}-{number}",
                alt=f"{visible(chart.title)}. The data stand below as a table.",
            )
            with st.expander("Data as table", icon=":material/table:"):
                st.html(table_html(chart.columns, chart.rows))


def drawn(chart: Chart) -> dict[str, Any]:
    """Return the specification that is drawn: the chart's own, and what its viewer may offer."""
    return {**chart.spec, "usermeta": _MENU}


def heading_html(chart: Chart) -> str:
    """Return title and sources of a chart, and which of its figures stand nowhere else in the turn."""
    sources = "; ".join(_link(each) for each in chart.sources)
    warning = ""
    if chart.unsourced:
        named = ", ".join(escape(number) for number in chart.unsourced[:_NAMED])
        more = len(chart.unsourced) - _NAMED
        also = f" and {more} more" if more > 0 else ""
        warning = f"<p>No result and no cell of this turn holds {named}{also}: check before you use the chart.</p>"
    return f'<div class="pc-chart"><h3>{escape(visible(chart.title))}</h3><p>Drawn from {sources}.</p>{warning}</div>'


def _link(source: ChartSource) -> str:
    url = PageAddress(source.document_id, source.page).url
    name = f"{one_line(source.title, 80)}, {visible(source.label)}"
    return f'<a class="pc-step-link" href="{escape(url)}">{escape(name)}</a>'


def table_html(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the data as a table."""
    head = "".join(f'<th scope="col">{escape(visible(name))}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(visible(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="pc-chart"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
