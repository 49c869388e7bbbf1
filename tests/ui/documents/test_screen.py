"""The Documents screen, driven as a user does."""

import pytest

from workbench.domain.documents import DocumentState
from workbench.domain.tags import Tag
from workbench.ui.documents import table
from workbench.ui.documents.filtering import Column
from workbench.ui.state import Key

HALDEN, ACME = Tag(key="supplier", value="Halden"), Tag(key="supplier", value="Acme $5$")


def button(at, label):
    (found,) = [each for each in at.button if each.label == label]
    return found


def labels(at) -> list[str]:
    return [each.label for each in at.button]


def shown_html(at) -> str:
    return "\n".join(each.proto.body for each in at.get("html"))


def names(at) -> list[str]:
    return list(at.dataframe[0].value["Name"])


def wait_for_all(library) -> None:
    library.workbench.ingestion.wait([document.id for document in library.documents()], timeout=120)


@pytest.mark.req("LIB-10")
def test_an_empty_library_offers_the_samples_and_loads_them_in_one_click(library, open_screen) -> None:
    at = open_screen("documents")
    primary = [each for each in at.button if each.proto.type == "primary"]
    assert [each.label for each in primary] == ["Load the sample contracts"]
    primary[0].click().run()
    assert not at.exception
    (container,) = library.workbench.library.containers(library.access)
    assert container.name == "Sample contracts"
    assert len(names(at)) == len(library.documents()) >= 10
    assert 'role="progressbar"' in shown_html(at) or all(d.state.working is False for d in library.documents())


@pytest.mark.req("LIB-2")
def test_several_files_are_taken_in_with_their_tags_and_a_bad_one_says_why(library, open_screen, pdf) -> None:
    container = library.container("Legal")
    library.add("earlier.pdf", pdf("Three"), HALDEN, container="Legal")
    at = open_screen("documents")
    button(at, "Add documents").click().run()
    at.file_uploader[0].set_value(
        [
            ("a.pdf", pdf("One"), "application/pdf"),
            ("bad.pdf", b"%PDF-1.7 cut off", "application/pdf"),
            ("b.pdf", pdf("Two"), "application/pdf"),
        ]
    ).run()
    at.selectbox(key=f"{Key.UPLOAD_TAG}.supplier").set_value("Halden").run()
    button(at, "Add 3 files").click().run()
    assert not at.exception
    wait_for_all(library)
    at.run()
    states = {each.name: each.state for each in library.documents() if each.name != "earlier.pdf"}
    assert states == {"a.pdf": DocumentState.READY, "b.pdf": DocumentState.READY, "bad.pdf": DocumentState.FAILED}
    assert {each.name: each.tags for each in library.documents()} == dict.fromkeys([*states, "earlier.pdf"], (HALDEN,))
    assert {document.container_id for document in library.documents()} == {container.id}
    (bad,) = [document for document in library.documents() if document.state is DocumentState.FAILED]
    assert "1 document could not be used" in shown_html(at)
    assert bad.error
    assert "Add documents" in labels(at)  # the drop zone has shrunk to a button
    assert not at.file_uploader


def test_the_same_file_again_is_said_to_be_there(library, open_screen, pdf) -> None:
    library.add("a.pdf", pdf("One"))
    at = open_screen("documents")
    button(at, "Add documents").click().run()
    at.file_uploader[0].set_value([("again.pdf", pdf("One"), "application/pdf")]).run()
    button(at, "Add 1 file").click().run()
    assert "The same file is in this container already." in shown_html(at)
    assert len(library.documents()) == 1
    button(at, "Dismiss").click().run()
    assert "already" not in shown_html(at)


@pytest.mark.req("LIB-8")
def test_a_changed_file_is_announced_as_a_new_version(library, open_screen, pdf) -> None:
    library.add("orders.pdf", pdf("One"), HALDEN)
    at = open_screen("documents")
    button(at, "Add documents").click().run()
    at.file_uploader[0].set_value([("orders.pdf", pdf("Two"), "application/pdf")]).run()
    button(at, "Add 1 file").click().run()
    wait_for_all(library)
    at.run()
    assert "orders.pdf is now version 2" in shown_html(at)
    assert names(at) == ["orders.pdf"]
    assert list(at.dataframe[0].value["Version"]) == [2]
    assert [tag.value for each in library.documents() for tag in each.tags] == ["Halden"] * 2


def test_the_order_is_kept_and_can_be_turned(library, open_screen, pdf) -> None:
    for name in ("b.pdf", "a.pdf", "c.pdf"):
        library.add(name, pdf(name))
    at = open_screen("documents")
    assert names(at) == ["c.pdf", "a.pdf", "b.pdf"]
    at.selectbox(key=Key.DOCUMENT_SORT).set_value(Column.NAME).run()
    assert names(at) == ["a.pdf", "b.pdf", "c.pdf"]
    at.button(key="documents.sort.turn").click().run()
    at.run()
    assert names(at) == ["c.pdf", "b.pdf", "a.pdf"]


def test_words_and_tags_narrow_the_table(library, open_screen, pdf) -> None:
    library.add("halden.pdf", pdf("One"), HALDEN)
    library.add("acme.pdf", pdf("Two"), ACME)
    at = open_screen("documents")
    assert sorted(names(at)) == ["acme.pdf", "halden.pdf"]
    at.text_input(key=Key.DOCUMENT_WORDS).set_value("HALD").run()
    assert names(at) == ["halden.pdf"]
    at.text_input(key=Key.DOCUMENT_WORDS).set_value("").run()
    at.multiselect(key=Key.DOCUMENT_TAGS).set_value([("supplier", ACME.value)]).run()
    assert names(at) == ["acme.pdf"]
    at.text_input(key=Key.DOCUMENT_WORDS).set_value("halden").run()
    assert not at.dataframe
    assert [each.value for each in at.info] == ["No document matches the filter."]


