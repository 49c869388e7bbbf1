"""A document with a fact on every page: each is found, cited and opened at its own page, first and last included."""

from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from tests.ui.ask.desk import search
from tests.ui.conftest import Library
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import say
from workbench.domain.documents import Document
from workbench.domain.pages import boxes_for
from workbench.settings import Settings
from workbench.ui import process
from workbench.ui.addresses import MentionAddress
from workbench.ui.session import Session
from workbench.ui.viewer import opened

pytestmark = pytest.mark.req("CITE-6", "CITE-7")

ONES = "zero one two three four five six seven eight nine ten eleven twelve".split()
NAMES = "Alder Birch Cedar Dogwood Elder Fir Ginkgo Hazel Ironwood Juniper Katsura Larch".split()
PREFACE = ("i", "ii", "iii", "iv")


def fact(number: int) -> str:
    return f"The {NAMES[number - 1]} warehouse on page {ONES[number]} holds {number * 111} barrels of tar."


def register() -> bytes:
    """Twelve pages, the first four with Roman labels; on each its number in words and one fact."""
    document = pymupdf.open()
    for number in range(1, len(NAMES) + 1):
        page = document.new_page()
        page.insert_text((72, 90), f"This is page {ONES[number]} of the register.")
        page.insert_text((72, 300), fact(number))
    document.set_page_labels(
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 4, "style": "D", "firstpagenum": 1}]
    )
    return document.tobytes()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The model asks for the fact of one page after the other, and tells it."""
    steps = [
        step
        for number in range(1, len(NAMES) + 1)
        for step in (search(f"{NAMES[number - 1]} warehouse barrels"), say(f"{fact(number)} [S1]"))
    ]
    home: Path = tmp_path_factory.mktemp("home")
    workbench = bootstrap.build(Settings(home=home), embedder=HashingEmbedder(), model=ScriptedModel(steps))
    process.install(workbench)
    try:
        yield Library(workbench)
    finally:
        process.close()


@pytest.fixture(scope="module")
def document(library: Library) -> Document:
    return library.add("register.pdf", register())


@pytest.mark.parametrize("number", range(1, len(NAMES) + 1))
def test_the_fact_of_every_page_opens_that_page_with_the_fact_marked(
    library: Library, document: Document, number: int
) -> None:
    talk = library.workbench.conversations.create(library.access, [document.container_id])
    turn = library.workbench.turns.wait(
        library.access, library.workbench.turns.ask(library.access, talk.id, f"What does {NAMES[number - 1]} hold?").id
    )
    found = opened.resolve(Session(library.workbench, library.access), MentionAddress(talk.id, turn.id, 0))
    assert (found.document.id, found.page) == (document.id, number)
    label = PREFACE[number - 1] if number <= 4 else str(number - 4)
    assert turn.answer.citations[0].page_label == f"p. {label} (PDF {number})"
    assert "".join(found.quote.split()) in "".join(fact(number).split())
    page = library.workbench.library.page(library.access, document.id, number)
    start = page.text.index(found.quote)
    (marked,) = [highlight for highlight in found.highlights if highlight.active]
    assert marked.page == number
    assert list(marked.boxes) == boxes_for(page, start, start + len(found.quote))
    assert all(280 < box.y0 < box.y1 < 310 for box in marked.boxes)
