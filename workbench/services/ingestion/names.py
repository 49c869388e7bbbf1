"""Names of uploaded files. They are shown to people and never used as a path."""

import re
import unicodedata

MAX_LENGTH = 200
UNNAMED = "unnamed"
"""The name of a file that has none that can be shown."""


def safe_name(name: str) -> str:
    """Return a file's name for display: without folders, control and direction characters, at most 200 characters.

    The composed form (NFC) is kept, so that the same name typed on two systems is one name.
    """
    base = re.split(r"[/\\]", name.replace("\x00", "/"))
    last = next((part for part in reversed(base) if _visible(part) not in {"", ".", ".."}), "")
    visible = _visible(last) or UNNAMED
    if len(visible) <= MAX_LENGTH:
        return visible
    stem, dot, extension = visible.rpartition(".")
    if not dot or len(extension) > 10:
        return visible[:MAX_LENGTH]
    return f"{stem[: MAX_LENGTH - len(extension) - 1]}.{extension}"


def _visible(part: str) -> str:
    kept = "".join(
        " " if c.isspace() else c for c in part if c.isspace() or unicodedata.category(c) not in {"Cc", "Cf", "Cs"}
    )
    return unicodedata.normalize("NFC", " ".join(kept.split()))
