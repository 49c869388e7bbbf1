"""The register of an answer's citations: one for each page of a document or each run of cells, in order of first mention."""

import unicodedata

from workbench.domain.citations import Citation, Source
from workbench.domain.documents import display_name
from workbench.domain.ids import DocumentId
from workbench.domain.pages import page_label


class CitationRegister:
    """Numbers citations and names their documents, each name for one document only.

    The first document cited under a name gets the name itself; a later one of the same name gets its container added, or a
    count where that does not tell it apart. Only what was cited before decides, so text that is already out stays right.
    """

    def __init__(self) -> None:
        self._citations: dict[tuple[DocumentId, int, str], Citation] = {}
        self._names: dict[DocumentId, str] = {}

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations.values())

    def cite(self, source: Source, page: int, quote: str, cells: str = "") -> Citation:
        """Return the citation of ``page`` of the source's document, with this source among its refs.

        ``cells`` names sheet and cells where the page shows a sheet: they take the place of the page in the label, and other
        cells of the same page are another citation.
        """
        key = (source.chunk.document_id, page, cells)
        known = self._citations.get(key)
        citation = self._new(source, page, quote, cells) if known is None else _with(known, source, quote)
        self._citations[key] = citation
        return citation

    def _new(self, source: Source, page: int, quote: str, cells: str) -> Citation:
        label = cells or page_label(page, source.labels.get(page))
        return Citation(
            number=len(self._citations) + 1,
            document_id=source.chunk.document_id,
            container_id=source.chunk.container_id,
            document=display_name(source.title),
            container=source.container,
            kind=source.chunk.kind,
            page=page,
            page_label=label,
            label=f"{self._name(source)}, {label}",
            quote=quote,
            refs=(source.ref,),
            call_ids=(source.call_id,) if source.call_id else (),
        )

    def _name(self, source: Source) -> str:
        document_id = source.chunk.document_id
        if document_id not in self._names:
            name = _one_line(display_name(source.title)) or "Untitled document"
            taken = {_folded(other) for other in self._names.values()}
            choices = [name, f"{name} ({_one_line(source.container)})"] if source.container else [name]
            choices += [f"{name} ({count})" for count in range(2, len(taken) + 3)]
            self._names[document_id] = next(choice for choice in choices if _folded(choice) not in taken)
        return self._names[document_id]


def _with(citation: Citation, source: Source, quote: str) -> Citation:
    return citation.model_copy(
        update={
            "quote": citation.quote or quote,
            "refs": tuple(dict.fromkeys((*citation.refs, source.ref))),
            "call_ids": tuple(dict.fromkeys(filter(None, (*citation.call_ids, source.call_id)))),
        }
    )


def _one_line(text: str) -> str:
    return " ".join("".join(" " if unicodedata.category(char) == "Cc" else char for char in text).split())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
