"""Marked-up text laid out as a PDF by MuPDF's own HTML engine."""

import io
from collections.abc import Iterator, Sequence
from typing import Any

from workbench.adapters.pymupdf.engine import LOCK, engine
from workbench.domain.errors import TooLarge
from workbench.services.ports import Flow

_A4 = (595.0, 842.0)
_SLIDE = (792.0, 446.0)
_MARGIN = 54.0
_PART = 60_000
"""Characters laid out at a time: the time of a layout grows faster than its length."""
_CSS = """
body { font-family: sans-serif; font-size: 10px; line-height: 1.3; }
h1 { font-size: 17px; } h2 { font-size: 14px; } h3 { font-size: 12px; } h4, h5, h6 { font-size: 11px; }
p { margin: 0 0 8px 0; } td p { margin: 0; } pre { font-family: monospace; font-size: 8px; white-space: pre-wrap; }
table { border-collapse: collapse; margin: 8px 0 12px 0; }
td, th { border: 1px solid #999; padding: 2px 20px 2px 4px; }
"""


def draw(flow: Flow, name: str, max_pages: int) -> bytes:
    """Return the PDF of a flow; raise TooLarge where it takes more than ``max_pages``."""
    with LOCK:
        pymupdf = engine()
        target = io.BytesIO()
        pages = _Pages(pymupdf.DocumentWriter(target), name, max_pages)
        for section in flow.sections:
            if flow.slides:
                pages.slide("".join(section))
            else:
                pages.end()
                for part in _parts(section):
                    pages.flow(part)
        pages.end()
        pages.writer.close()
        document = pymupdf.open(stream=target.getvalue(), filetype="pdf")
        document.subset_fonts()
        pdf: bytes = document.tobytes(garbage=3, deflate=True)
        document.close()
    return pdf


def _parts(section: Sequence[str]) -> Iterator[str]:
    """Join blocks to parts that are quick to lay out. A block longer than that is a part by itself."""
    held: list[str] = []
    size = 0
    for block in section:
        if held and size + len(block) > _PART:
            yield "".join(held)
            held, size = [], 0
        held.append(block)
        size += len(block)
    if held:
        yield "".join(held)


class _Pages:
    """A PDF being written. A part goes on where the one before ended."""

    def __init__(self, writer: Any, name: str, max_pages: int) -> None:
        self.writer = writer
        self._name = name
        self._max_pages = max_pages
        self._count = 0
        self._device: Any = None
        self._top = 0.0

    def flow(self, text: str) -> None:
        """Lay a part out, over as many pages as it takes."""
        story = engine().Story(text, user_css=_CSS)
        more, stuck = 1, 0
        while more:
            if self._device is None:
                self._begin(*_A4)
            fresh = self._top == _MARGIN
            more, filled = story.place(engine().Rect(_MARGIN, self._top, _A4[0] - _MARGIN, _A4[1] - _MARGIN))
            story.draw(self._device)
            self._top = filled[3]
            stuck = stuck + 1 if more and fresh and filled[3] <= _MARGIN else 0
            if more or self._top > _A4[1] - _MARGIN - 30:
                self.end()
            if stuck > 2:
                raise TooLarge(f"{self._name} holds something too large for a page.", "Save it as PDF and upload that.")

    def slide(self, text: str) -> None:
        """Lay a slide out on one page, which grows with what stands on it."""
        self.end()
        width, height = _SLIDE
        while True:
            story = engine().Story(text, user_css=_CSS)
            more, _ = story.place(engine().Rect(_MARGIN, _MARGIN / 2, width - _MARGIN, height - _MARGIN / 2))
            if not more or height > 10_000:
                break
            height *= 1.5
        self._begin(width, height)
        story.draw(self._device)
        self.end()

    def _begin(self, width: float, height: float) -> None:
        self._count += 1
        if self._count > self._max_pages:
            raise TooLarge(
                f"{self._name} takes more than {self._max_pages} pages, which is the limit.",
                "Split it into smaller files, or ask the operator to raise the limit.",
            )
        self._device = self.writer.begin_page(engine().Rect(0, 0, width, height))
        self._top = _MARGIN

    def end(self) -> None:
        """End the page, if one is begun."""
        if self._device is not None:
            self.writer.end_page()
            self._device = None
