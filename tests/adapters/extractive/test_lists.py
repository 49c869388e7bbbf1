"""Requests for a list, and questions that only look like one."""

from collections.abc import Callable

import pytest

from tests.adapters.extractive.conftest import Desk
from workbench.adapters.extractive.lists import ListRequest, list_answer, list_request

NAMES = frozenset({"halden", "cloud", "orbex"})


@pytest.mark.parametrize(
    ("question", "request_"),
    [
        ("List all contracts", ListRequest()),
        ("How many documents are there?", ListRequest()),
        ("Which contracts do we have with Halden?", ListRequest(text="halden")),
        ("Show German contracts published this year", ListRequest(language="de", period="this year")),
        ("Find documents from 2024 in English", ListRequest(language="en", period="from 2024")),
        ("List the oldest Halden Cloud agreements", ListRequest(text="halden cloud", oldest=True)),
        ("Zeige alle Verträge aus dem letzten Jahr", ListRequest(period="aus dem letzten jahr")),
        ("Какие договоры есть за последние 12 месяцев?", ListRequest(period="за последние 12 месяцев")),
    ],
)
def test_a_request_for_a_list_is_read_whole(question: str, request_: ListRequest) -> None:
    assert list_request(question, NAMES) == request_


@pytest.mark.parametrize(
    "question",
    [
        "Which contracts have a liability cap?",
        "Which contracts expire in 2025?",
        "What are the payment terms of our contracts?",
        "Compare our contracts",
        "Contracts",
        "Which contracts do we have with Nobody?",
        "Show me the notice period",
        "",
    ],
)
def test_whatever_asks_for_contents_is_no_request_for_a_list(question: str) -> None:
    assert list_request(question, NAMES) is None


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (
            "DOCUMENTS: 0 in all, page 1 of 1, newest\nNOTE: No document matches. Drop a condition, or say so.",
            "No document fits.",
        ),
        ("DOCUMENTS: 1 in all, page 1 of 1, newest\n| doc_1; a.pdf", "One document fits."),
        (
            "DOCUMENTS: 134 in all, page 1 of 7\nNOTE: 2 documents of unknown date left out.\n| doc_1; NOTE: x",
            "134 documents fit. 2 documents of unknown date left out.",
        ),
        ("This call was not run.", "The list could not be made. This call was not run."),
    ],
)
def test_the_answer_says_how_many_and_what_was_left_out(output: str, text: str) -> None:
    assert list_answer(output) == text


def test_a_list_is_one_call_and_one_sentence(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk("halden_msa", "corvid_cloud")
    said = desk.ask("Which contracts do we have since 2023?")
    ((call,),) = desk.batches
    assert call.name == "find_documents"
    assert '"period": "since 2023"' in call.arguments
    assert said.startswith("2 documents fit.")


def test_where_no_list_is_offered_the_question_is_searched(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk("halden_msa", "corvid_cloud", tools=["search_documents", "ask_user"])
    desk.ask("List all contracts")
    assert "find_documents" not in {call.name for batch in desk.batches for call in batch}
