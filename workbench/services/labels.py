"""Labels: tags, dates, languages and visibility of many documents at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from workbench.domain.documents import Document
from workbench.domain.errors import PinciteError
from workbench.domain.ids import DocumentId
from workbench.domain.rights import Access, Action
from workbench.domain.tags import Tag
from workbench.services.library import Library

OnContext = Callable[[Document], None]
"""Called for a document whose passages say something in their context line that is no longer so."""


class Labels:
    """Changes what is known about documents. A document that is missing or not the user's raises NotFound."""

    def __init__(self, library: Library, on_context: OnContext = lambda _: None) -> None:
        self._library = library
        self._on_context = on_context

    def retag(
        self, access: Access, documents: Iterable[DocumentId], add: Sequence[Tag] = (), remove: Sequence[Tag] = ()
    ) -> list[Document]:
        """Take tags off documents and put others on; a tag that is there already is not added twice."""
        unwanted = {_compared(tag) for tag in remove}

        def change(document: Document) -> Mapping[str, Any]:
            kept = [tag for tag in document.tags if _compared(tag) not in unwanted]
            held = {_compared(tag) for tag in kept}
            return {"tags": (*kept, *(tag for tag in dict.fromkeys(add) if _compared(tag) not in held))}

        return self._edit(access, documents, change)

    def replace_tags(self, access: Access, document: DocumentId, tags: Sequence[Tag]) -> Document:
        """Give a document these tags and no others."""
        return self._edit(access, [document], lambda _: {"tags": tuple(dict.fromkeys(tags))})[0]

    def set_date(self, access: Access, documents: Iterable[DocumentId], dated: date | None) -> list[Document]:
        return self._edit(access, documents, lambda _: {"dated": dated})

    def set_language(self, access: Access, documents: Iterable[DocumentId], language: str | None) -> list[Document]:
        """Set the language as a code of ISO 639-1; None where it is not known."""
        if language is not None and not (len(language) == 2 and language.isascii() and language.isalpha()):
            raise PinciteError(f"{language!r} is not the code of a language.", "Use two letters, such as en or de.")
        return self._edit(access, documents, lambda _: {"language": language and language.lower()})

    def set_hidden(self, access: Access, documents: Iterable[DocumentId], hidden: bool) -> list[Document]:
        """Hide documents from every search, or publish them again. What was cited of them stays readable."""
        return self._edit(access, documents, lambda _: {"hidden": hidden})

    def apply(self, access: Access, document: DocumentId, change: Callable[[Document], Mapping[str, Any]]) -> Document:
        """Change one document by what it is now."""
        return self._edit(access, [document], change)[0]

    def _edit(
        self, access: Access, documents: Iterable[DocumentId], change: Callable[[Document], Mapping[str, Any]]
    ) -> list[Document]:
        ids = list(dict.fromkeys(documents))
        # All are there and may be changed, or none is changed.
        before = [self._library.document_for(access, each, Action.EDIT) for each in ids]
        after = [self._library.edit(access, each, change) for each in ids]
        for old, new in zip(before, after, strict=True):
            if old.tag("supplier") != new.tag("supplier"):
                self._on_context(new)
        return after


def _compared(tag: Tag) -> tuple[str, str]:
    return tag.key, tag.value.casefold()
