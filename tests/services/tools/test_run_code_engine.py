"""``run_code`` on the engine that works everywhere: cells of a sheet go in, exact figures and tables come out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.conftest import Bench
from tests.services.tools.test_read_table import kept, stock
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.domain.events import CodeRan, ToolCallFinished
from workbench.services.ports import Sandbox
from workbench.services.tools.registry import ToolRegistry

pytestmark = pytest.mark.req("TOOL-9", "TOOL-10")


@pytest.fixture(scope="module")
def wasm(sandbox_home: Path) -> Iterator[Sandbox]:
    sandbox = WasmSandbox(sandbox_home, workers=1)
    yield sandbox
    sandbox.close()


def test_cells_in_exact_figures_and_tables_out(bench: Bench, wasm: Sandbox) -> None:
    document = kept(bench, "stock.csv", stock(400, paged=50))
    bench = bench._replace(registry=ToolRegistry(bench.search, bench.library, bench.clock, bench.tables, wasm))
    table = {"name": "stock", "document_id": document, "sheet": None, "range": "A:B"}
    code = "t = tables['stock']\nprint(len(t))\n[{'sum': t.sum('price'), 'last': t[-1]['sku']}]"
    wrong = "t = tables['stock']\nt.sum('Price')"
    done = bench.run(
        ScriptedModel([call("run_code", code=each, tables=[table]) for each in (code, wrong)] + [say("It is so [S1].")])
    )
    right, failed = [event.run for event in done.of(CodeRan)]
    assert right.result.printed == "400\n"
    assert right.result.tables[0].rows == (("80800.00", "sku-401"),)
    assert failed.result.error is not None
    assert (failed.result.error.type, failed.result.error.line) == ("KeyError", 2)
    assert "no column 'Price'; there are 'sku', 'price'" in done.of(ToolCallFinished)[1].output
    assert right.inputs[0].sha256 == failed.inputs[0].sha256
