"""Documents by name: in full where there is room, short on a chip, and never one name for two documents of an answer."""

from pathlib import PurePath

from workbench.domain.citations import Citation
from workbench.domain.documents import display_name
from workbench.ui.ask.visible_text import one_line, visible

SHORT_TITLE = 30
_GAP = " … "


def full_name(citation: Citation) -> str:
    """Return the name that the answer's citations give this document: where two share one, it says which is meant."""
    return visible(citation.name or display_name(citation.document))


def short_name(citation: Citation) -> str:
    """Return the short title, with what tells the document from another of the same name."""
    name, document = full_name(citation), visible(display_name(citation.document))
    addition = one_line(name.removeprefix(document), SHORT_TITLE) if name.startswith(document) else ""
    return f"{short_title(citation.document)} {addition}".rstrip()


def short_title(document: str) -> str:
    """Return a document's name without extension and underscores. A long one keeps its beginning and its last word, which
    is where the names of a series differ."""
    shown = display_name(document)
    stem = PurePath(shown).stem or shown
    title = " ".join(visible(stem).replace("_", " ").split())
    if len(title) <= SHORT_TITLE:
        return title
    *words, last = title.split(" ")
    room = SHORT_TITLE - len(_GAP) - len(last)
    head = one_line(" ".join(words), max(room, 1) + 1).rstrip("…")
    return f"{head}{_GAP}{last}" if room >= len(last) and head else one_line(title, SHORT_TITLE)
