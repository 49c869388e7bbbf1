"""Citations: sources a turn gathered, the citations of its answer, and where each stands in the text."""

from pydantic import Field

from workbench.domain.chunks import Chunk, ChunkKind, Segment
from workbench.domain.ids import ContainerId, DocumentId, Ref
from workbench.domain.pages import pages_label
from workbench.domain.values import Value


class Source(Value):
    """A passage given to the model in this turn, under its ref id.

    ``labels`` maps each page of the passage to the label that the document prints, where it prints one. ``call_id`` names
    the tool call that found it first.
    """

    ref: Ref
    chunk: Chunk
    title: str
    container: str
    labels: dict[int, str] = Field(default_factory=dict)
    call_id: str = ""

    @property
    def pages(self) -> str:
        """Where it stands, for people: "p. 12", "p. iv (PDF 6)"; of a sheet its name and cells, "Prices A5:F40"."""
        if self.chunk.area is not None:
            return self.chunk.area.label
        return pages_label(self.chunk.first_page, self.chunk.last_page, self.labels)


class Citation(Value):
    """One cited page of one document, or cells of one sheet. A page cited five times is one citation.

    ``number`` counts from 1 in order of first mention. ``label`` is what people read ("halden_msa.pdf, p. 12",
    "prices.xlsx, Prices B5:B9") and ends in ``page_label``; ``page`` is the page that the citation opens, also of cells.
    ``call_ids`` name the tool calls that found the passages.
    """

    number: int
    document_id: DocumentId
    container_id: ContainerId
    document: str
    container: str
    kind: ChunkKind
    page: int
    page_label: str
    label: str
    quote: str
    refs: tuple[Ref, ...]
    call_ids: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The document's name in this answer: where two documents share one, it tells which is meant."""
        return self.label.removesuffix(self.page_label).rstrip(" ,")


class Mention(Value):
    """One place of the answer that cites: characters ``start`` to ``end`` of the final text, in Unicode code points.

    ``spans`` are the characters of the page texts that support the claim, on one page or on two; they are empty where no
    passage could be located, and then no highlight is shown. ``quote`` is the text of the spans, verbatim.
    """

    start: int
    end: int
    citation: int
    refs: tuple[Ref, ...]
    quote: str = ""
    spans: tuple[Segment, ...] = ()


class CitedAnswer(Value):
    """The final text of an answer with its unique citations and the position map.

    ``text`` is Markdown in which each marker of the model stands as a readable label in square brackets, covered by a
    mention. ``unknown_refs`` are markers that named no source of this turn; they were taken out of the text.
    """

    text: str = ""
    citations: tuple[Citation, ...] = ()
    mentions: tuple[Mention, ...] = ()
    unknown_refs: tuple[str, ...] = ()

    def extended(self, text: str, mentions: tuple[Mention, ...], citations: tuple[Citation, ...]) -> "CitedAnswer":
        """Return the answer with its next piece: ``mentions`` are offsets in the whole text, ``citations`` are new ones."""
        return self.model_copy(
            update={
                "text": self.text + text,
                "mentions": (*self.mentions, *mentions),
                "citations": (*self.citations, *citations),
            }
        )

    def citation(self, number: int) -> Citation:
        return self.citations[number - 1]
