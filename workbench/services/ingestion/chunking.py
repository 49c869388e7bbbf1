"""Chunking: a document's pages become passages that are exact slices of their text.

The rules:

- A chunk holds whole paragraphs while they fit; a new top-level section begins a new chunk, unless the last one is tiny.
- A paragraph longer than a chunk is cut between sentences, and the next chunk begins with the last one or two again.
- A sentence longer than a chunk is cut at a clause mark, else between words, else anywhere.
- A chunk stays on one page. Only a sentence that runs over the page break takes its chunk along, with a segment on each page.
- Rows of a table stay whole where they fit; a chunk that begins inside a table has the column names in its context line,
  also on the next page, and rows make room for them. A table of some size shares its chunk with no more than a
  heading or a line of text; a chunk that is mostly table is one of kind table.
- A heading never ends a chunk.
- A page that shows a part of a sheet is cut by rows, with the header in every chunk (see ``tabular``).
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial

from workbench.domain.chunks import Chunk, ChunkKind, chunk_id
from workbench.domain.documents import Document
from workbench.domain.pages import Page
from workbench.services.ingestion.context import MAX_CONTEXT_TOKENS, context_line
from workbench.services.ingestion.packing import Draft, pack
from workbench.services.ingestion.passages import passages
from workbench.services.ingestion.tabular import table_drafts
from workbench.services.ingestion.units import CountTokens, TokenCounter, Unit, halved, joined_text, merged

MAX_TOKENS = 200
"""The text of a chunk; with its context line it stays under the 256 tokens that the usual embedding model reads."""


def chunk(
    document: Document, pages: Sequence[Page], count_tokens: CountTokens, max_tokens: int = MAX_TOKENS
) -> list[Chunk]:
    """Return the chunks of a document in order, covering every character that is not white space.

    ``count_tokens`` counts as the embedding model does; no chunk's text has more than ``max_tokens`` of them.
    """
    texts = {page.number: page.text for page in pages}
    counter = TokenCounter(count_tokens, texts, max_tokens)
    context = cache(partial(context_line, document, counter.count))
    tables = [
        Chunk(
            id=chunk_id(document.id, ordinal),
            document_id=document.id,
            container_id=document.container_id,
            ordinal=ordinal,
            kind=ChunkKind.TABLE,
            text=joined_text(texts, table.segments),
            context=context((table.label,)),
            segments=table.segments,
            area=table.area,
        )
        for ordinal, table in enumerate(table_drafts(pages, counter))
    ]
    flowing = [page for page in pages if page.area is None]
    drafts = _within_limit(pack(passages(flowing, counter), max_tokens), texts, counter)
    return tables + [
        Chunk(
            id=chunk_id(document.id, ordinal),
            document_id=document.id,
            container_id=document.container_id,
            ordinal=ordinal,
            kind=ChunkKind.TABLE if draft.is_table else ChunkKind.TEXT,
            text=joined_text(texts, segments := merged(draft.units)),
            context=context(draft.headings, draft.columns, _room(draft, max_tokens)),
            segments=segments,
        )
        for ordinal, draft in enumerate(drafts, start=len(tables))
    ]


def _room(draft: Draft, max_tokens: int) -> int:
    """Return how long the context line may be: names of columns may use what the rows leave."""
    spare = max(max_tokens - sum(unit.tokens for unit in draft.units), 0) if draft.columns else 0
    return MAX_CONTEXT_TOKENS + spare


def _within_limit(drafts: Sequence[Draft], texts: Mapping[int, str], counter: TokenCounter) -> list[Draft]:
    """Return the drafts with those halved that are over the limit, because tokens of joined texts need not add up."""
    counts = counter.count([joined_text(texts, merged(draft.units)) for draft in drafts])
    fitting: list[Draft] = []
    for draft, tokens in zip(drafts, counts, strict=True):
        fitting += [draft] if tokens <= counter.limit else _within_limit(_halves(draft, counter.limit), texts, counter)
    return fitting


def _halves(draft: Draft, limit: int) -> list[Draft]:
    units = draft.units
    if len(units) == 1:
        segments = units[0].segments
        if len(segments) == 1 and segments[0].end - segments[0].start == 1:
            raise ValueError(f"one character counts more than {limit} tokens")
        units = [Unit((piece,), 0) for segment in segments for piece in halved(segment, len(segments) == 1)]
    middle = len(units) // 2
    return [draft._replace(units=units[:middle]), draft._replace(units=units[middle:])]
