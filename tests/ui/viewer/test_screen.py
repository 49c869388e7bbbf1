"""The Viewer screen: what an address opens, and what it does not."""

import pytest

from workbench.domain.errors import NotFound
from workbench.ui.addresses import PageAddress
from workbench.ui.session import Session
from workbench.ui.viewer import opened

pytestmark = pytest.mark.req("CITE-9")


def shown_html(at) -> str:
    return "\n".join(each.proto.body for each in at.get("html"))


def test_without_an_address_a_document_is_chosen(library, open_screen, pdf) -> None:
    document = library.add("halden.pdf", pdf("One", "Two"))
    at = open_screen("viewer")
    assert at.header[0].value == "Viewer"
    at.selectbox[0].set_value(document.id).run()
    assert '<h1 class="pc-title">halden.pdf</h1>' in shown_html(at)


def test_without_documents_the_way_to_them_is_shown(library, open_screen) -> None:
    at = open_screen("viewer")
    assert "no document to read yet" in at.text[0].value


def test_a_page_opens_and_a_page_past_the_end_opens_the_last(library, open_screen, pdf) -> None:
    document = library.add("halden.pdf", pdf("One", "Two"))
    session = Session(library.workbench, library.access)
    assert opened.resolve(session, PageAddress(document.id, 2)).page == 2
    assert opened.resolve(session, PageAddress(document.id, 9)).page == 2
    at = open_screen("viewer", document=document.id, page="2")
    assert "halden.pdf" in shown_html(at)


@pytest.mark.parametrize(
    "query",
    [
        {"document": "doc_none"},
        {"document": "doc_none", "page": "x"},
        {"conversation": "c", "turn": "t", "mention": "0"},
        {"conversation": "c", "turn": "t"},
    ],
)
def test_what_cannot_be_opened_looks_the_same(library, open_screen, query) -> None:
    at = open_screen("viewer", **query)
    assert at.header[0].value == "Not found"
    assert len(at.text) == 1


def test_a_document_in_another_persons_container_is_not_found(library, pdf) -> None:
    document = library.add("halden.pdf", pdf("One"))
    stranger = library.access.model_copy(update={"containers": frozenset()})
    with pytest.raises(NotFound):
        opened.resolve(Session(library.workbench, stranger), PageAddress(document.id, 1))


@pytest.mark.req("CITE-10")
def test_a_hostile_name_is_a_title_and_nothing_else(library, open_screen, pdf) -> None:
    document = library.add("<img src=x onerror=alert(1)>.pdf", pdf("One"))
    at = open_screen("viewer", document=document.id)
    assert "<img" not in shown_html(at)
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown_html(at)
