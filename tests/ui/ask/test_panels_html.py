"""The timeline, the budgets and the list of sources as HTML."""

from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from workbench.domain.events import Event
from workbench.domain.ids import ConversationId, Ref, TurnId
from workbench.ui.ask.answer_html import TurnLinks
from workbench.ui.ask.meters import budget
from workbench.ui.ask.sources_html import sources_html
from workbench.ui.ask.trace_html import meters_html, step_html
from workbench.ui.ask.trace_steps import found_by, trace_steps

LINKS = TurnLinks(ConversationId("conv_1"), TurnId("turn_1"))
HOSTILE = '<img src=x onerror="alert(1)">\u202e'


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.hrefs: list[str | None] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.hrefs += [value for name, value in attrs if name == "href"]
        assert not [name for name, _ in attrs if name.startswith("on") or name == "src"]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.req("CITE-5")
def test_each_cited_page_is_one_row_with_its_quote_and_the_search_that_found_it(
    make: Any, whole_turn: list[Event]
) -> None:
    page = Page(sources_html(make.answer, LINKS, found_by(trace_steps(whole_turn))))

    assert page.tags.count("li") == 1
    assert page.hrefs == [
        "/viewer?conversation=conv_1&turn=turn_1&mention=0",
        "/?conversation=conv_1&turn=turn_1&tab=trace&step=call_search",
    ]
    assert "halden.pdf p. 12" in page.text
    assert "within forty-five days" in page.text
    assert "Found by search ‘liability cap’" in page.text


@pytest.mark.req("CITE-5")
def test_what_found_all_pages_is_said_once(make: Any) -> None:
    first = make.answer.citations[0]
    second = first.model_copy(update={"number": 2, "page": 13, "page_label": "p. 13"})
    both = make.answer.model_copy(update={"citations": (first, second)})
    same = sources_html(both, LINKS, {"call_search": "search ‘liability cap’"})
    other = both.model_copy(update={"citations": (first, second.model_copy(update={"call_ids": ("call_page",)}))})
    different = sources_html(other, LINKS, {"call_search": "search ‘liability cap’", "call_page": "reading it"})

    assert same.count("ound by") == 1
    assert "All found by <a" in same
    assert same.count(">search ‘liability cap’</a>") == 1
    assert ">search ‘liability cap’</a>" in different
    assert ">reading it</a>" in different


@pytest.mark.req("CITE-9")
def test_a_row_says_where_its_source_stands_as_long_as_it_is_there(make: Any) -> None:
    """The browser fetches such pages before they are clicked; what was deleted must not be asked for."""
    (source,) = make.answer.citations
    assert f'data-document="{source.document_id}" data-page="{source.page}"' in sources_html(make.answer, LINKS, {})
    gone = {source.document_id: datetime(2026, 5, 4, tzinfo=UTC)}
    assert "data-document" not in sources_html(make.answer, LINKS, {}, gone)


@pytest.mark.req("CITE-5")
def test_an_answer_without_citations_has_no_list(make: Any) -> None:
    assert sources_html(make.answer.model_copy(update={"citations": (), "mentions": ()}), LINKS, {}) == ""


@pytest.mark.req("TRACE-1")
def test_a_search_opens_to_kept_and_cut_hits_and_links_what_it_fed(make: Any, whole_turn: list[Event]) -> None:
    step = next(step for step in trace_steps(whole_turn) if step.key == "call_search")
    page = Page(step_html(step, make.answer, LINKS))

    assert page.tags[0] == "details"
    assert page.tags.count("li") == 8
    assert "below the threshold" in page.text
    assert "0.2\u00a0s" in page.text
    assert page.hrefs == ["/viewer?conversation=conv_1&turn=turn_1&mention=0"] * 2


@pytest.mark.req("TRACE-2")
def test_a_step_lists_the_claims_that_rest_on_it_and_no_others(make: Any, whole_turn: list[Event]) -> None:
    steps = {step.key: step for step in trace_steps(whole_turn)}
    fed = Page(step_html(steps["call_search"], make.answer, LINKS)).text
    other = Page(step_html(steps["call_rewrite"], make.answer, LINKS)).text

    assert "Claims that rest on it:" in fed
    assert "Due in 45 days" in fed
    assert "Due in 45 days" not in other


@pytest.mark.req("TRACE-2")
def test_a_claim_whose_passage_another_search_found_first_is_not_listed(make: Any, whole_turn: list[Event]) -> None:
    step = next(step for step in trace_steps(whole_turn) if step.key == "call_search")
    mention = make.answer.mentions[0].model_copy(update={"refs": (Ref("S9"),)})

    text = Page(step_html(step, make.answer.model_copy(update={"mentions": (mention,)}), LINKS)).text
    assert "Claims that rest on it:" not in text


@pytest.mark.req("TRACE-2")
def test_only_the_step_of_the_address_is_opened(make: Any, whole_turn: list[Event]) -> None:
    links = TurnLinks(LINKS.conversation_id, LINKS.turn_id, step="call_search")
    pages = {step.key: step_html(step, make.answer, links) for step in trace_steps(whole_turn)}
    opened = [key for key, page in pages.items() if " open>" in page]

    assert opened == ["call_search"]


@pytest.mark.req("TRACE-1")
def test_a_rejected_call_opens_to_what_the_model_was_told(make: Any, whole_turn: list[Event]) -> None:
    step = next(step for step in trace_steps(whole_turn) if step.key == "call_bad")

    assert "There is no tool 'serch'." in Page(step_html(step, make.answer, LINKS)).text


@pytest.mark.req("TRACE-1")
def test_budgets_are_bars_against_their_ceilings(whole_turn: list[Event]) -> None:
    page = Page(meters_html(budget(whole_turn)))

    assert page.tags.count("i") == 7
    assert "5 of 24" in page.text


@pytest.mark.req("CITE-10")
def test_hostile_queries_titles_and_quotes_are_text(make: Any) -> None:
    hit = make.hit(1, "S1").model_copy(update={"title": HOSTILE, "snippet": HOSTILE, "pages": HOSTILE})
    search = make.search_result(query=HOSTILE).model_copy(update={"kept": (hit,), "note": HOSTILE})
    citation = make.answer.citations[0].model_copy(
        update={"document": HOSTILE, "quote": HOSTILE, "page_label": HOSTILE, "container": HOSTILE}
    )
    answer = make.answer.model_copy(update={"citations": (citation,)})
    steps = trace_steps([make.started(), make.search_call(), search, make.finished(answer=answer)])
    html = sources_html(answer, LINKS, found_by(steps)) + "".join(step_html(step, answer, LINKS) for step in steps)
    page = Page(html)

    assert "img" not in page.tags
    assert "\u202e" not in html
    assert "[U+202E]" in page.text
