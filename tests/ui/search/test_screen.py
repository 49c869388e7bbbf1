"""The Search screen over real parts; only the embedding is a fake."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from workbench.domain.gaps import GapOrigin
from workbench.domain.scope import Filters
from workbench.domain.tags import Tag
from workbench.ui.ask.session_keys import AskKey

HOSTILE = Tag(key="region", value="<i>North</i>")


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def search(at: AppTest, words: str) -> AppTest:
    """Type words and press Search, as a user does."""
    next(each for each in at.text_input if each.key.startswith("search-text")).set_value(words)
    return next(each for each in at.button if each.key.startswith("search-submit")).click().run()


def press(at: AppTest, key: str) -> AppTest:
    return next(each for each in at.button if each.key == key).click().run()


def test_without_documents_it_leads_to_them(library, open_screen) -> None:
    at = open_screen("search")
    assert "There are no documents to search yet" in html(at)
    assert [each.key for each in at.button if each.key == "search.documents"]


@pytest.mark.req("FIND-10", "CITE-10")
def test_passages_open_at_their_page_and_are_text(library, open_screen, pdf) -> None:
    library.add("halden.pdf", pdf("Cover", "The deposit is <b>two</b> months of rent."), HOSTILE)
    at = search(open_screen("search"), "deposits")
    shown = html(at)

    assert at.query_params["q"] == "deposits"
    assert "<mark>deposit</mark> is &lt;b&gt;two&lt;/b&gt; months" in shown
    assert "region: &lt;i&gt;North&lt;/i&gt;" in shown
    assert re.search(r'href="/viewer\?document=doc_\w+&amp;page=2&amp;passage=\d+&amp;words=deposits"', shown)


@pytest.mark.req("FIND-10")
def test_an_address_holds_query_filters_and_order(library, open_screen, pdf) -> None:
    library.add("north.pdf", pdf("The deposit of the north."), Tag(key="region", value="North"))
    library.add("south.pdf", pdf("The deposit of the south."), Tag(key="region", value="South"))
    at = open_screen("search", q="deposit", tag="region=South", sort="newest", group="1")

    assert "south.pdf" in html(at)
    assert "north.pdf" not in html(at)
    assert next(each for each in at.text_input if each.key.startswith("search-text")).value == "deposit"


@pytest.mark.req("FIND-10")
def test_a_page_past_the_last_one_says_so_and_leads_back(library, open_screen, pdf) -> None:
    library.add("north.pdf", pdf("The deposit of the north.", "A longer deposit of the far north."))
    at = open_screen("search", q="deposit", results="7")
    assert "Past the last of 1 page" in html(at)
    assert at.button(key="pager-search-next").disabled

    assert "<mark>deposit</mark> of the north" in html(press(at, "pager-search-previous"))


@pytest.mark.req("FIND-10", "FIND-11")
def test_nothing_found_says_why_and_what_may_help_and_becomes_a_gap(library, open_screen, pdf) -> None:
    library.add("north.pdf", pdf("The deposit of the north."))
    at = open_screen("search", q="deposit", **{"from": "2030-01-01"})

    assert "Nothing found" in html(at)
    assert any(each.label.startswith("Without the dates") for each in at.button)
    at = open_screen("search", view="gaps")
    assert "deposit" in html(at)
    at = press(at, "search-dismiss-0")
    assert "No gaps" in html(at)


@pytest.mark.req("FIND-10")
def test_a_container_that_is_not_the_users_is_not_searched_and_that_is_said(library, open_screen, pdf) -> None:
    library.add("north.pdf", pdf("The deposit of the north."))
    at = open_screen("search", **{"q": "deposit", "in": "con_of_another"})

    assert [each.value for each in at.warning] == [
        "This address names no container of yours, so nothing is searched. Choose one above."
    ]
    assert "north.pdf" not in html(at)


@pytest.mark.req("FIND-10")
def test_the_query_and_the_documents_found_are_carried_to_ask(library, open_screen, pdf) -> None:
    document = library.add("north.pdf", pdf("The deposit of the north."))
    at = press(open_screen("search", q="deposit"), "search-ask")
    draft = at.session_state[AskKey.DRAFT]

    assert draft.filters.document_ids == (document.id,)
    assert any(each.label == "Only 1 document" for each in at.button)


@pytest.mark.req("FIND-11")
def test_a_deleted_conversation_takes_its_gaps_along(library) -> None:
    bench, access = library.workbench, library.access
    container = library.container()
    talk = bench.conversations.create(access, [container.id])
    bench.gaps.record(
        access.user_id, [container.id], "parking", Filters(), GapOrigin.ASSISTANT, conversation_id=talk.id
    )
    bench.deletion.delete_conversation(access, talk.id)

    assert bench.gaps.topics(library.access) == []


@pytest.mark.req("FIND-1", "FIND-10")
def test_a_document_outside_the_container_that_the_address_names_is_not_searched(library, open_screen, pdf) -> None:
    inside = library.add("north.pdf", pdf("The deposit of the north."))
    outside = library.add("south.pdf", pdf("The deposit of the south."), container="Archive")
    shown = {
        document.name: html(open_screen("search", q="deposit", doc=document.id, **{"in": inside.container_id}))
        for document in (inside, outside)
    }

    assert "<mark>deposit</mark> of the north" in shown["north.pdf"]
    assert "Nothing found" in shown["south.pdf"]
    assert "of the south" not in shown["south.pdf"]


@pytest.mark.req("FIND-2")
def test_quotation_marks_and_backslashes_in_names_are_found_filtered_and_deleted(library, open_screen, pdf) -> None:
    odd = Tag(key="supplier", value='d\'Or, "Nord" \\ Süd')
    named = library.add('d\'Or "2024" lease.pdf', pdf("The deposit of the north."), odd, container='Kel\'ra \\ "A"')
    library.add("plain.pdf", pdf("The deposit of the south."), Tag(key="supplier", value="Nord"))
    scope = {"q": "deposit", "in": named.container_id, "tag": f"{odd.key}={odd.value}"}
    assert "<mark>deposit</mark> of the north" in html(open_screen("search", **scope))
    assert "Nothing found" in html(open_screen("search", **{**scope, "tag": "supplier=d'Or"}))

    library.workbench.deletion.delete_document(library.access, named.id)
    at = open_screen("search", **scope)
    assert "of the north" not in html(at)
    assert not at.exception
