"""The reading frame: the page turned, and set straight, so that its text runs from left to right and downwards."""

import math
from typing import NamedTuple

from workbench.domain.pages import Box


class Frame(NamedTuple):
    """How the reading frame lies on a page of ``width`` and ``height`` as displayed.

    ``turn`` is how most of the text runs: 0 across, 90 upwards, 180 upside down, 270 downwards. ``skew`` is the angle, in
    radians, by which a scanned page's lines fall beyond that.
    """

    width: float
    height: float
    turn: int = 0
    skew: float = 0.0

    @property
    def reading_height(self) -> float:
        return self.width if self.turn in (90, 270) else self.height

    def box(self, box: Box) -> Box:
        """Return a displayed box in the reading frame."""
        if self.skew:
            box = self._straightened(box)
        if self.turn == 90:
            return Box(self.height - box.y1, box.x0, self.height - box.y0, box.x1)
        if self.turn == 180:
            return Box(self.width - box.x1, self.height - box.y1, self.width - box.x0, self.height - box.y0)
        if self.turn == 270:
            return Box(box.y0, self.width - box.x1, box.y1, self.width - box.x0)
        return box

    def _straightened(self, box: Box) -> Box:
        """Turn a box's centre about the page's; the box itself keeps its sides."""
        x, y = (box.x0 + box.x1) / 2 - self.width / 2, (box.y0 + box.y1) / 2 - self.height / 2
        sine, cosine = math.sin(-self.skew), math.cos(self.skew)
        x, y = self.width / 2 + x * cosine - y * sine, self.height / 2 + x * sine + y * cosine
        half_width, half_height = (box.x1 - box.x0) / 2, (box.y1 - box.y0) / 2
        return Box(x - half_width, y - half_height, x + half_width, y + half_height)
