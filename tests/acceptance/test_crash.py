"""A process that takes files in is killed at every step and at random moments, and the library is what the files say."""

import os
from pathlib import Path

import pytest

from tests.bench.crash import BOUNDARIES, Totals, Zygote, campaign

KILLS = 2 * len(BOUNDARIES) + 1

pytestmark = [
    pytest.mark.req("LIB-6", "LIB-7", "LIB-8"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes to be killed are forked"),
]


def test_nothing_is_lost_doubled_or_half_visible_whenever_the_process_dies(tmp_path: Path) -> None:
    totals = Totals()
    with Zygote() as zygote:
        campaign(zygote, tmp_path / "library", KILLS, 2026, totals)
    assert totals.problems == []
    assert totals.kills.total() == KILLS
    assert totals.kills["at a step's boundary"] >= len(BOUNDARIES)
    # Something was there to compare: two new documents a wave, and the versions of them.
    assert totals.counts["documents"] >= 4 * totals.counts["waves"] > 0
    assert totals.counts["passages"] > totals.counts["documents"]
