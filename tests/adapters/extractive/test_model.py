"""Scripted talks: what the model asks of its tools and what it answers, from the first word to the last."""

import json
import re

import pytest

from workbench.adapters.extractive.answer import HONEST
from workbench.domain.errors import BadModelRequest
from workbench.domain.items import FunctionCall, FunctionCallOutput, UserMessage
from workbench.services.ports import ResponseFinished

pytestmark = pytest.mark.req("OPEN-3", "TOOL-2")

QUESTIONS = (
    "What is Halden's liability cap?",
    "What is the liability cap and when does it renew?",
    "Compare paymnt terms in our last three supplier contracs",
    "Compare the payment terms and governing law of Halden and Corvid",
    "Which contracts have a liability cap?",
    "Is there a non-disparagement obligation?",
    "Which supplier offers the lowest price?",
    "What does page 5 of Halden say?",
    "What about the terms?",
    "Wie hoch ist die Haftungsobergrenze?",
    "xqzt",
    "?",
    "What are the service levels as well as the insurance and who pays for freight; and when does it expire?",
)


def quotes(answer):
    """The quoted sentences of an answer with the ref that follows each."""
    return re.findall(r"“(.+?)” \[(S\d+)\]", answer)


def on_one_line(text):
    return " ".join(text.split())


@pytest.mark.req("TOOL-1")
def test_a_clean_question_about_a_named_supplier_is_one_search_without_the_name(desk):
    answer = desk.ask("What is Halden's liability cap?")
    (search,) = desk.calls("search_documents")
    assert search["document_ids"] == ["halden_msa", "halden_amendment_1"]
    assert "halden" not in search["query"].lower()
    assert not desk.calls("rewrite_query")
    assert "EUR 500,000" in answer


@pytest.mark.req("TOOL-1")
def test_a_misspelt_comparison_is_one_rewrite_and_one_search_a_supplier(desk):
    answer = desk.ask("Compare paymnt terms in our last three supplier contracs")
    assert desk.calls("rewrite_query") == [{"query": "Compare payment terms in our last three supplier contracts"}]
    first = [json.loads(call.arguments) for call in desk.batches[0] if call.name == "search_documents"]
    assert [search["document_ids"] for search in first] == [
        ["corvid_cloud"],
        ["halden_msa", "halden_amendment_1"],
        ["meridian_cleaning"],
    ]
    assert all(search["query"].startswith("payment terms") for search in first)
    for supplier, fact in (("Halden", "thirty (30) days"), ("Corvid", "45 days"), ("Meridian", "net 60 days")):
        assert re.search(rf"^\| {supplier}.*{re.escape(fact)}.*\[S\d+\]", answer, re.MULTILINE)


def test_parts_are_searched_in_one_batch_each_in_its_own_words(desk):
    answer = desk.ask("What is the liability cap and when does it renew?")
    searches = desk.calls("search_documents")
    assert len(desk.batches[0]) == 2
    assert "liability" in searches[0]["query"]
    assert "liability" not in searches[1]["query"]
    assert "renew" in searches[1]["query"]
    assert "EUR 500,000" in answer
    assert "ninety (90) days" in answer


def test_topics_and_named_suppliers_make_a_table_of_both(desk):
    answer = desk.ask("Compare the payment terms and governing law of Halden and Corvid")
    assert "| Supplier | payment terms | governing law |" in answer
    assert len(desk.batches[0]) == 4
    assert "laws of Germany" in answer
    assert "laws of England" in answer
    assert "Meridian" not in answer


def test_more_suppliers_than_asked_for_are_ranked_by_one_broad_search_first(wide_desk):
    answer = wide_desk.ask("Compare the payment terms in our three supplier contracts")
    (broad,) = wide_desk.batches[0]
    assert json.loads(broad.arguments)["document_ids"] is None
    assert len(wide_desk.batches[1]) == 3
    assert len(re.findall(r"^\| (?!Supplier|---)", answer, re.MULTILINE)) == 3
    assert "The collection also holds" in answer
    assert "name them to compare others" in answer


def test_the_last_contracts_are_those_with_the_latest_dates(wide_desk):
    answer = wide_desk.ask("Compare the payment terms in our last two supplier contracts")
    assert "Halden" in answer.split("Compared are")[0]
    assert "Meridian" in answer.split("Compared are")[0]
    assert "Corvid" not in answer.split("Compared are")[0]
    assert "most recent by date" in answer


def test_a_supplier_without_the_clause_has_a_row_that_says_so(desk):
    answer = desk.ask("Which contracts renew automatically at the end of their term?")
    assert "| Meridian Hygiene S.A. | Nothing found. |" in answer


