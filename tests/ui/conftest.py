"""A workbench of real parts in a directory of its own; only the embedding model is a fake."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.worker.reader import WorkerReader
from workbench.domain.documents import Container, Document
from workbench.domain.scope import Access
from workbench.domain.tags import Tag
from workbench.services.ingestion.jobs import Upload
from workbench.settings import Settings
from workbench.ui import process

MAIN = Path(__file__).parents[2] / "workbench" / "ui" / "main.py"
HOSTILE = "pay $5$ <b>now</b> :material/home: [x](y) _a_ -- b.pdf"


def make_pdf(*pages: str) -> bytes:
    """Return a PDF with one line of text a page."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for text in pages:
        canvas.drawString(72, 700, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


class Library:
    """A workbench with short ways to fill it."""

    def __init__(self, workbench: bootstrap.Workbench) -> None:
        self.workbench = workbench

    @property
    def access(self) -> Access:
        return self.workbench.library.access(bootstrap.LOCAL_USER)

    def container(self, name: str = "Contracts") -> Container:
        return self.workbench.library.ensure_container(self.access, name)

    def add(self, name: str, data: bytes, *tags: Tag, container: str = "Contracts") -> Document:
        """Take a file in and wait until it is ready or failed."""
        target = self.container(container)
        (outcome,) = self.workbench.ingestion.submit(self.access, target.id, [Upload(name, data, tags)])
        assert outcome.document_id is not None
        self.workbench.ingestion.wait([outcome.document_id], timeout=60)
        return self.workbench.library.document(self.access, outcome.document_id)

    def documents(self) -> list[Document]:
        containers = self.workbench.library.containers(self.access)
        return self.workbench.library.documents(self.access, [container.id for container in containers])


@pytest.fixture(scope="session", autouse=True)
def components_are_looked_for_once() -> Iterator[None]:
    """Each screen under test starts Streamlit anew, which reads the metadata of every installed package."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture
def library(tmp_path: Path, file_reader: WorkerReader) -> Iterator[Library]:
    workbench = bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder(), reader=file_reader)
    process.install(workbench)
    try:
        yield Library(workbench)
    finally:
        process.close()


@pytest.fixture
def open_screen() -> Callable[..., AppTest]:
    """Open a screen through the app's own frame, as a browser does."""

    def open_(name: str, **query: str) -> AppTest:
        at = AppTest.from_file(str(MAIN), default_timeout=30)
        at.switch_page(f"../../pages/{name}.py")
        for key, value in query.items():
            at.query_params[key] = value
        at.run()
        assert not at.exception, at.exception
        return at

    return open_


@pytest.fixture
def pdf() -> Callable[..., bytes]:
    return make_pdf
