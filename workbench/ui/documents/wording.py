"""How the state of a document reads."""

from workbench.domain.documents import Document, DocumentState

_WORDS = {
    DocumentState.QUEUED: "Waiting",
    DocumentState.READING: "Reading",
    DocumentState.CHUNKING: "Chunking",
    DocumentState.EMBEDDING: "Embedding",
    DocumentState.INDEXING: "Indexing",
    DocumentState.READY: "Ready",
    DocumentState.FAILED: "Failed",
}


def state_word(state: DocumentState) -> str:
    return _WORDS[state]


def state_of(document: Document) -> str:
    """The state in a few words; a ready document with pages that could not be read says so."""
    unread = len(document.pages_without_text)
    if document.state is DocumentState.READY and unread:
        return f"Ready, {unread:,} unread"
    return state_word(document.state)


def unread_pages(document: Document) -> str:
    """Say which pages of a document hold nothing that can be searched."""
    pages = document.pages_without_text
    listed = ", ".join(str(page) for page in pages[:20]) + (" and others" if len(pages) > 20 else "")
    if len(pages) == 1:
        return f"Page {listed} has no readable text: it can be seen, but not searched."
    return f"Pages {listed} have no readable text: they can be seen, but not searched."


def state_class(state: DocumentState) -> str:
    """The style of the dot before the word."""
    if state is DocumentState.READY:
        return "pc-ready"
    return "pc-failed" if state is DocumentState.FAILED else "pc-working"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
