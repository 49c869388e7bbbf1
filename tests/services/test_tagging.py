"""Suggestions read out of documents: accepted, dismissed, kept."""

from datetime import date

import pytest

from tests.services.test_labels import ACCESS, OTHERS, Shelf
from workbench.domain.documents import Document, DocumentState
from workbench.domain.ids import DocumentId
from workbench.domain.tags import Tag
from workbench.services.ports import KeywordRow
from workbench.services.tagging import Tagging

COVER = "HOSTING AGREEMENT\n\nDated 4 May 2022\n\nOrlund Data AS (the Supplier) and Fernhill Clinics plc (the Customer)"
LAW = "17.1 This Agreement is governed by the laws of Norway."


class Desk(Shelf):
    def __init__(self) -> None:
        super().__init__()
        self.tagging = Tagging(self.library, self.store, self.keywords, self.labels)

    def contract(self, name: str = "a.pdf", **more: object) -> DocumentId:
        document_id = self.put(name, pages=[COVER, *["nothing"] * 8, LAW], **more)
        document = self[document_id]
        rows = [KeywordRow(each.id, document_id, each.text) for each in self.store.document_chunks(document_id)]
        self.keywords.upsert(document.container_id, rows)
        return document_id

    def suggested(self, document_id: DocumentId) -> dict[str, str]:
        found = self.tagging.suggestions(ACCESS, [self[document_id]])
        return {each.key: each.value for each in found.get(document_id, [])}


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_ready_document_gets_suggestions_also_from_its_last_page(desk: Desk) -> None:
    document_id = desk.contract()
    assert desk.suggested(document_id) == {
        "supplier": "Orlund Data",
        "document type": "Hosting agreement",
        "region": "Nordics",
        "date": "2022-05-04",
    }
    (law,) = [
        each for each in desk.tagging.suggestions(ACCESS, [desk[document_id]])[document_id] if each.key == "region"
    ]
    assert law.page == 10


def test_what_is_tagged_is_not_suggested(desk: Desk) -> None:
    document_id = desk.contract(tags=["supplier=Somebody", "region=EMEA"], dated=date(2020, 1, 1))
    assert desk.suggested(document_id) == {"document type": "Hosting agreement"}


def test_spellings_of_other_documents_are_preferred(desk: Desk) -> None:
    desk.put("other.pdf", tags=["supplier=ORLUND data", "document type=Contract", "region=Scandinavia"])
    suggested = desk.suggested(desk.contract())
    assert (suggested["supplier"], suggested["document type"], suggested["region"]) == (
        "ORLUND data",
        "Contract",
        "Scandinavia",
    )


def test_accepting_puts_tags_and_the_date_on_the_document(desk: Desk) -> None:
    document_id = desk.contract()
    found = desk.tagging.suggestions(ACCESS, [desk[document_id]])[document_id]
    desk.tagging.accept(ACCESS, document_id, found)
    assert (desk[document_id].tag("supplier"), desk[document_id].dated) == ("Orlund Data", date(2022, 5, 4))
    assert desk.suggested(document_id) == {}
    assert desk.renewed == [document_id]


def test_accepting_never_replaces_what_was_set_meanwhile(desk: Desk) -> None:
    document_id = desk.contract()
    found = desk.tagging.suggestions(ACCESS, [desk[document_id]])[document_id]
    desk.labels.retag(ACCESS, [document_id], add=[Tag(key="supplier", value="Mine")])
    desk.tagging.accept(ACCESS, document_id, found)
    assert [tag.value for tag in desk[document_id].tags if tag.key == "supplier"] == ["Mine"]


def test_a_dismissed_suggestion_stays_dismissed(desk: Desk) -> None:
    document_id = desk.contract()
    found = desk.tagging.suggestions(ACCESS, [desk[document_id]])[document_id]
    desk.tagging.dismiss(ACCESS, document_id, [each for each in found if each.key in ("region", "date")])
    assert set(desk.suggested(document_id)) == {"supplier", "document type"}
    stored = Document.model_validate_json(desk[document_id].model_dump_json())
    assert stored.dismissed == (Tag(key="region", value="Nordics"), Tag(key="date", value="2022-05-04"))
    assert stored.tags == ()


def test_a_document_in_work_or_of_others_gets_none(desk: Desk) -> None:
    assert desk.suggested(desk.contract("w.pdf", state=DocumentState.EMBEDDING)) == {}
    assert desk.suggested(desk.contract("o.pdf", container=OTHERS)) == {}


def test_a_document_is_read_once_as_long_as_it_is_the_same(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    document_id = desk.contract()
    before = desk.suggested(document_id)
    monkeypatch.setattr(desk.store, "page", lambda *_: pytest.fail("the page was read again"))
    assert desk.suggested(document_id) == before
