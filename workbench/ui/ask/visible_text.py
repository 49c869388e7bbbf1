"""Makes text that others wrote safe to look at: nothing invisible may change what a reader believes to read."""

import re

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NEVER_SHOWN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters other than tab and newline
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use: no agreed meaning, and our own placeholders live there
    "\U000e0000-\U000e007f"  # tag characters, which hide text from the reader and not from a model
    "\ud800-\udfff]"  # halves of surrogate pairs cannot be sent as UTF-8
)


def visible(text: str) -> str:
    """Return ``text`` with direction overrides spelled out ("[U+202E]") and characters without a glyph taken out.

    Overrides are shown rather than dropped, because their presence in a contract is itself worth seeing.
    """
    return _BIDI.sub(lambda found: f"[U+{ord(found.group()):04X}]", _NEVER_SHOWN.sub("", text))


def one_line(text: str, limit: int) -> str:
    """Return ``text`` visible, on one line, and cut at a word near ``limit`` characters with an ellipsis."""
    flat = " ".join(visible(text).split())
    if len(flat) <= limit:
        return flat
    cut = flat[: limit - 1]
    head, separator, _ = cut.rpartition(" ")
    kept = head if separator and len(head) > limit // 2 else cut
    return kept.rstrip(" ,;:.-") + "…"
