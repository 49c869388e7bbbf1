"""The rows of the source designs about routing: list, answer, both, ask back, recommend; by a scripted model."""

from datetime import date

import pytest

from tests.services.conftest import QUESTION, Bench
from tests.services.shelf import shelve
from workbench.adapters.fakes.scripted_model import ScriptedModel, Step, call, calls, say
from workbench.domain.budgets import DEFAULT_PROFILES, Limits, Profile
from workbench.domain.events import DocumentsListed, LimitReached, SearchFinished, SourcesGathered, ToolCallFinished
from workbench.domain.items import FunctionCallOutput
from workbench.domain.listing import Coverage
from workbench.domain.results import ResultType, TurnStatus
from workbench.services.tools.find_documents import FindArguments
from workbench.services.tools.search_documents import SearchArguments

ROUTER = DEFAULT_PROFILES[Profile.ROUTER].limits


def find(**arguments: object) -> Step:
    return call("find_documents", **dict.fromkeys(FindArguments.model_fields) | arguments)


def search(query: str = "payment terms invoice", **arguments: object) -> Step:
    return call("search_documents", **dict.fromkeys(SearchArguments.model_fields) | {"query": query} | arguments)


def listed_ids(step: int = 1, count: int | None = None) -> object:
    """Return a step that searches the documents that the listing before gave, as a model would read them."""

    def make(request: object) -> Step:
        (output,) = request.input  # type: ignore[attr-defined]
        assert isinstance(output, FunctionCallOutput)
        lines = [line for line in output.output.splitlines() if line.startswith("| ")]
        return search(document_ids=[line[2:].partition(";")[0] for line in lines][:count])

    return make


def fill(bench: Bench, count: int) -> None:
    """Shelve ``count`` more documents of 2024, whose passages the search does not know."""
    for number in range(count):
        shelve(bench.library, f"more{number:03d}.pdf", dated=date(2024, 5, 1), language="de", pages=["Text."])


# --- which result a turn gives (TOOL-12) --------------------------------------------------------------------------------


@pytest.mark.req("TOOL-12")
def test_a_request_for_a_list_gives_documents_and_no_answer_from_passages(bench: Bench) -> None:
    fill(bench, 3)
    ran = bench.run(ScriptedModel([find(language="de", period="2024"), say("Three contracts in German from 2024.")]))
    assert (ran.end.status, ran.end.result_type) == (TurnStatus.ANSWERED, ResultType.DOCUMENTS)
    assert ran.end.listing is not None
    assert ran.end.listing.total == 3
    assert (ran.end.coverage, ran.end.unsourced, ran.end.answer.citations) == (None, False, ())


@pytest.mark.req("TOOL-12")
def test_a_question_about_contents_gives_an_answer_and_no_list(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search("payment undisputed invoice"), say("Within 45 days [S1].")]))
    assert (ran.end.result_type, ran.end.listing, ran.end.coverage) == (ResultType.ANSWER, None, None)


@pytest.mark.req("TOOL-5", "TOOL-12")
def test_a_combined_request_searches_only_what_was_listed(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([find(text="orbex"), listed_ids(), say("Orbex is paid within 45 days [S1].")]))
    assert ran.end.result_type is ResultType.COMBINED
    assert ran.end.listing is not None
    assert [item.name for item in ran.end.listing.items] == ["orbex.pdf"]
    (searched,) = ran.of(SearchFinished)
    assert searched.documents == 1
    assert {hit.title for hit in (*searched.kept, *searched.cut)} == {"orbex.pdf"}
    assert ran.end.coverage == Coverage(based_on=1, matched=1)
    assert not ran.end.coverage_limited


@pytest.mark.req("TOOL-12")
def test_a_vague_request_is_asked_back_before_anything_is_searched(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([call("ask_user", question="Which contracts do you mean?")]))
    assert ran.end.result_type is ResultType.CLARIFICATION
    assert not ran.of(SearchFinished)
    assert not ran.of(DocumentsListed)


