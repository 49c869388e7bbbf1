"""The page of one document, by its address."""

import pytest

from tests.ui.documents.test_screen import button, shown_html
from workbench.domain.documents import DocumentState
from workbench.domain.tags import Tag

COVER = "HOSTING AGREEMENT"


HOSTILE = "<b>now $5$ :red[x] [x](y) _a_ -- b.pdf"


def suggestions(at) -> list[str]:
    return [each.key for each in at.button if each.key and each.key.startswith("suggested.")]


@pytest.mark.req("LIB-6")
def test_a_document_tells_page_by_page_how_reading_went(library, open_screen, pdf) -> None:
    document = library.add("halden.pdf", pdf("One two three", "", "Four"))
    at = open_screen("document", document=document.id)
    (report,) = [frame.value for frame in at.dataframe if "Reading" in frame.value]
    assert list(report["Page"]) == ["p. 1", "p. 2", "p. 3"]
    assert list(report["Reading"]) == ["Text", "Empty", "Text"]
    assert list(report["Words"]) == [3, 0, 1]
    assert report["View"][2] == f"/viewer?document={document.id}&page=3"
    assert [each.value for each in at.text if "pages:" in each.value] == ["3 pages: 2 with text, 1 empty"]
    assert "Page 2 has no readable text" in shown_html(at)
    assert f"/documents/{document.id}/original" in shown_html(at)
    assert "Reading in: done" in shown_html(at)


def test_a_missing_document_and_one_without_an_address_look_the_same(library, open_screen) -> None:
    library.container()
    for query in ({"document": "doc_nowhere"}, {}):
        at = open_screen("document", **query)
        assert [each.value for each in at.header] == ["Not found"]
        assert not at.button


def test_a_document_of_others_is_not_found(library, open_screen, pdf, monkeypatch) -> None:
    document = library.add("halden.pdf", pdf("One"))
    nobody = library.access.model_copy(update={"containers": frozenset()})
    monkeypatch.setattr("workbench.ui.process.local_access", lambda: nobody)
    at = open_screen("document", document=document.id)
    assert [each.value for each in at.header] == ["Not found"]
    assert "halden" not in shown_html(at)


@pytest.mark.req("CITE-10")
def test_a_hostile_name_is_shown_as_text(library, open_screen, pdf) -> None:
    document = library.add(HOSTILE, pdf("One"))
    at = open_screen("document", document=document.id)
    assert "&lt;b&gt;now $5$ :red[x] [x](y) _a_ -- b.pdf" in shown_html(at)
    assert "<b>now" not in shown_html(at)


@pytest.mark.req("LIB-2")
def test_a_suggestion_is_accepted_or_dismissed_with_its_reason_in_sight(library, open_screen, pdf) -> None:
    document = library.add("halden.pdf", pdf(COVER))
    other = library.add("brask.pdf", pdf(COVER + " 2"))
    at = open_screen("document", document=document.id)
    assert f"“{COVER}” <a href=" in shown_html(at)
    assert suggestions(at) == [f"suggested.{document.id}.document type"]
    at.button(key=suggestions(at)[0]).click().run()
    assert library.workbench.library.document(library.access, document.id).tag("document type") == "Hosting agreement"
    assert suggestions(at) == []
    at = open_screen("document", document=other.id)
    at.button(key=f"dismissed.{other.id}.document type").click().run()
    assert suggestions(at) == []
    assert suggestions(open_screen("document", document=other.id)) == []


def test_labels_are_changed_in_place(library, open_screen, pdf) -> None:
    document = library.add("halden.pdf", pdf("One"), Tag(key="supplier", value="Halden"))
    at = open_screen("document", document=document.id)
    at.multiselect[0].set_value(["supplier=Halden", "project=Alba"])
    button(at, "Save changes").click().run()
    assert not at.exception
    tags = library.workbench.library.document(library.access, document.id).tags
    assert [(tag.key, tag.value) for tag in tags] == [("supplier", "Halden"), ("project", "Alba")]


@pytest.mark.req("LIB-8")
def test_versions_are_listed_and_an_old_one_is_purged_alone(library, open_screen, pdf) -> None:
    first = library.add("halden.pdf", pdf("One"))
    second = library.add("halden.pdf", pdf("Two"))
    at = open_screen("document", document=second.id)
    assert "Version 2, ready" in shown_html(at)
    assert "Version 1, replaced" in shown_html(at)
    at.button(key=f"version.purge.{first.id}").click().run()
    at.button(key=f"version.purge.{first.id}").click()
    button(at, "Purge version 1").click().run()
    assert not at.exception
    assert [each.id for each in library.documents()] == [second.id]


def test_a_failed_document_says_why_and_can_be_tried_again(library, open_screen) -> None:
    document = library.add("bad.pdf", b"%PDF-1.7 cut off")
    at = open_screen("document", document=document.id)
    assert "This document could not be used" in shown_html(at)
    button(at, "Retry").click().run()
    library.workbench.ingestion.wait([document.id], timeout=60)
    again = library.workbench.library.document(library.access, document.id)
    assert again.state is DocumentState.FAILED
    assert not at.exception
