"""Chunks: the passages that are indexed and given to the model."""

from enum import StrEnum

from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.domain.tables import SheetArea
from workbench.domain.values import Value


class ChunkKind(StrEnum):
    TEXT = "text"
    TABLE = "table"


class Segment(Value):
    """Characters ``start`` to ``end`` of one page's text."""

    page: int
    start: int
    end: int


class Chunk(Value):
    """A passage of a document.

    ``text`` is the concatenation of the slices named by ``segments``, joined by one newline; a chunk that runs over a
    page break has a segment on each page. ``context`` is the document-level line that travels with the chunk. ``area`` names
    the cells of a chunk of a sheet.
    """

    id: ChunkId
    document_id: DocumentId
    container_id: ContainerId
    ordinal: int
    kind: ChunkKind = ChunkKind.TEXT
    text: str
    context: str = ""
    segments: tuple[Segment, ...]
    area: SheetArea | None = None

    @property
    def first_page(self) -> int:
        return self.segments[0].page

    @property
    def last_page(self) -> int:
        return self.segments[-1].page

    def on_pages(self, start: int, end: int) -> tuple[Segment, ...]:
        """Map characters ``start`` to ``end`` of ``text`` to the pages they stand on."""
        found: list[Segment] = []
        offset = 0
        for segment in self.segments:
            length = segment.end - segment.start
            low, high = max(start, offset), min(end, offset + length)
            if low < high:
                found.append(
                    Segment(page=segment.page, start=segment.start + low - offset, end=segment.start + high - offset)
                )
            offset += length + 1
        return tuple(found)

    @property
    def indexed_text(self) -> str:
        """The text that is embedded and indexed: the context line helps a passage that names no party or topic."""
        return f"{self.context}\n{self.text}" if self.context else self.text


def chunk_id(document_id: DocumentId, ordinal: int) -> ChunkId:
    """Return the id of a document's chunk. It is the same at every run, so a repeated step writes the same rows."""
    return ChunkId(f"{document_id}:{ordinal:05d}")
