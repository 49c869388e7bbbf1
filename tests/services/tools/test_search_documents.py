"""``search_documents``: what a model may ask for, and that it stays in the scope and the budget of its turn."""

import pytest

from tests.services.conftest import ACCESS, CONTRACTS, PRIVATE, Bench, Ran
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.domain.events import SearchFinished, ToolCallFinished
from workbench.domain.scope import build_scope
from workbench.services.retrieval.ledger import Ledger
from workbench.services.tools.search_documents import SearchArguments, SearchDocuments
from workbench.services.tools.tool import ToolContext


@pytest.mark.req("FIND-5")
@pytest.mark.parametrize(("share", "given"), [(1, 1), (2, 2), (None, 3)])
def test_a_search_gives_no_more_than_its_share_of_the_budget(bench: Bench, share: int | None, given: int) -> None:
    ledger = Ledger(24, lambda document, numbers: {})
    tool = SearchDocuments(bench.search, bench.clock)
    arguments = SearchArguments.model_validate(
        dict.fromkeys(SearchArguments.model_fields)
        | {"query": "payment liability definitions agreement", "document_ids": (bench.documents["orbex.pdf"],)}
    )
    context = ToolContext(build_scope(ACCESS, [CONTRACTS]), ledger, "question", "call", share=share)
    tool.settle(tool.fetch(arguments, context), arguments, context)
    assert ledger.given == given


def searched(bench: Bench, **arguments: object) -> Ran:
    """Run a turn that searches once and then ends."""
    nothing: dict[str, object] = dict.fromkeys(SearchArguments.model_fields)
    step = call("search_documents", **nothing | {"query": "secret payment terms of the board"} | arguments)
    return bench.run(ScriptedModel([step, say("Nothing more.")]))


@pytest.mark.req("FIND-1", "ASK-6", "ASK-7")
@pytest.mark.parametrize(
    "arguments",
    [
        {"container": PRIVATE},
        {"containers": [PRIVATE, "*"]},
        {"collection": "c-1"},
        {"where": {"document_id": {"$ne": ""}}},
        {"tags": [{"$gt": ""}]},
        {"tags": [{"key": "supplier", "value": {"$ne": ""}}]},
        {"tags": {"$or": []}},
        {"document_ids": {"$ne": ""}},
        {"document_ids": [{"$regex": "."}]},
    ],
)
def test_a_scope_or_an_operator_in_the_arguments_is_rejected_and_nothing_is_searched(
    bench: Bench, arguments: dict[str, object]
) -> None:
    ran = searched(bench, **arguments)
    (finished,) = ran.of(ToolCallFinished)
    assert finished.outcome == "rejected"
    assert ran.of(SearchFinished) == []


@pytest.mark.req("FIND-1", "FIND-2", "TOOL-5")
@pytest.mark.parametrize(
    "arguments",
    [
        {"document_ids": ["doc_secret"]},
        {"document_ids": []},
        {"document_ids": ["*"]},
        {"tags": [{"key": "supplier", "value": "x' or '1'='1"}]},
        {"tags": [{"key": "supplier", "value": "Secret"}]},
        {"tags": [{"key": "supplier", "value": '{"$ne": ""}'}]},
    ],
)
def test_a_value_that_would_widen_the_scope_finds_nothing(bench: Bench, arguments: dict[str, object]) -> None:
    ran = searched(bench, **arguments)
    (search,) = ran.of(SearchFinished)
    (finished,) = ran.of(ToolCallFinished)
    assert (search.kept, search.candidates) == ((), 0)
    assert "board" not in finished.output.replace("secret payment terms of the board", "")
