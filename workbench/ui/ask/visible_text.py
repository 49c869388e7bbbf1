"""Text that others wrote, on one line of a screen, with nothing invisible in it."""

from workbench.ui.text import visible

__all__ = ["one_line", "visible"]


def one_line(text: str, limit: int) -> str:
    """Return ``text`` visible, on one line, and cut at a word near ``limit`` characters with an ellipsis."""
    flat = " ".join(visible(text).split())
    if len(flat) <= limit:
        return flat
    cut = flat[: limit - 1]
    head, separator, _ = cut.rpartition(" ")
    kept = head if separator and len(head) > limit // 2 else cut
    return kept.rstrip(" ,;:.-") + "…"
