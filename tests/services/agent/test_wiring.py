"""The rule of TOOL-3 with its negative cases."""

import json

import pytest

from workbench.domain.items import FunctionCall
from workbench.domain.values import Value
from workbench.services.agent.wiring import carries_wording, wire_rewrite
from workbench.services.tools.registry import Accepted
from workbench.services.tools.rewrite_query import RewriteArguments, RewriteQuery
from workbench.services.tools.search_documents import SearchArguments, SearchDocuments
from workbench.services.tools.tool import Tool

QUESTION = "waht are the paymnt terms"
CLEAN = "What are the payment terms?"
ANY: dict[str, object] = dict.fromkeys(SearchArguments.model_fields)

pytestmark = pytest.mark.req("TOOL-3")


def accepted(name: str, tool: type[Tool], arguments: Value) -> Accepted:
    call = FunctionCall(call_id=name, name=tool.name, arguments=json.dumps(arguments.model_dump()))  # type: ignore[arg-type]
    return Accepted(call, tool, arguments)  # type: ignore[arg-type]


def rewrite(query: str = CLEAN, name: str = "r") -> Accepted:
    return accepted(name, RewriteQuery, RewriteArguments(query=query))


def search(query: str, name: str = "s") -> Accepted:
    return accepted(name, SearchDocuments, SearchArguments.model_validate(ANY | {"query": query}))


def queries(batch: list[Accepted]) -> list[str]:
    return [
        each.arguments.query for each in wire_rewrite(batch, QUESTION) if isinstance(each.arguments, SearchArguments)
    ]


def test_the_single_search_with_the_original_wording_runs_with_the_rewritten_text() -> None:
    assert queries([rewrite(), search(QUESTION)]) == [CLEAN]


def test_the_order_within_the_batch_makes_no_difference() -> None:
    assert queries([search(QUESTION.upper() + " ?"), rewrite()]) == [CLEAN]


def test_one_messy_word_is_enough() -> None:
    assert queries([rewrite(), search("paymnt terms Orbex")]) == [CLEAN]


def test_a_focused_variant_in_clean_words_stays() -> None:
    assert queries([rewrite(), search("payment terms Orbex")]) == ["payment terms Orbex"]


def test_several_searches_are_never_replaced() -> None:
    assert queries([rewrite(), search(QUESTION, "s1"), search(QUESTION, "s2")]) == [QUESTION, QUESTION]


def test_a_search_without_a_rewrite_stays() -> None:
    assert queries([search(QUESTION)]) == [QUESTION]


def test_a_rewrite_without_a_search_changes_nothing() -> None:
    batch = [rewrite()]
    assert wire_rewrite(batch, QUESTION) == batch


def test_two_rewrites_replace_nothing() -> None:
    assert queries([rewrite(name="r1"), rewrite("Which terms?", name="r2"), search(QUESTION)]) == [QUESTION]


def test_filters_of_the_search_stay() -> None:
    narrowed = search(QUESTION)
    only = SearchArguments.model_validate(ANY | {"query": QUESTION, "document_ids": ("doc_1",)})
    narrowed = narrowed._replace(arguments=only)
    wired = wire_rewrite([rewrite(), narrowed], QUESTION)[1].arguments
    assert isinstance(wired, SearchArguments)
    assert (wired.query, wired.document_ids) == (CLEAN, ("doc_1",))


def test_a_clean_question_rewritten_as_itself_changes_nothing() -> None:
    assert not carries_wording(CLEAN, CLEAN, CLEAN)
    assert not carries_wording("payment terms", CLEAN, CLEAN)
