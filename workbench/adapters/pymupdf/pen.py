"""The pen that draws single words and cells on a page, in whichever font has their characters."""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from workbench.adapters.pymupdf.engine import engine

_FONTS = ("cour", "cjk")


class Pen:
    """Writes text at ``size`` points; each page is opened with :meth:`on`. Hold the engine's lock."""

    def __init__(self, size: float) -> None:
        self._size = size
        self._fonts = [engine().Font(name) for name in _FONTS]
        self._known: dict[str, int | None] = {}
        self._page: Any = None
        self._writer: Any = None
        self._plain: list[str] = []
        self._used = False

    @contextmanager
    def on(self, page: Any) -> Iterator[None]:
        """Draw on a page; what was written appears when the block ends."""
        self._page, self._writer, self._plain, self._used = page, engine().TextWriter(page.rect), [], False
        yield
        if self._used:
            self._writer.write_text(page)
        if self._plain:
            self._add_plain(page)

    def write(self, text: str, box: tuple[float, float, float, float]) -> None:
        """Write one line of text into a box."""
        if text.isascii() and text.isprintable():
            escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            y = self._page.rect.height - box[1] - self._size
            self._plain.append(f"1 0 0 1 {box[0]:.2f} {y:.2f} Tm ({escaped}) Tj")
            return
        font = self._font(text)
        if font is not None:
            self._used = True
            self._writer.append((box[0], box[1] + self._size), text, font=font, fontsize=self._size)
            return
        # Shaped scripts and pictographs need MuPDF's HTML engine, which picks further fonts.
        style = f"font-size:{self._size}px;white-space:nowrap"
        self._page.insert_htmlbox(engine().Rect(*box), f'<div style="{style}">{html.escape(text)}</div>', scale_low=0)

    def _add_plain(self, page: Any) -> None:
        """Add the plain text as one stream of our own: a call into MuPDF for every cell takes minutes for a long sheet."""
        page.insert_font(fontname="cour")
        document, stream = page.parent, page.parent.get_new_xref()
        document.update_object(stream, "<<>>")
        document.update_stream(stream, f"BT /cour {self._size} Tf\n{chr(10).join(self._plain)}\nET".encode("ascii"))
        contents = " ".join(f"{xref} 0 R" for xref in (stream, *page.get_contents()))
        document.xref_set_key(page.xref, "Contents", f"[{contents}]")

    def _font(self, text: str) -> Any:
        """Return the first font that has every character, or None."""
        if text.isascii():
            return self._fonts[0]
        lacking = [self._first(character) for character in set(text)]
        worst = max((len(_FONTS) if first is None else first for first in lacking), default=0)
        if worst >= len(_FONTS):
            return None
        font = self._fonts[worst]
        return font if all(font.has_glyph(ord(character)) for character in set(text)) else None

    def _first(self, character: str) -> int | None:
        """Return the place of the first font that has a character."""
        if character not in self._known:
            self._known[character] = next(
                (index for index, font in enumerate(self._fonts) if font.has_glyph(ord(character))), None
            )
        return self._known[character]
