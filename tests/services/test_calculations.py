"""Calculations that a reader has again: the same on the same cells, and in words why not where they are not the same."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, Asking, Bench
from tests.services.tools.test_read_table import kept, stock
from workbench.adapters.fakes.memory_blobs import MemoryBlobs
from workbench.adapters.fakes.memory_keywords import MemoryKeywords
from workbench.adapters.fakes.memory_tables import PlainEncoder
from workbench.adapters.fakes.memory_vectors import MemoryVectors
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.adapters.office.separated import SeparatedConverter
from workbench.adapters.pymupdf.renderer import PyMuPdfRenderer
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound
from workbench.domain.ids import DocumentId, UserId
from workbench.domain.scope import Access
from workbench.services.calculations import SWITCHED_OFF, Calculations, Verdict
from workbench.services.library import Library

pytestmark = pytest.mark.req("TOOL-9")
CODE = "tables['stock'].sum('price')"


class Done(NamedTuple):
    bench: Bench
    calculations: Calculations
    asking: Asking
    turn: Turn
    document: DocumentId
    call_id: str

    def again(self, access: Access = ACCESS) -> tuple[Verdict, str]:
        repeat = self.calculations.again(access, self.turn.id, self.call_id)
        return repeat.verdict, repeat.text


@pytest.fixture
def done(bench: Bench, asking: Callable[..., Asking], tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A turn that has run code over a sheet, stored."""
    document = kept(bench, "stock.csv", stock(3))
    bench.sandbox.programs[CODE] = lambda tables: sum(row["price"] for row in tables["stock"])
    table = {"name": "stock", "document_id": document, "sheet": None, "range": None}
    desk = asking(ScriptedModel([call("run_code", code=CODE, tables=[table]), say("It is 10.50 [S1].")]))
    conversation = desk.conversations.create(ACCESS, [CONTRACTS])
    turn = desk.turns.wait(ACCESS, desk.turns.ask(ACCESS, conversation.id, "What is the sum?").id)
    renderer = PyMuPdfRenderer(tmp_path_factory.mktemp("pages"))
    library = Library(bench.library, MemoryVectors(), MemoryKeywords(), MemoryBlobs(), renderer, bench.clock)
    calculations = Calculations(desk.conversations, desk.store, library, bench.tables, bench.sandbox)
    (call_id,) = calculations.runs(ACCESS, turn.id)
    return Done(bench, calculations, desk, turn, document, call_id)


def test_a_stored_run_holds_all_it_takes_to_have_it_again(done: Done) -> None:
    run = done.calculations.runs(ACCESS, done.turn.id)[done.call_id]
    assert (run.code, run.result.value) == (CODE, "Decimal('10.50')")
    assert [(each.document_id, each.origin, len(each.sha256)) for each in run.inputs] == [(done.document, "A1:C4", 64)]


def test_the_same_cells_give_the_same_result(done: Done) -> None:
    assert done.again() == (Verdict.SAME, "Run again on the same cells: exactly the same result.")


def test_other_cells_in_their_place_are_noticed(done: Done) -> None:
    changed = SeparatedConverter(PlainEncoder()).convert(b"sku,price,pack\na,1,x\nb,2,y\nc,3,z\n", "stock.csv")
    done.bench.tables.save(done.document, changed.tables)
    assert done.again() == (Verdict.CHANGED, "The cells of stock.csv have changed since.")


def test_a_result_that_differs_is_said_and_shown(done: Done) -> None:
    done.bench.sandbox.programs[CODE] = lambda tables: 11
    repeat = done.calculations.again(ACCESS, done.turn.id, done.call_id)
    assert repeat.verdict is Verdict.DIFFERENT
    assert repeat.run is not None
    assert repeat.run.result.value == "11"


def test_a_document_that_was_deleted_is_said_to_be(done: Done) -> None:
    done.bench.library.delete_document(done.document)
    assert done.again() == (Verdict.GONE, "stock.csv was deleted, or is no longer yours to read.")


def test_cells_that_are_no_longer_the_users_are_not_read(done: Done) -> None:
    runs = len(done.bench.sandbox.given)
    assert done.again(ACCESS.model_copy(update={"containers": frozenset()}))[0] is Verdict.GONE
    assert len(done.bench.sandbox.given) == runs


def test_the_run_of_another_user_is_not_found(done: Done) -> None:
    with pytest.raises(NotFound):
        done.again(Access(user_id=UserId("bob"), containers=ACCESS.containers))


def test_a_call_that_ran_no_code_is_not_found(done: Done) -> None:
    with pytest.raises(NotFound, match="no such calculation"):
        done.calculations.again(ACCESS, done.turn.id, "call_other")


def test_where_no_engine_works_the_reason_is_said(done: Done) -> None:
    done.bench.sandbox.broken = "The interpreter is gone."
    assert done.again() == (Verdict.NOT_RUN, "The interpreter is gone. Install it anew.")
    assert done.calculations.engine == ("", "The interpreter is gone. Install it anew.")


def test_a_sandbox_that_works_is_named(done: Done) -> None:
    assert done.calculations.engine == (done.bench.sandbox.name, done.bench.sandbox.reason)


def test_without_a_sandbox_the_setting_is_named(done: Done) -> None:
    off = Calculations(
        done.asking.conversations, done.asking.store, done.calculations._library, done.bench.tables, None
    )
    assert off.engine == ("", SWITCHED_OFF)
    assert off.again(ACCESS, done.turn.id, done.call_id).verdict is Verdict.NOT_RUN


def test_a_deleted_conversation_takes_its_runs_along(done: Done) -> None:
    done.asking.store.delete_conversation(done.turn.conversation_id)
    with pytest.raises(NotFound):
        done.calculations.runs(ACCESS, done.turn.id)
    assert done.asking.store.events(done.turn.id) == []
