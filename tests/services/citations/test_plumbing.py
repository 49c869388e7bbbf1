"""Nothing of where code ran reaches a reader: paths, links, names of containers and files, marks of the provider."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workbench.domain.events import AnswerDelta
from workbench.services.citations.plumbing import Plumbing, without_plumbing
from workbench.services.citations.writer import CitationWriter

pytestmark = pytest.mark.req("TOOL-9")

HABITS = [
    ("See [Download the totals](sandbox:/mnt/data/totals.csv).", "See [Download the totals]."),
    ("[/mnt/data/totals.csv](sandbox:/mnt/data/totals.csv)", "[totals.csv]"),
    ("![Chart of costs](sandbox:/mnt/data/chart (1).png) above", "![Chart of costs] above"),
    ("[figures](sandbox:/mnt/data/Q1 figures (v2).csv) follow", "[figures] follow"),
    ("It is in /mnt/data/a/b/out.xlsx.", "It is in out.xlsx."),
    ("Saved under `/mnt/data/out.csv`, sorted.", "Saved under `out.csv`, sorted."),
    ("The folder /mnt/data holds it.", "The folder holds it."),
    ("link sandbox:/mnt/data/x.png end", "link x.png end"),
    ("Ran in container cntr_68ab01cdef23 (cfile_68ab01cdef99).", "Ran in container."),
    ("Ran in `cntr_68ab01cdef23`.", "Ran in."),
    ("The sum of tables[\"ledger\"] and tables['due dates'].", "The sum of ledger and due dates."),
    ("Read from /in/table0.jsonl now", "Read from the table now"),
    ("Wrote /tmp/run-x8s/part.csv there", "Wrote part.csv there"),
]
ORDINARY = [
    "Ordinary text, with (brackets) and [square ones] and a [link](https://example.com/mnt/data/x).",
    "Schedule tables [1] and tables[0]; sandbox: a pit of sand; the /mnt drive and /in/ or /input/table.",
    "cntr_1 is short, /mnt/database is another, and 【S1】 is a marker.",
    "a\n[not\nclosed](sandbox",
    "Wow! [x] (y) `code` \t end ",
]


def streamed(pieces: list[str]) -> str:
    plumbing = Plumbing()
    return "".join([*map(plumbing.feed, pieces), plumbing.finish()])


@pytest.mark.parametrize(("text", "shown"), HABITS)
def test_the_habits_of_providers_and_sandboxes(text: str, shown: str) -> None:
    assert without_plumbing(text) == shown


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert without_plumbing(text) == text


@pytest.mark.parametrize("text", [text for text, _ in HABITS])
def test_no_part_of_plumbing_is_ever_shown(text: str) -> None:
    plumbing = Plumbing()
    shown = ""
    for character in text:
        shown += plumbing.feed(character)
        for part in ("sandbox", "/mn", "cntr", "cfile", "](", "tables[", "/tmp", "/in"):
            assert part not in shown
    shown += plumbing.finish()
    assert shown == without_plumbing(text)


@given(
    parts=st.lists(
        st.sampled_from([*(text for text, _ in HABITS), *ORDINARY, "[S1]", " ", "\n", "sandbox:/mn", "(", "`"])
    ),
    cuts=st.lists(st.integers(0, 400)),
)
@example(parts=["sandbox:", "/mnt/data"], cuts=[8])
def test_every_split_gives_the_same_text(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert streamed(pieces) == streamed([text])
    assert streamed(list(text)) == streamed([text])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See sandbox:/mn", "See"),
        ("See /mnt/d", "See"),
        ("[the totals](sandbox:/mnt/data/to", "[the totals]"),
        ("See the sand", "See the"),
        ("It is in the t", "It is in the t"),
    ],
)
def test_where_the_model_was_cut_off_no_beginning_is_left(text: str, shown: str) -> None:
    plumbing = Plumbing()
    assert (plumbing.feed(text) + plumbing.finish(cut=True)).rstrip() == shown


def test_the_answer_that_streams_is_the_one_that_is_stored() -> None:
    writer = CitationWriter(lambda ref: None)
    text = "The sum is 7【4:0†source】. [Get it](sandbox:/mnt/data/sum.csv) from cntr_0123456789."
    deltas = [delta for character in text if (delta := writer.feed(character))]
    last = writer.finish()
    shown = "".join(delta.text for delta in [*deltas, *([last] if isinstance(last, AnswerDelta) else [])])
    assert shown == writer.answer.text == "The sum is 7. [Get it] from."