@pytest.mark.req("TOOL-12")
def test_a_list_that_helped_to_recommend_is_not_the_result(bench: Bench) -> None:
    steps = [find(), call("recommend", message="Start with this.", document_ids=[bench.documents["orbex.pdf"]])]
    ran = bench.run(ScriptedModel(steps))
    assert (ran.end.result_type, ran.end.listing) == (ResultType.RECOMMENDATION, None)
    assert [card.name for card in ran.end.cards] == ["orbex.pdf"]


@pytest.mark.req("TOOL-12", "ASK-4")
def test_a_turn_cut_by_a_limit_keeps_its_list_and_says_that_it_is_partial(bench: Bench) -> None:
    limits = Limits(tool_calls=1)
    ran = bench.run(ScriptedModel([find(), search(), say("never")]), limits=limits)
    assert (ran.end.status, ran.end.result_type) == (TurnStatus.PARTIAL, ResultType.DOCUMENTS)
    assert ran.end.listing is not None


@pytest.mark.req("TOOL-12")
def test_of_several_lists_the_last_that_matched_counts(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([find(text="orbex"), find(text="nobody"), say("One.")]))
    assert ran.end.listing is not None
    assert ran.end.listing.query.text == "orbex"
    ran = bench.run(ScriptedModel([find(text="nobody"), find(text="no one"), say("None.")]))
    assert ran.end.listing is not None
    assert (ran.end.listing.query.text, ran.end.listing.total) == ("no one", 0)


@pytest.mark.req("ASK-15", "TOOL-12")
@pytest.mark.parametrize(
    ("text", "unsourced"),
    [
        ("Two contracts.", False),
        ("2 contracts, the newest dated 2024-05-01, page 1 of 1.", False),
        ("Two contracts of the last 12 months.", False),
        ("Two contracts. Their notice period is 30 days.", True),
        ("Two contracts, worth EUR 500,000 together.", True),
    ],
)
def test_a_list_with_claims_about_contents_that_nobody_looked_at_is_flagged(
    bench: Bench, text: str, unsourced: bool
) -> None:
    ran = bench.run(ScriptedModel([find(), say(text)]), "Which contracts are there from the last 12 months?")
    assert (ran.end.result_type, ran.end.unsourced) == (ResultType.DOCUMENTS, unsourced)
    assert ("searched or read" in ran.end.reason) == unsourced


@pytest.mark.req("ASK-15")
def test_a_recommendation_with_such_a_claim_is_flagged_too(bench: Bench) -> None:
    card = call("recommend", message="It pays within 14 days.", document_ids=[bench.documents["orbex.pdf"]])
    assert bench.run(ScriptedModel([card])).end.unsourced
    assert not bench.run(ScriptedModel([search(), card])).end.unsourced


# --- how far the answer reaches (TOOL-5, TOOL-14) -----------------------------------------------------------------------


@pytest.mark.req("TOOL-14")
def test_an_answer_from_the_listed_page_of_a_longer_list_says_so(bench: Bench) -> None:
    fill(bench, 132)
    ran = bench.run(ScriptedModel([find(), listed_ids(), say("Nothing is said of it.")]))
    assert ran.end.coverage_limited
    assert ran.end.coverage is not None
    assert ran.end.coverage.text == "based on 20 of 134 documents"


@pytest.mark.req("TOOL-14")
@pytest.mark.parametrize(("count", "based_on"), [(1, 1), (3, 3)])
def test_fewer_documents_than_were_listed_are_said_as_well(bench: Bench, count: int, based_on: int) -> None:
    fill(bench, 5)
    ran = bench.run(ScriptedModel([find(), listed_ids(count=count), say("x")]))
    assert ran.end.coverage == Coverage(based_on=based_on, matched=7)