@pytest.mark.req("LIB-2")
def test_selected_documents_get_and_lose_tags_a_date_and_a_language_together(library, open_screen, pdf) -> None:
    first, second = library.add("a.pdf", pdf("One"), HALDEN), library.add("b.pdf", pdf("Two"), ACME)
    at = open_screen("documents")
    select(at, library, [0, 1])
    button(at, "Edit").click().run()
    box(at, "Tags to remove").set_value([ACME])
    box(at, "Other tags to add").set_value(["project=Alba $5$"])
    choice(at, "Supplier").set_value("Halden")
    choice(at, "Language").set_value("de")
    press_in_dialog(at, "Edit", "Save")
    documents = [library.workbench.library.document(library.access, each.id) for each in (first, second)]
    assert [set(each.tags) for each in documents] == [{HALDEN, Tag(key="project", value="Alba $5$")}] * 2
    assert [each.language for each in documents] == ["de", "de"]


def test_deleting_says_what_goes_and_then_shows_the_receipt(library, open_screen, pdf) -> None:
    library.add("halden.pdf", pdf("One"), HALDEN)
    at = open_screen("documents")
    select(at, library, [0])
    button(at, "Delete").click().run()
    assert "<li>halden.pdf</li>" in shown_html(at)
    assert "keep their text" in "\n".join(each.value for each in at.markdown)
    press_in_dialog(at, "Delete", "Delete 1 document")
    assert library.documents() == []
    at.run()
    assert "halden.pdf is deleted" in shown_html(at)
    parts = [frame.value for frame in at.dataframe if "What became of it" in frame.value]
    assert "original file: halden.pdf" in list(parts[0]["Part"])
    button(at, "Dismiss").click().run()
    assert "halden.pdf is deleted" not in shown_html(at)


def test_a_tag_without_a_value_is_refused_in_words(library, open_screen, pdf) -> None:
    document = library.add("halden.pdf", pdf("One"), HALDEN)
    at = open_screen("documents")
    select(at, library, [0])
    button(at, "Edit").click().run()
    box(at, "Other tags to add").set_value(["supplier"])
    press_in_dialog(at, "Edit", "Save")
    assert "key\\=value" in at.error[0].value
    assert library.workbench.library.document(library.access, document.id).tags == (HALDEN,)


@pytest.mark.req("LIB-2")
def test_documents_are_hidden_and_published_again(library, open_screen, pdf) -> None:
    document = library.add("halden.pdf", pdf("One"), HALDEN)
    at = open_screen("documents")
    select(at, library, [0])
    assert "Publish" not in labels(at)
    button(at, "Hide").click().run()
    assert at.dataframe[0].value["State"][0] == ["Hidden"]
    assert library.workbench.library.document(library.access, document.id).hidden
    button(at, "Publish").click().run()
    assert not library.workbench.library.document(library.access, document.id).hidden


def test_a_new_container_is_made_and_chosen_and_a_taken_name_refused(library, open_screen) -> None:
    library.container("Legal")
    at = open_screen("documents")
    button(at, "New").click().run()
    at.text_input[-1].set_value("legal")
    press_in_dialog(at, "New", "Create")
    assert "legal" in at.error[0].value
    at.text_input[-1].set_value("Purchasing")
    press_in_dialog(at, "New", "Create")
    assert not at.exception
    made = library.container("Purchasing")
    at.run()
    assert at.session_state[Key.CONTAINER] == made.id


@pytest.mark.req("CITE-10")
def test_hostile_names_and_tags_are_shown_as_text(library, open_screen, pdf) -> None:
    name = "pay $5$ <b>now</b> :material/home: [x](y).pdf"
    document = library.add(name, pdf("One"), Tag(key="supplier", value="<i>A</i> $x$"))
    at = open_screen("documents")
    assert names(at) == [document.name]
    select(at, library, [0])
    button(at, "Delete").click().run()
    assert "<b>now" not in shown_html(at)
    assert "<i>A" not in shown_html(at)
    assert list(at.dataframe[0].value["Tags"][0]) == ["<i>A</i> $x$"]


def box(at, label):
    return next(each for each in at.multiselect if each.label == label)


def choice(at, label):
    return next(each for each in at.selectbox if each.label == label)


def select(at, library, rows: list[int]) -> None:
    """Select rows of the table, as a click on their boxes does."""
    at.session_state[table.selection_key(library.documents())] = {
        "selection": {"rows": rows, "columns": [], "cells": []}
    }
    at.run()


def press_in_dialog(at, opener: str, name: str) -> None:
    """Press a button of an open dialog. The test runs whole scripts only, so the dialog is opened again in the same run."""
    button(at, opener).click()
    button(at, name).click().run()
    assert not at.exception


@pytest.mark.req("LIB-6")
def test_what_the_reader_left_out_is_said_under_the_table(library, open_screen) -> None:
    lines = [
        "From: ana@example.org",
        "Subject: Fees",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "The fee is 9 euros.",
        "--b",
        "Content-Type: application/pdf",
        'Content-Disposition: attachment; filename="a<b>.pdf"',
        "",
        "x",
        "--b--",
    ]
    mail = "\r\n".join(lines).encode()
    library.add("fees.eml", mail)
    at = open_screen("documents")
    assert not at.exception
    assert "1 document with remarks of the reader" in shown_html(at)
    assert "a&lt;b&gt;.pdf" in shown_html(at)
