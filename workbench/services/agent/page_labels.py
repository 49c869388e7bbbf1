"""The labels that documents print on their pages, read once a document for a turn."""

from collections.abc import Callable, Iterable
from functools import cache

from workbench.domain.ids import DocumentId
from workbench.services.ports import LibraryStore

PageLabels = Callable[[DocumentId, Iterable[int]], dict[int, str]]
"""Gives the printed labels of some pages of a document; pages without one are left out."""


def page_labels(library: LibraryStore) -> PageLabels:
    @cache
    def of(document_id: DocumentId) -> dict[int, str]:
        pages = library.page_outlines(document_id)
        return {page.number: page.label for page in pages if page.label is not None}

    return lambda document_id, numbers: {n: of(document_id)[n] for n in numbers if n in of(document_id)}