@pytest.mark.req("TOOL-14")
def test_a_search_over_everything_reaches_the_whole_list(bench: Bench) -> None:
    fill(bench, 30)
    ran = bench.run(ScriptedModel([find(), search(), say("x [S1].")]))
    assert ran.end.coverage == Coverage(based_on=32, matched=32)


@pytest.mark.req("TOOL-14")
def test_two_pages_searched_are_both_counted(bench: Bench) -> None:
    fill(bench, 40)
    steps = [find(page=1), listed_ids(), find(page=2), listed_ids(), say("x")]
    ran = bench.run(ScriptedModel(steps))
    assert ran.end.coverage == Coverage(based_on=40, matched=42)


@pytest.mark.req("TOOL-14")
def test_reading_one_page_of_one_document_rests_on_that_document(bench: Bench) -> None:
    page = call("read_page", document_id=bench.documents["orbex.pdf"], page=2)
    ran = bench.run(ScriptedModel([find(), page, say("Within 45 days [S1].")]))
    assert ran.end.result_type is ResultType.COMBINED
    assert ran.end.coverage == Coverage(based_on=1, matched=2)


@pytest.mark.req("TOOL-5")
def test_an_empty_selection_finds_nothing_and_never_falls_back_to_everything(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([find(text="nobody"), listed_ids(), say("No such contract.")]))
    (searched,) = ran.of(SearchFinished)
    assert (searched.documents, searched.kept, searched.cut) == (0, (), ())
    assert searched.filters is not None
    assert searched.filters.document_ids == ()
    assert not ran.of(SourcesGathered)
    assert ran.end.result_type is ResultType.COMBINED


@pytest.mark.req("TOOL-5")
def test_the_restriction_applies_before_ranking(bench: Bench) -> None:
    """The weaker document is found although the stronger one would fill every place."""
    nordwand = bench.documents["nordwand.pdf"]
    ran = bench.run(ScriptedModel([search("undisputed invoice within 45 days", document_ids=[nordwand]), say("x")]))
    (searched,) = ran.of(SearchFinished)
    assert searched.candidates == len(searched.kept) + len(searched.cut) > 0
    assert {hit.title for hit in (*searched.kept, *searched.cut)} == {"nordwand.pdf"}


@pytest.mark.req("TOOL-5", "FIND-1")
def test_ids_outside_the_scope_widen_nothing(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search("secret board", document_ids=[bench.documents["secret.pdf"]]), say("x")]))
    assert ran.of(SearchFinished)[0].documents == 0


# --- language and time of a search (ASK-9, ASK-10) ----------------------------------------------------------------------


@pytest.mark.req("ASK-10", "TOOL-5")
def test_the_language_of_the_material_is_a_filter_whatever_the_language_of_the_question(bench: Bench) -> None:
    for name, language in (("orbex.pdf", "en"), ("nordwand.pdf", "de")):
        document = bench.library.document(bench.documents[name])
        assert document is not None
        bench.library.save_document(document.model_copy(update={"language": language}))
    ran = bench.run(
        ScriptedModel([search("payment invoice", language="de"), say("Оплата в тридцать дней [S1].")]), "Срок?"
    )
    (searched,) = ran.of(SearchFinished)
    assert {hit.title for hit in (*searched.kept, *searched.cut)} == {"nordwand.pdf"}
    assert ran.end.answer.text.startswith("Оплата")


@pytest.mark.req("ASK-9")
def test_the_period_of_a_search_is_resolved_and_stands_in_the_trace_as_dates(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search(period="last 12 months"), say("x")]))
    (searched,) = ran.of(SearchFinished)
    assert searched.filters is not None
    assert (searched.filters.date_from, searched.filters.date_to) == (date(2025, 1, 6), date(2026, 1, 5))
    assert searched.documents == 0
    assert "2 documents of unknown date left out" in searched.note


