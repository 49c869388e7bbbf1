"""Claims: what each marker of an answer stands for, told from the text before it."""

import re

from workbench.domain.figures import without_figures
from workbench.domain.sentences import sentences

_WORD = re.compile(r"\w+")
_ENOUGH = 4
"""So many words make a part of a sentence a claim of its own."""
_LOOK_BACK = 4000


class Claims:
    """Follows the prose of an answer, without its markers, and tells the claim at the current place.

    A claim is the sentence before the marker, or the whole quotation that ends there. Where a sentence has several
    markers, each stands for the part since the one before; a part too short to be understood ("and 30 days") borrows the
    words of its sentence, but not the figures that belong to the earlier markers.
    """

    def __init__(self) -> None:
        self._prose = ""
        self._last_marker = 0
        self._claim = ""

    def text(self, text: str) -> None:
        """Take ordinary text of the answer."""
        self._prose += text

    def marker(self) -> str:
        """Return the claim of a marker that stands here. One right after another has the same claim."""
        if self._claim and not _WORD.search(self._prose, self._last_marker):
            return self._claim
        start = self._sentence_start()
        earlier = self._prose[start : self._last_marker]
        part = self._prose[max(start, self._last_marker) :].strip()
        if _WORD.search(earlier) and len(_WORD.findall(part)) < _ENOUGH:
            part = f"{without_figures(earlier).strip()} {part}"
        self._last_marker = len(self._prose)
        self._claim = part
        return part

    def _sentence_start(self) -> int:
        offset = max(0, len(self._prose) - _LOOK_BACK)
        starts = [
            start
            for start, end in sentences(self._prose[offset:])
            if _WORD.search(self._prose, offset + start, offset + end)
        ]
        return self._quote_start(offset, offset + (starts[-1] if starts else 0))

    def _quote_start(self, offset: int, start: int) -> int:
        """Go back to where a quotation opened that runs over several sentences and closed in this one."""
        opening = self._prose.rfind("“", offset, start)
        closed_here = self._prose.find("”", start)
        if opening < 0 or closed_here < 0 or "”" in self._prose[opening:start] or "“" in self._prose[start:closed_here]:
            return start
        return opening
