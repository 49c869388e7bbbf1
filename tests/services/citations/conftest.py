"""A turn with five sources from four documents, two of which share a name."""

from collections.abc import Mapping

import pytest

from workbench.domain.chunks import Chunk, ChunkKind, Segment, chunk_id
from workbench.domain.citations import Source
from workbench.domain.ids import ContainerId, DocumentId, Ref, ref

PAGE_5 = (
    "7.2 Payment. The Customer shall pay each correctly rendered invoice within forty-five (45) days of receipt. "
    "Late amounts bear interest at 4% per year above the base rate."
)
PAGE_6_END = "The Supplier shall indemnify the Customer against claims of third parties"
PAGE_7_START = "that the services infringe a patent or a copyright."


def source(
    number: int,
    document: str,
    pages: Mapping[int, str],
    *,
    title: str = "halden_msa.pdf",
    container: str = "Contracts",
    labels: Mapping[int, str] | None = None,
    offset: int = 100,
) -> Source:
    """A source whose text stands on ``pages``, on each from character ``offset`` on."""
    document_id = DocumentId(document)
    chunk = Chunk(
        id=chunk_id(document_id, number),
        document_id=document_id,
        container_id=ContainerId(f"con_{container.lower()}"),
        ordinal=number,
        kind=ChunkKind.TEXT,
        text="\n".join(pages.values()),
        segments=tuple(Segment(page=page, start=offset, end=offset + len(text)) for page, text in pages.items()),
    )
    return Source(
        ref=ref(number),
        chunk=chunk,
        title=title,
        container=container,
        labels=dict(labels or {}),
        call_id=f"call_{number}",
    )


@pytest.fixture
def turn() -> dict[Ref, Source]:
    """S1 and S2: page 5 of the Halden agreement. S3: its pages 6 and 7. S4: an order converted from Word, front matter.
    S5: another document with the Halden agreement's name, in another container."""
    sources = [
        source(1, "doc_halden", {5: PAGE_5}),
        source(
            2, "doc_halden", {5: "7.3 Disputes. The Customer may withhold amounts disputed in good faith."}, offset=400
        ),
        source(3, "doc_halden", {6: PAGE_6_END, 7: PAGE_7_START}),
        source(4, "doc_order", {6: "The monthly charge is EUR 1,200."}, title="Order [B].docx.pdf", labels={6: "iv"}),
        source(5, "doc_other", {2: "Invoices fall due after 60 days."}, container="Legal"),
    ]
    return {each.ref: each for each in sources}
