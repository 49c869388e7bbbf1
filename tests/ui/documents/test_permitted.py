"""What a reader, an editor and an owner are offered on the screens of documents, with the words for what is missing."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.documents.test_screen import labels, shown_html
from workbench.domain.documents import Document
from workbench.domain.rights import Access, Role
from workbench.domain.tags import Tag
from workbench.ui import process
from workbench.ui.documents import table

pytestmark = pytest.mark.req("LIB-1")

READER, EDITOR = "You are a reader here", "You are an editor here"
CHANGES = {"Hide", "Delete", "Save changes"}
OFFERED: dict[Role, tuple[set[str], str]] = {
    Role.READER: (set(), READER),
    Role.EDITOR: ({"Hide", "Save changes"}, EDITOR),
    Role.OWNER: (CHANGES, ""),
}


@pytest.fixture
def lease(library: Any, pdf: Callable[..., bytes]) -> Document:
    document: Document = library.add("lease.pdf", pdf("The rent"), Tag(key="supplier", value="<b>Acme"))
    return document


@pytest.fixture
def be(library: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[Role], None]:
    """Let the user of the screens have this role in every container there is."""

    def become(role: Role) -> None:
        held = library.access
        mine = Access(user_id=held.user_id, containers=held.containers, roles=dict.fromkeys(held.containers, role))
        monkeypatch.setattr(process, "local_access", lambda: mine)

    return become


def told(at: AppTest) -> str:
    return next((words for words in (READER, EDITOR) if words in shown_html(at)), "")


@pytest.mark.parametrize("role", Role)
def test_the_page_of_a_document_offers_what_the_role_permits(
    lease: Document, be: Callable[[Role], None], open_screen: Callable[..., AppTest], role: Role
) -> None:
    be(role)
    at = open_screen("document", document=lease.id)
    offered, words = OFFERED[role]
    assert CHANGES & set(labels(at)) == offered
    assert told(at) == words
    assert "Read" in labels(at)
    if role is Role.READER:
        assert "supplier=&lt;b&gt;Acme" in shown_html(at)
        assert not any(each.startswith("suggested.") for each in (button.key or "" for button in at.button))


@pytest.mark.parametrize("role", Role)
def test_the_table_offers_for_what_is_selected_what_the_role_permits(
    lease: Document,
    be: Callable[[Role], None],
    open_screen: Callable[..., AppTest],
    monkeypatch: pytest.MonkeyPatch,
    role: Role,
) -> None:
    be(role)
    monkeypatch.setattr(table, "show", list)  # all that is shown is selected: AppTest cannot choose rows
    at = open_screen("documents")
    offered = {
        Role.READER: set(),
        Role.EDITOR: {"Add documents", "Edit", "Hide"},
        Role.OWNER: {"Add documents", "Edit", "Hide", "Delete"},
    }
    assert set(labels(at)) & offered[Role.OWNER] == offered[role]
    assert told(at) == OFFERED[role][1]
    assert {"Details", "Read"} <= set(labels(at))


def test_a_reader_of_an_empty_container_gets_no_drop_zone(
    library: Any, be: Callable[[Role], None], open_screen: Callable[..., AppTest]
) -> None:
    library.container()
    be(Role.READER)
    at = open_screen("documents")
    assert not at.file_uploader
    assert any("Editors of the container add them" in each.value for each in at.text)


def test_documents_are_added_only_where_one_edits(
    library: Any, open_screen: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = library.container("Mine"), library.container("Theirs")
    roles = {mine.id: Role.EDITOR, theirs.id: Role.READER}
    access = Access(user_id=library.access.user_id, containers=frozenset(roles), roles=roles)
    monkeypatch.setattr(process, "local_access", lambda: access)
    at = open_screen("documents")
    (choice,) = [each for each in at.selectbox if each.label == "Container" and not each.key]
    assert choice.options == ["Mine"]
