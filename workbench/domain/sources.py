"""Source blocks: how a passage is written for the model, and read back by the embedded one.

A block has one line a field, and its content follows with ``| `` before every line, so that no text of a document can
look like a field, a ref or an instruction of ours. What would read as a marker in a document is made harmless. Fields:
REF, TITLE, PAGE, CONTAINER, DOCUMENT, CONTEXT, CONTENT.
"""

from collections.abc import Iterable

from workbench.domain.citations import Source
from workbench.domain.ids import DocumentId, Ref
from workbench.domain.markers import neutral
from workbench.domain.values import Value

_FIELDS = ("REF", "TITLE", "PAGE", "CONTAINER", "DOCUMENT", "CONTEXT")


class SourceBlock(Value):
    """A block as read back. ``page`` is the label text, such as "12" or "iv (PDF 6)"."""

    ref: Ref
    title: str
    page: str
    container: str
    document: DocumentId
    context: str
    content: str


def format_block(source: Source) -> str:
    """Return the block of one source."""
    values = (
        source.ref,
        neutral(source.title),
        source.pages.replace("p. ", ""),
        source.container,
        source.chunk.document_id,
        neutral(source.chunk.context),
    )
    fields = [f"{name}: {_one_line(value)}" for name, value in zip(_FIELDS, values, strict=True)]
    content = [f"| {line}" for line in neutral(source.chunk.text).splitlines()]
    return "\n".join([*fields, "CONTENT:", *content])


def format_blocks(sources: Iterable[Source]) -> str:
    """Return the blocks of several sources, a blank line between."""
    return "\n\n".join(format_block(source) for source in sources)


def parse_blocks(text: str) -> list[SourceBlock]:
    """Read the blocks of a tool output; text around them (notes) is passed over."""
    blocks: list[SourceBlock] = []
    fields: dict[str, str] = {}
    content: list[str] = []

    def close() -> None:
        if all(name in fields for name in _FIELDS):
            blocks.append(
                SourceBlock(
                    ref=Ref(fields["REF"]),
                    title=fields["TITLE"],
                    page=fields["PAGE"],
                    container=fields["CONTAINER"],
                    document=DocumentId(fields["DOCUMENT"]),
                    context=fields["CONTEXT"],
                    content="\n".join(content),
                )
            )

    for line in text.split("\n"):
        name, separator, value = line.partition(": ")
        if line.startswith("| ") or line == "|":
            content.append(line[2:])
        elif separator and name in _FIELDS:
            if name == "REF":
                close()
                fields, content = {}, []
            fields[name] = value
    close()
    return blocks


def _one_line(text: str) -> str:
    return " ".join(text.split())
