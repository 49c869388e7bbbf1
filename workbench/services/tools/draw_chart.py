"""``draw_chart``: a chart of figures that the turn found or calculated, drawn by the app below the answer."""

from pydantic import Field

from workbench.domain.charts import MOST_ROWS, Chart, ChartRefused, ChartSource, read_chart
from workbench.domain.citations import Source
from workbench.domain.events import ChartDrawn
from workbench.domain.ids import Ref
from workbench.domain.values import Value
from workbench.services.tools.tool import CallRejected, ToolContext, ToolResult


class DrawChartArguments(Value):
    title: str = Field(min_length=1, max_length=150, description="What the chart shows, in one line.")
    spec: str = Field(
        min_length=2,
        max_length=60_000,
        description=(
            "A Vega-Lite specification as JSON text, with data.values (rows of plain values, at most "
            f"{MOST_ROWS:,}), mark and encoding, or layer. No transform, aggregate, expression, url, href, image or config: "
            "group and add up with run_code first and put its result into data.values, figures as they came."
        ),
    )
    sources: tuple[str, ...] = Field(
        min_length=1, max_length=8, description="The REFs of the tables that the data come from, such as S3."
    )


class DrawChart:
    name = "draw_chart"
    description = (
        "Draw a chart below the answer, from figures that run_code or read_table gave in this turn. The user sees it with "
        "its data as a table and a link to each source; do not repeat all of its figures in the text."
    )
    arguments = DrawChartArguments

    def fetch(self, arguments: DrawChartArguments, context: ToolContext) -> Chart:
        try:
            return read_chart(arguments.spec, arguments.title)
        except ChartRefused as error:
            raise CallRejected(error.message, error.advice) from error

    def settle(self, fetched: Chart, arguments: DrawChartArguments, context: ToolContext) -> ToolResult:
        sources = []
        for ref in dict.fromkeys(arguments.sources):
            source = context.ledger.source(Ref(ref.strip("[] ")))
            if source is None:
                raise CallRejected(
                    f"{ref!r} names no source of this turn.", "Use REFs that read_table or run_code gave."
                )
            sources.append(_source(source))
        chart = fetched.model_copy(update={"sources": tuple(sources)})
        rows = len(chart.rows)
        return ToolResult(
            f"The chart was drawn below the answer, with {rows:,} rows of data.",
            (ChartDrawn(call_id=context.call_id, chart=chart),),
        )


def _source(source: Source) -> ChartSource:
    return ChartSource(
        ref=source.ref,
        document_id=source.chunk.document_id,
        title=source.title,
        label=source.pages,
        page=source.chunk.first_page,
    )
