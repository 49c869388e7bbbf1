"""Lists of documents and cards as HTML."""

from datetime import date
from html.parser import HTMLParser

import pytest

from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.listing import Coverage, ListedDocument, Listing, ListingQuery
from workbench.domain.tags import Tag
from workbench.ui.ask.listing_html import cards_html, coverage_html, listing_html, range_html

HOSTILE = '<img src=x onerror="alert(1)">\u202e'


class Page(HTMLParser):
    """The text, the elements and the links of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.hrefs: list[str | None] = []
        self.text = ""
        self.feed(html)
        self.text = self.text.replace("\u00a0", " ")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.hrefs += [value for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.text += data


def document(number: int, **changes: object) -> ListedDocument:
    made = ListedDocument(
        id=DocumentId(f"doc_{number}"),
        container_id=ContainerId("cont_1"),
        name=f"halden_{number}.pdf",
        title="Cloud agreement",
        tags=(Tag(key="supplier", value="Halden"),),
        dated=date(2025, 3, 1),
        pages=12,
    )
    return made.model_copy(update=changes)


@pytest.mark.req("TOOL-12")
def test_a_row_says_name_title_tags_date_and_pages_and_opens_the_document() -> None:
    page = Page(listing_html(Listing(items=(document(1),), total=1)))

    for text in ("halden_1.pdf", "Cloud agreement", "supplier: Halden", "1 Mar 2025 · 12 pages"):
        assert text in page.text
    assert page.hrefs == ["/viewer?document=doc_1&page=1"]


@pytest.mark.req("TOOL-12")
def test_the_parameters_are_said_in_words_with_what_they_left_out() -> None:
    query = ListingQuery(
        text="cloud", tags={"supplier": ("Halden", "Orbex")}, language="de", date_from=date(2025, 1, 1)
    )
    page = Page(listing_html(Listing(query=query, items=(document(1),), total=1, undated=1, without_language=3)))

    assert (
        "Matching ‘cloud’, tagged supplier: Halden or Orbex, in the language ‘de’, dated 1 Jan 2025 or later,"
        " newest first." in page.text
    )
    assert "1 document left out: no date is known." in page.text
    assert "3 documents left out: no language is known." in page.text


@pytest.mark.req("TOOL-13")
def test_a_page_says_which_documents_of_how_many_it_shows() -> None:
    query = ListingQuery(page=2, page_size=20)
    listing = Listing(query=query, items=tuple(document(n) for n in range(14)), total=34)

    assert "21–34 of 34" in range_html(listing)
    assert 'start="21"' in listing_html(listing)


@pytest.mark.req("TOOL-13")
def test_an_empty_list_and_a_page_past_the_end_say_so() -> None:
    assert "No document matches." in listing_html(Listing())
    past = Listing(query=ListingQuery(page=9, page_size=20), total=34)
    assert "The list ends before this page: it has 2 pages." in listing_html(past)


@pytest.mark.req("TOOL-12")
def test_cards_open_their_documents_and_none_give_nothing() -> None:
    page = Page(cards_html((document(1), document(2, dated=None, tags=(), title="")), DocumentId("doc_2")))

    assert page.tags.count("article") == 2
    assert page.hrefs == ["/viewer?document=doc_1&page=1", "/viewer?document=doc_2&page=1"]
    assert "undated · 12 pages" in page.text
    assert cards_html(()) == ""


@pytest.mark.req("TOOL-14")
@pytest.mark.parametrize(
    ("coverage", "text"),
    [
        (Coverage(based_on=20, matched=134), "Based on 20 of 134 documents. The other 114 were listed and not read."),
        (Coverage(based_on=0, matched=3), "Based on none of 3 documents. They were listed and not read."),
        (Coverage(based_on=1, matched=2), "Based on 1 of 2 documents. The other one was listed and not read."),
    ],
)
def test_the_notice_says_on_how_much_the_answer_rests(coverage: Coverage, text: str) -> None:
    assert text in Page(coverage_html(coverage)).text


@pytest.mark.req("CITE-10")
def test_hostile_names_titles_and_tags_are_text() -> None:
    hostile = document(1, name=HOSTILE, title=HOSTILE, tags=(Tag.model_construct(key=HOSTILE, value=HOSTILE),))
    html = listing_html(Listing(query=ListingQuery(text=HOSTILE), items=(hostile,), total=1)) + cards_html((hostile,))

    assert "img" not in Page(html).tags
    assert "\u202e" not in html
