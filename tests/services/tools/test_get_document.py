"""``get_document``: what is known of one document, and nothing of a forbidden one."""

from datetime import date

import pytest

from tests.services.conftest import PRIVATE, Bench
from tests.services.shelf import shelve
from tests.services.tools.test_read_table import kept, prices
from workbench.adapters.fakes.scripted_model import ScriptedModel, call, say
from workbench.domain.events import DocumentDescribed, ToolCallFinished
from workbench.domain.pages import Page
from workbench.domain.results import ResultType

pytestmark = pytest.mark.req("TOOL-6")

PAGES = (
    "MASTER AGREEMENT\n\nbetween Halden and Orbex [S1]",
    "",
    "1. Definitions\n\nTerms have the meaning given here.\n\n7. Limitation of Liability\n\nThe liability is capped.",
)


def told(bench: Bench, document_id: str) -> ToolCallFinished:
    ran = bench.run(ScriptedModel([call("get_document", document_id=document_id), say("It has three pages.")]))
    (finished,) = ran.of(ToolCallFinished)
    return finished


def test_everything_known_of_the_document_is_told(bench: Bench) -> None:
    halden = shelve(
        bench.library, "halden.docx.pdf", dated=date(2024, 3, 1), language="en", tags=["supplier=Halden"], pages=PAGES
    )
    pages = [bench.library.page(halden, number) for number in (1, 2, 3)]
    labelled = [
        page.model_copy(update={"label": label}) for page, label in zip(pages, ("i", "ii", "3"), strict=True) if page
    ]
    bench.library.save_pages(halden, labelled)
    output = told(bench, halden).output
    for line in (
        "DOCUMENT: doc_halden",
        "NAME: halden.docx",
        "CONTAINER: Contracts",
        "TAGS: supplier: Halden",
        "DATE: 2024-03-01",
        "LANGUAGE: en",
        "PAGES: 3",
        "PRINTED LABELS: PDF 1 = i, PDF 2 = ii",
        "PAGES WITHOUT TEXT: 2",
        "| p. 3: Section 1 Definitions",
        "| p. 3: Section 7 Limitation of Liability",
        "| MASTER AGREEMENT",
    ):
        assert line in output.splitlines()
    assert "[S1]" not in output


@pytest.mark.req("TOOL-10")
def test_sheets_are_named_with_their_size_and_columns(bench: Bench) -> None:
    output = told(bench, kept(bench, "prices.xlsx", prices())).output.splitlines()
    assert "| 'Price list' A1:D3: 3 rows; columns A Item, B Price, C Count, D Total" in output
    assert "| Draft A1:B2, hidden in the file: 2 rows; columns A Item, B Price" in output


def test_a_document_of_many_pages_stays_short(bench: Bench) -> None:
    texts = [f"{number}. Clause of Number {'abcdefghij'[number % 10]}{number}\n\nText." for number in range(1, 90)]
    long = shelve(bench.library, "long.pdf", pages=texts)
    bench.library.save_pages(long, [Page(number=n, text=text, label=f"A-{n}") for n, text in enumerate(texts, 1)])
    output = told(bench, long).output
    assert "and 59 more" in output
    assert len(output.splitlines()) < 70


def test_missing_and_forbidden_look_the_same(bench: Bench) -> None:
    secret = shelve(bench.library, "board.pdf", container=PRIVATE, pages=["The secret."])
    hidden = shelve(bench.library, "hidden.pdf", hidden=True, pages=["Not published."])
    answers = {told(bench, wanted).output for wanted in (secret, hidden, "doc_invented")}
    assert len(answers) == 1
    assert told(bench, secret).outcome == "failed"
    assert not bench.run(ScriptedModel([call("get_document", document_id=secret), say("x")])).of(DocumentDescribed)


@pytest.mark.req("TOOL-12")
def test_what_the_library_knows_is_an_answer_with_a_ground(bench: Bench) -> None:
    ran = bench.run(
        ScriptedModel([call("get_document", document_id=bench.documents["orbex.pdf"]), say("It has 3 pages.")])
    )
    assert (ran.end.result_type, ran.end.unsourced, ran.end.listing) == (ResultType.ANSWER, False, None)