def test_an_amendment_follows_its_contract_and_comes_first_when_asked_what_applies_now(desk, open_desk):
    before = desk.ask("What is the liability cap of Halden?")
    assert before.index("EUR 500,000") < before.index("Amended: ") < before.index("EUR 750,000")
    now = desk.ask("What is the liability cap of Halden now?")
    assert now.index("Amended: ") < now.index("EUR 750,000") < now.index("EUR 500,000")


@pytest.mark.req("TOOL-7")
@pytest.mark.parametrize("vague", ["What about the terms?", "help", "tell me more", "Compare our contracts"])
def test_a_vague_question_is_asked_back_with_what_the_collection_holds(desk, vague):
    question = desk.ask(vague)
    assert desk.asked is not None
    assert question.endswith((".", "?"))
    assert "Halden Freight GmbH" in question
    assert "payment terms" in question


@pytest.mark.req("TOOL-7")
def test_the_reply_is_joined_with_the_question_it_answers(desk):
    desk.ask("Compare our contracts")
    answer = desk.ask("the governing law")
    assert len([call for call in desk.batches[0] if call.name == "search_documents"]) == 3
    assert "laws of Germany" in answer
    assert "laws of England" in answer


@pytest.mark.req("TOOL-7")
def test_an_owed_output_of_a_stopped_question_is_no_reply(desk):
    desk.ask("help")
    stopped = FunctionCallOutput(call_id=desk.asked, output="This call was not run: the turn ended before it.")
    desk.items.append(stopped)
    desk.asked = None
    assert "laws of Germany" in desk.ask("Which law governs the Halden agreement?")


def test_follow_ups_take_the_missing_document_or_topic_from_the_turn_before(desk):
    desk.ask("What is Halden's liability cap?")
    desk.ask("and what about the governing law?")
    (search,) = desk.calls("search_documents")
    assert search["document_ids"] == ["halden_msa", "halden_amendment_1"]
    answer = desk.ask("and for Corvid?")
    (search,) = desk.calls("search_documents")
    assert search["document_ids"] == ["corvid_cloud"]
    assert "laws of England and Wales" in answer


def test_a_pronoun_means_the_document_that_was_cited(desk):
    desk.ask("What availability is promised per month?")
    desk.ask("Which law governs it?")
    assert desk.calls("search_documents")[0]["document_ids"] == ["corvid_cloud"]


def test_a_new_question_is_not_held_to_the_documents_of_the_last(desk):
    desk.ask("What is Halden's liability cap?")
    desk.ask("Is there a non-compete clause?")
    assert desk.calls("search_documents")[0]["document_ids"] is None


@pytest.mark.req("ASK-5")
def test_nothing_found_is_broadened_once_and_then_said(desk):
    answer = desk.ask("Is there a non-disparagement obligation?")
    assert len(desk.batches) == 2
    first, second = desk.calls("search_documents")
    assert first["query"] != second["query"]
    assert answer.startswith("The documents in scope do not say")
    assert "non-disparagement" in answer
    assert not quotes(answer)


@pytest.mark.req("ASK-5")
def test_broadening_keeps_to_the_supplier_the_user_named(desk):
    desk.ask("Does Corvid have a non-disparagement obligation?")
    assert [search["document_ids"] for search in desk.calls("search_documents")] == [["corvid_cloud"]] * 2


@pytest.mark.req("ASK-5")
def test_an_unanswerable_question_outside_contracts_gets_no_invented_answer(desk):
    assert "do not say" in desk.ask("How tall is the tower of the cathedral?")


def test_a_page_asked_for_is_read(desk):
    answer = desk.ask("What does page 5 of Halden say?")
    assert desk.calls("read_page") == [{"document_id": "halden_msa", "page": 5}]
    assert "EUR 500,000" in answer


def test_a_page_that_is_not_there_is_said(desk):
    answer = desk.ask("What does page 400 of Halden say?")
    assert "could not be read" in answer
    assert "no such page" in answer


def test_a_page_of_nobody_knows_which_document_is_asked_back(desk):
    desk.ask("What is on page 2?")
    assert desk.asked is not None


def test_a_region_restricts_by_tag(desk):
    desk.ask("What are the payment days in Europe?")
    assert desk.calls("search_documents")[0]["tags"] == [{"key": "region", "value": "Europe"}]


def test_the_honest_line_stands_under_the_first_answer_only(desk):
    assert desk.ask("What is Halden's liability cap?").endswith(HONEST)
    assert HONEST not in desk.ask("and the governing law?")


