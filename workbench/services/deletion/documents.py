"""The deletion of documents: record, pages and passages first, then both indexes, pictures and files."""

import logging
from collections.abc import Callable, Sequence
from functools import partial

from workbench.domain.deletions import DeletedDocument, Receipt, ReceiptItem, What, deleted_document
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import DocumentId
from workbench.services.deletion.steps import Keep, Step, kept, proved
from workbench.services.library import Library
from workbench.services.ports import Blobs, KeywordIndex, LibraryStore, PageRenderer, TableStore, VectorIndex

log = logging.getLogger(__name__)

_Part = Callable[[DeletedDocument, dict[What, ReceiptItem]], Sequence[ReceiptItem]]
_IN_STORE = (What.RECORD, What.PASSAGES, What.PAGES)


class DocumentPlan:
    """Deletes documents and counts what is left of each part.

    The record goes first: without it nothing is found, listed or opened any more, and an ingestion that is under way ends at
    its next step and removes its own rows. ``let_go`` waits for that end and tells whether it came.
    """

    def __init__(
        self,
        *,
        library: Library,
        store: LibraryStore,
        vectors: VectorIndex,
        keywords: KeywordIndex,
        tables: TableStore,
        blobs: Blobs,
        renderer: PageRenderer,
        let_go: Callable[[DocumentId], bool],
    ) -> None:
        self._library = library
        self._store = store
        self._indexes: dict[What, VectorIndex | KeywordIndex] = {What.VECTORS: vectors, What.KEYWORDS: keywords}
        self._vectors = vectors
        self._tables = tables
        self._blobs = blobs
        self._renderer = renderer
        self._let_go = let_go

    def items(self, document: Document) -> tuple[ReceiptItem, ...]:
        """Return the parts of a document, counted where that is possible at this moment."""
        about = deleted_document(document)
        counts: dict[What, int | None] = {**self._in_store(document.id)}
        counts |= {what: self._rows(what, about) for what in self._indexes}
        counts[What.TABLES] = self._tables.count(document.id)
        counts |= {what: int(self._is_there(content_hash)) for what, content_hash in _files(about).items()}
        counts[What.IMAGES] = self._renderer.kept(about.canonical_hash)
        return tuple(
            ReceiptItem(what=what, subject=document.id, name=_name(about), before=before)
            for what, before in counts.items()
        )

    def first(self, receipt: Receipt) -> list[Step]:
        """Hide all versions, so that none takes the place of another meanwhile, then remove their records."""
        hide = Step("hide", _keys(receipt.documents, _IN_STORE), partial(self._hide, receipt.documents))
        return [hide, *self._steps(receipt, "record", _IN_STORE, self._remove_record)]

    def rest(self, receipt: Receipt) -> list[Step]:
        steps: list[Step] = []
        for what in self._indexes:
            steps += self._steps(receipt, what.value, (what,), partial(self._remove_rows, what))
        steps += self._steps(receipt, What.TABLES.value, (What.TABLES,), self._remove_tables)
        for what in (What.ORIGINAL, What.PAGE_PDF):
            steps += self._steps(receipt, what.value, (what,), partial(self._remove_file, what))
        # Last: without the file no page is drawn any more.
        return steps + self._steps(receipt, What.IMAGES.value, (What.IMAGES,), self._clear_images)

    def _steps(
        self,
        receipt: Receipt,
        name: str,
        whats: tuple[What, ...],
        run: _Part,
    ) -> list[Step]:
        """Return a step for each document that has such parts."""
        steps: list[Step] = []
        for document in receipt.documents:
            items = {item.what: item for item in receipt.items if item.subject == document.id and item.what in whats}
            if items:
                keys = tuple(item.key for item in items.values())
                steps.append(Step(name, keys, partial(_without_keep, run, document, items)))
        return steps

    def _hide(self, documents: Sequence[DeletedDocument], _: Keep) -> Sequence[ReceiptItem]:
        for document in documents:
            self._library.change(document.id, hidden=True)
        return ()

    def _remove_record(self, document: DeletedDocument, items: dict[What, ReceiptItem]) -> Sequence[ReceiptItem]:
        before = self._in_store(document.id)
        self._library.remove(document.id)
        left = self._in_store(document.id)
        return [proved(item, before[what], left[what]) for what, item in items.items()]

    def _remove_rows(
        self, what: What, document: DeletedDocument, items: dict[What, ReceiptItem]
    ) -> Sequence[ReceiptItem]:
        self._require_end_of_work(document)
        index = self._indexes[what]
        before = self._counted(what, document)
        index.delete_document(document.container_id, document.id)
        return [proved(items[what], before, self._counted(what, document))]

    def _remove_tables(self, document: DeletedDocument, items: dict[What, ReceiptItem]) -> Sequence[ReceiptItem]:
        self._require_end_of_work(document)
        before = self._tables.count(document.id)
        self._tables.delete_document(document.id)
        return [proved(items[What.TABLES], before, self._tables.count(document.id))]

    def _clear_images(self, document: DeletedDocument, items: dict[What, ReceiptItem]) -> Sequence[ReceiptItem]:
        item, content_hash = items[What.IMAGES], document.canonical_hash
        before = self._renderer.kept(content_hash)
        users = self._library.users_of(content_hash) if before else []
        if users:
            return [kept(item, before, _used_by(users, document))]
        self._renderer.clear(content_hash)
        return [proved(item, before, self._renderer.kept(content_hash))]

    def _remove_file(
        self, what: What, document: DeletedDocument, items: dict[What, ReceiptItem]
    ) -> Sequence[ReceiptItem]:
        content_hash = _files(document)[what]
        before = int(self._is_there(content_hash))
        users = self._library.remove_file(content_hash)
        if users:
            return [kept(items[what], before, _used_by(users, document))]
        return [proved(items[what], before, int(self._is_there(content_hash)))]

    def _require_end_of_work(self, document: DeletedDocument) -> None:
        if not self._let_go(document.id):
            raise PinciteError(f"{document.display_name} is still being read in.")

    def _in_store(self, document_id: DocumentId) -> dict[What, int]:
        return {
            What.RECORD: int(self._store.document(document_id) is not None),
            What.PASSAGES: len(self._store.document_chunks(document_id)),
            What.PAGES: len(self._store.page_outlines(document_id)),
        }

    def _counted(self, what: What, document: DeletedDocument) -> int:
        """Count the rows of a document in an index: of vectors also those of embedding models before the present one."""
        rows = self._indexes[what].count(document.container_id, document.id)
        return rows + (self._vectors.former(document.container_id, document.id) if what is What.VECTORS else 0)

    def _rows(self, what: What, document: DeletedDocument) -> int | None:
        """Count the rows of a document in an index, None where it cannot be asked now."""
        try:
            return self._indexes[what].count(document.container_id, document.id)
        except Exception:
            # An index that is away does not keep anybody from deleting; its step will say so.
            log.exception("the rows of %s cannot be counted", document.id)
            return None

    def _is_there(self, content_hash: str) -> bool:
        try:
            self._blobs.path(content_hash)
        except NotFound:
            return False
        return True


def _without_keep(
    run: _Part, document: DeletedDocument, items: dict[What, ReceiptItem], _: Keep
) -> Sequence[ReceiptItem]:
    return run(document, items)


def _keys(documents: Sequence[DeletedDocument], whats: Sequence[What]) -> tuple[tuple[What, str], ...]:
    return tuple((what, document.id) for document in documents for what in whats)


def _files(document: DeletedDocument) -> dict[What, str]:
    """Return the files of a document by kind; a PDF is its own page PDF."""
    files = {What.ORIGINAL: document.content_hash, What.PAGE_PDF: document.canonical_hash}
    if document.canonical_hash == document.content_hash:
        del files[What.PAGE_PDF]
    return {what: content_hash for what, content_hash in files.items() if content_hash}


def _name(document: DeletedDocument) -> str:
    return document.display_name if document.version == 1 else f"{document.display_name} (version {document.version})"


def _used_by(users: Sequence[Document], document: DeletedDocument) -> str:
    """Say what else uses a file. What stands in another container is not named: the reader may not know of it."""
    named = sorted({each.display_name for each in users if each.container_id == document.container_id})
    return f"Also used by {', '.join(named)}." if named else "Also used by another document."
