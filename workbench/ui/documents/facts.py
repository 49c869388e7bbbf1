"""The facts of one document in a few lines."""

from workbench.domain.documents import Container, Document
from workbench.ui.documents.wording import (
    count,
    language_name,
    shown_name,
    size_text,
    standing,
    standing_class,
    type_word,
)
from workbench.ui.text import escaped, visible


def head_html(document: Document) -> str:
    """Return the document's name, with the title found in it where that says more."""
    title = visible(document.title)
    below = f'<p class="pc-quiet">{escaped(title)}</p>' if title and title != shown_name(document) else ""
    return f'<h1 class="pc-title">{escaped(shown_name(document))}</h1>{below}'


def line_html(document: Document, container: Container) -> str:
    """Return container, state, version, type, size and day in one line."""
    word = standing(document)
    parts = [
        escaped(visible(container.name)),
        f'<span class="pc-state {standing_class(document)}">{escaped(word)}</span>',
        f"version {document.version}" if document.version > 1 or document.replaced_by else "",
        escaped(type_word(document)),
        count(document.page_count, "page") if document.page_count else "",
        size_text(document.size),
        f"added {document.uploaded_at:%-d %b %Y}",
        escaped(visible(language_name(document.language))),
        f"dated {document.dated:%-d %b %Y}" if document.dated else "",
    ]
    return f'<p class="pc-line">{" · ".join(part for part in parts if part)}</p>'