def test_a_question_in_another_language_is_told_that_quotes_are_not_translated(desk):
    answer = desk.ask("Welches Gericht entscheidet bei Streitigkeiten zwischen den Vertragsparteien?")
    assert "Quotes stay in the language of the documents." in answer
    assert not desk.calls("rewrite_query")


def test_a_judgement_is_declined_in_words(desk):
    assert "does not judge or calculate" in desk.ask("Which supplier has the longest payment period?")


def test_a_pipe_in_a_quote_makes_a_list_instead_of_a_table(open_desk):
    desk = open_desk(
        passages={
            "alpha_supply.pdf": [(1, "Invoices shall be paid within 30 days of receipt | net of all taxes.")],
            "borealis_supply.pdf": [(1, "Invoices shall be paid within 60 days of receipt of the invoice.")],
        }
    )
    answer = desk.ask("Compare the payment terms of our contracts")
    assert "| Supplier |" not in answer
    assert "- **alpha_supply.pdf**: “Invoices shall be paid within 30 days of receipt | net of all taxes.”" in answer


def test_an_empty_scope_is_said_without_a_call(open_desk):
    desk = open_desk()
    assert "nothing to search" in desk.ask("What is the liability cap?")
    assert not desk.batches


def test_only_offered_tools_are_called(open_desk):
    desk = open_desk("halden_msa", "corvid_cloud", tools=["search_documents"])
    desk.ask("What about the terms?")
    desk.ask("What is the paymnt term of Halden?")
    assert {call.name for batch in desk.batches for call in batch} == {"search_documents"}
    assert "no search is offered" in open_desk("halden_msa", tools=[]).ask("What is the liability cap?")


def test_a_request_without_a_question_is_refused(desk):
    with pytest.raises(BadModelRequest):
        list(desk.model.stream(desk.request([])))


@pytest.mark.req("ASK-15")
@pytest.mark.parametrize("question", QUESTIONS)
def test_quotes_are_verbatim_under_markers_of_this_turn_and_the_turn_ends(desk, question):
    desk.ask("What is Halden's liability cap?")
    answer = desk.ask(question)  # the desk checks every call against the tool's schema, and that the turn ends
    assert desk.model_calls <= 4
    assert len(desk.calls("rewrite_query")) <= 1
    assert all(len(batch) <= 9 for batch in desk.batches)
    assert set(re.findall(r"\[(S\d+)\]", answer)) <= set(desk.given)
    for quote, ref in quotes(answer):
        for piece in quote.removesuffix(" …").split(" … "):
            assert piece in on_one_line(desk.given[ref].content)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_request_gets_the_same_response(desk, question):
    request = desk.request([UserMessage(text=question)])
    assert list(desk.model.stream(request)) == list(desk.model.stream(request))


def test_ids_differ_within_a_talk_and_nothing_costs(desk):
    for question in ("What is Halden's liability cap?", "What is Halden's liability cap?"):
        desk.ask(question)
    ids = [item.call_id for item in desk.items if isinstance(item, FunctionCall)]
    assert len(ids) == len(set(ids)) == 2
    *_, finished = desk.model.stream(desk.request([UserMessage(text="What is the liability cap?")]))
    assert isinstance(finished, ResponseFinished)
    assert desk.model.cost(finished.response) == 0.0
    assert finished.response.usage.input_tokens > 0
    assert desk.model.history == "replay"
    assert desk.model.name == "pincite-extractive"


@pytest.mark.req("ASK-5")
def test_who_the_parties_are_is_read_from_the_front_when_the_search_missed_it(open_desk):
    front = "SUPPLY CONTRACT of Brightwater Foods plc and Ostrava Glass a.s., made between them: together the Parties."
    noise = [(page, f"The party shall collectively agree on item {page} of the agreement.") for page in range(2, 8)]
    desk = open_desk(passages={"ostrava.pdf": [(1, front), *noise]}, per_search=3)
    answer = desk.ask("Who are the parties?")
    assert {call["page"] for call in desk.calls("read_page")} <= {1, 2}
    assert "Ostrava Glass a.s." in answer


@pytest.mark.req("ASK-5")
def test_a_supplier_of_whom_no_passage_came_is_not_said_to_lack_the_clause(desk, monkeypatch):
    search = desk._search
    spent = "NOTE: The passage budget of this turn is spent."
    monkeypatch.setattr(
        desk, "_search", lambda wanted: spent if wanted.document_ids == ("meridian_cleaning",) else search(wanted)
    )
    answer = desk.ask("Compare the payment terms of Halden, Corvid and Meridian")
    assert re.search(r"^\| Meridian Hygiene S\.A\. \| No passage of it was given", answer, re.MULTILINE)