@pytest.mark.req("ASK-9", "ASK-6")
def test_a_search_over_impossible_dates_does_not_run(bench: Bench) -> None:
    ran = bench.run(ScriptedModel([search(date_from="2024-02-30"), say("x")]))
    (finished,) = ran.of(ToolCallFinished)
    assert (finished.outcome, "February 2024 has 29 days" in finished.output) == ("rejected", True)
    assert not ran.of(SearchFinished)


# --- the router profile ------------------------------------------------------------------------------------------------


@pytest.mark.req("ASK-3", "ASK-8")
def test_the_router_has_four_rounds_one_call_a_round_and_three_calls() -> None:
    assert (ROUTER.model_calls, ROUTER.calls_per_round, ROUTER.tool_calls) == (4, 1, 3)


@pytest.mark.req("ASK-3")
def test_of_a_batch_the_first_call_runs_and_the_others_are_told_why_not(bench: Bench) -> None:
    batch = calls(search("payment"), search("liability"), find())
    model = ScriptedModel([batch, search("liability"), say("x [S1].")])
    ran = bench.run(model, limits=ROUTER)
    assert [event.outcome for event in ran.of(ToolCallFinished)] == ["ok", "skipped", "skipped", "ok"]
    told = [item.output for item in model.requests[1].input if isinstance(item, FunctionCallOutput)]
    assert len(told) == 3
    assert all("only one call a round" in output for output in told[1:])
    assert ran.end.spend.tool_calls == 2
    assert ran.end.spend.calls_per_round == 1


@pytest.mark.req("ASK-3", "ASK-4")
def test_the_fourth_call_of_the_router_ends_the_turn_partial(bench: Bench) -> None:
    steps = [search("payment"), search("liability"), search("definitions"), search("recitals"), say("never")]
    ran = bench.run(ScriptedModel(steps), limits=ROUTER)
    (hit,) = ran.of(LimitReached)
    assert (hit.limit.value, hit.ceiling) == ("tool_calls", 3)
    assert ran.end.status is TurnStatus.PARTIAL


@pytest.mark.req("ASK-3")
def test_a_limit_of_calls_a_round_is_configurable(bench: Bench) -> None:
    batch = calls(search("payment"), search("liability"), search("definitions"))
    ran = bench.run(ScriptedModel([batch, say("x [S1].")]), limits=Limits(calls_per_round=2))
    assert [event.outcome for event in ran.of(ToolCallFinished)] == ["ok", "ok", "skipped"]
    assert "only 2 calls a round" in ran.of(ToolCallFinished)[2].output


# --- rows of the designs about several searches (TOOL-2, TOOL-3) ---------------------------------------------------------


@pytest.mark.req("TOOL-2", "TOOL-3")
@pytest.mark.parametrize("typos", [False, True])
def test_a_comparison_of_three_contracts_is_three_searches_with_their_own_queries(bench: Bench, typos: bool) -> None:
    queries = [f"payment terms Supplier {letter} contract" for letter in "ABC"]
    rewrite = (
        [call("rewrite_query", query="Compare payment terms in our last three supplier contracts")] if typos else []
    )
    question = "Compare paymnt terms in our last three supplier contracs" if typos else "Compare payment terms"
    batch = calls(*rewrite, *(search(query) for query in queries))
    ran = bench.run(ScriptedModel([batch, say("x [S1].")]), question)
    assert [event.query for event in ran.of(SearchFinished)] == queries


@pytest.mark.req("ASK-5", "ASK-1")
def test_a_search_that_found_nothing_is_followed_by_a_broader_one(bench: Bench) -> None:
    steps = [search("zzz", date_from="2030-01-01"), search("payment invoice"), say("Within 45 days [S1].")]
    ran = bench.run(ScriptedModel(steps), QUESTION)
    first, second = ran.of(SearchFinished)
    assert (first.documents, first.kept) == (0, ())
    assert second.kept
    assert ran.end.status is TurnStatus.ANSWERED
