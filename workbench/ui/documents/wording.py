"""How a document reads in a line: its state, its type, its size, its language."""

from workbench.domain.documents import Document, DocumentState
from workbench.domain.openings import Source
from workbench.domain.pages import Page
from workbench.domain.suggestions import Suggestion
from workbench.ui.text import visible

_WORDS = {
    DocumentState.QUEUED: "Waiting",
    DocumentState.READING: "Reading",
    DocumentState.CHUNKING: "Chunking",
    DocumentState.EMBEDDING: "Embedding",
    DocumentState.INDEXING: "Indexing",
    DocumentState.READY: "Ready",
    DocumentState.FAILED: "Failed",
    DocumentState.CANCELLED: "Cancelled",
}
PARTLY, HIDDEN, REPLACED, WORKING = "Partly readable", "Hidden", "Replaced", "Working"
READY, FAILED, CANCELLED = (
    _WORDS[each] for each in (DocumentState.READY, DocumentState.FAILED, DocumentState.CANCELLED)
)

_TYPES = {
    "PDF": "pdf",
    "Word": "docx docm doc odt rtf",
    "Excel": "xlsx xlsm xlsb xls ods",
    "Slides": "pptx pptm ppt odp",
    "CSV": "csv tsv tab",
    "Web page": "html htm",
    "Mail": "eml msg",
    "Text": "txt md markdown log",
    "Picture": "png jpg jpeg tif tiff bmp webp",
}
_TYPE_OF = {ending: word for word, endings in _TYPES.items() for ending in endings.split()}
LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "nl": "Dutch",
    "pt": "Portuguese",
    "pl": "Polish",
    "ru": "Russian",
    "uk": "Ukrainian",
    "cs": "Czech",
    "da": "Danish",
    "sv": "Swedish",
    "no": "Norwegian",
    "fi": "Finnish",
    "hu": "Hungarian",
    "ro": "Romanian",
    "tr": "Turkish",
    "el": "Greek",
    "zh": "Chinese",
    "ja": "Japanese",
    "ko": "Korean",
    "ar": "Arabic",
    "he": "Hebrew",
}
"""The languages offered to choose from, by their codes; a detected one may be another."""
_PAGE_WORDS = {"text": "Text", "ocr": "Recognised", "empty": "Empty", "no text": "No text"}


def state_word(state: DocumentState) -> str:
    return _WORDS[state]


def standing(document: Document) -> str:
    """The one word of the table: what a person must know first of a document."""
    if document.state is not DocumentState.READY:
        return state_word(document.state)
    if document.replaced_by is not None:
        return REPLACED
    if document.hidden:
        return HIDDEN
    return PARTLY if document.pages_without_text else READY


def state_of(document: Document) -> str:
    """The state in a few words; a ready document with pages that could not be read says so."""
    unread = len(document.pages_without_text)
    word = standing(document)
    return f"{word}, {unread:,} unread" if word == PARTLY else word


def unread_pages(document: Document) -> str:
    """Say which pages of a document hold nothing that can be searched."""
    pages = document.pages_without_text
    listed = ", ".join(str(page) for page in pages[:20]) + (" and others" if len(pages) > 20 else "")
    if len(pages) == 1:
        return f"Page {listed} has no readable text: it can be seen, but not searched."
    return f"Pages {listed} have no readable text: they can be seen, but not searched."


def standing_class(document: Document) -> str:
    """The style of the dot before :func:`standing`; grey for what no search finds."""
    found = document.searchable or document.state is not DocumentState.READY
    return state_class(document.state) if found else ""


def state_class(state: DocumentState) -> str:
    """The style of the dot before the word."""
    if state is DocumentState.READY:
        return "pc-ready"
    return "pc-working" if state.working else "pc-failed"


def type_word(document: Document) -> str:
    """What kind of file it is, by its ending; the ending itself where it has no better name."""
    _, dot, ending = document.display_name.rpartition(".")
    return _TYPE_OF.get(ending.lower(), ending.upper()[:8]) if dot else ""


def size_text(size: int) -> str:
    """A size in the unit that a file manager shows."""
    if size < 1000:
        return f"{size} B"
    for unit in ("KB", "MB"):
        size_in_unit = size / (1000 if unit == "KB" else 1_000_000)
        if size_in_unit < 999.5:
            return f"{size_in_unit:.0f} {unit}" if size_in_unit >= 10 else f"{size_in_unit:.1f} {unit}"
    return f"{size / 1_000_000_000:.1f} GB"


def language_name(code: str | None) -> str:
    return LANGUAGES.get(code, code) if code else ""


def shown_name(document: Document) -> str:
    """The name as a person reads it: nothing invisible is left in it."""
    return visible(document.display_name)


def suggestion_label(suggestion: Suggestion) -> str:
    return f"{suggestion.key}: {suggestion.value}"


def reason(suggestion: Suggestion) -> str:
    """Why something is suggested: the words it rests on and where they stand."""
    if suggestion.source is Source.NAME:
        return f"from the file name “{suggestion.quote}”"
    if suggestion.source is Source.TITLE:
        return f"from the title “{suggestion.quote}”"
    return f"“{suggestion.quote}” (p. {suggestion.page})"


def page_status(page: Page, unread: frozenset[int]) -> str:
    """How reading a page went. ``unread`` are the numbers of the pages without text, as an outline holds no text."""
    if page.number in unread:
        return _PAGE_WORDS["no text" if page.has_images else "empty"]
    return _PAGE_WORDS["ocr" if page.ocr else "text"]


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
