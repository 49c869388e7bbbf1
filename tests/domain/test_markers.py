"""Markers: the documented table, every split of every example, and random text over a nasty alphabet."""

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.domain import markers
from workbench.domain.markers import Marker, MarkerParser, Part, Text, joined, neutral, parse

pytestmark = pytest.mark.req("CITE-2", "CITE-3")

ROW = re.compile(r"^ {4}(?P<written>\S.*?) {2,}(?P<refs>[S0-9:]\S*(?: S\d+)*)(?: {2,}.*)?$")


def documented() -> list[tuple[str, tuple[str, ...]]]:
    rows = [ROW.match(line) for line in (markers.__doc__ or "").splitlines()]
    return [(row["written"], tuple(row["refs"].split())) for row in rows if row]


EXAMPLES = documented()
ORDINARY = [
    "(S1)", "S1", "[1]", "[12]", "[Source 1]", "[Sources 1, 2]", "[S12345]", "[S1, 12]", "[Customer]", "[sic]", "[S1",
    "[Schedule A]", "array[Size] ok", "See [Schedule A] and [S", "[]", "[ ]", "[[", "\\[x\\]", "[S]", "[S-1]", "[S1.2]",
    "[S1\n]", "<S1>", "{S1}", "[link](https://example.invalid/S1)", "a private \ue001 glyph and \ue200 alone", "\\",
    "~", "``", "[" * 12, "[S1, S2, ", "[Source", "日本［注］",
]  # fmt: skip
IN_CODE = [
    "`[S1]`", "``a ` [S1]``", "```\n[S1]\n```", "```python\nx = a[S1]\n```\n", "~~~\n[S1]\n~~~", "> ```\n> [S1]\n> ```",
    "```\n[S1]", "````\n```\n[S1]\n````", "`[S1, S2](https://example.invalid)`",
]  # fmt: skip
LIVE = [
    ("`code` [S1]", ("S1",)),
    ("a stray ` tick [S1]\nnext", ("S1",)),
    ("a stray ` tick [S1] at the end", ("S1",)),
    ("``two [S1] ` one", ("S1",)),
    ("`[S1]`` two close no single one", ("S1",)),
    ("```\nx\n```\n[S1]", ("S1",)),
    ("~~~\nx\n~~~\n[S1]", ("S1",)),
    ("```one line``` [S1]", ("S1",)),
    ("a `" + "x" * 250 + "[S1]`", ("S1",)),
    ("\\`[S1]\\`", ("S1",)),
    ("![S1](https://example.invalid/x.png)", ("S1",)),
    ("[S1](https://example.invalid/a_(b)_c)", ("S1",)),
    ('[S1](/viewer "title") on', ("S1",)),
    ("[S1](a) the first", ("S1",)),
    ("[S1](see above) x", ("S1",)),
    ("[[S1] x]", ("S1",)),
    ("[S[S1]", ("S1",)),
    ("\ue200cite\ue202turn0search1\ue202turn0news2\ue201.", ("turn0search1", "turn0news2")),
    ("\ue200filecite\ue202turn0file1\ue202L1-L5\ue201", ("turn0file1", "L1-L5")),
    ("x \ue200cite\ue202turn0se", ("turn0se",)),
    ("**[S1]**: yes", ("S1",)),
]
EVERYTHING = [
    *(f"a {written}. b" for written, _ in EXAMPLES),
    *ORDINARY,
    *IN_CODE,
    *(text for text, _ in LIVE if len(text) < 60),
]


def refs(text: str) -> tuple[str, ...]:
    return tuple(ref for part in parse(text) if isinstance(part, Marker) for ref in part.refs)


def streamed(pieces: list[str]) -> list[Part]:
    """Feed the pieces, check what is put out on the way, and return the joined parts."""
    parser = MarkerParser()
    parts: list[Part] = []
    for piece in pieces:
        parts += parser.feed(piece)
    return list(joined([*parts, *parser.finish()]))


def raw(parts: list[Part]) -> str:
    return "".join(part.raw if isinstance(part, Marker) else part.text for part in parts)


def test_the_table_is_read() -> None:
    assert len(EXAMPLES) >= 30
    assert ("[S1]", ("S1",)) in EXAMPLES
    assert ("[S1](https://example.invalid/x)", ("S1",)) in EXAMPLES


@pytest.mark.parametrize(("written", "expected"), EXAMPLES)
def test_documented_marker(written: str, expected: tuple[str, ...]) -> None:
    assert parse(f"Due {written}. Next") == [Text("Due "), Marker(expected, written), Text(". Next")]


@pytest.mark.parametrize("text", [*ORDINARY, *IN_CODE])
def test_ordinary_text_and_code_are_no_markers(text: str) -> None:
    assert parse(text) == [Text(text)]


@pytest.mark.parametrize(("text", "expected"), LIVE)
def test_markers_beside_code_links_and_control_text(text: str, expected: tuple[str, ...]) -> None:
    assert refs(text) == expected


@pytest.mark.parametrize("text", EVERYTHING)
def test_every_split_gives_the_same_parts(text: str) -> None:
    whole = parse(text)
    assert raw(whole) == text
    assert streamed(list(text)) == whole
    for first in range(len(text) + 1):
        assert streamed([text[:first], text[first:]]) == whole
    for first, second in combinations(range(1, len(text)), 2):
        assert streamed([text[:first], text[first:second], text[second:]]) == whole


@pytest.mark.parametrize("written", [written for written, _ in EXAMPLES])
def test_no_part_of_a_marker_is_ever_put_out_as_text(written: str) -> None:
    parser = MarkerParser()
    shown = ""
    for char in f"ab {written}":
        for part in parser.feed(char):
            shown += part.text if isinstance(part, Text) else ""
            assert shown in ("a", "ab", "ab ")


@pytest.mark.parametrize(
    "text", ["[Customer", "[sic", "[12", "[Si", "[S1x", "[S12345", "(S1)", "[Sourced", "\\(x", "![x"]
)
def test_ordinary_text_is_released_at_the_first_character_that_rules_a_marker_out(text: str) -> None:
    assert raw(MarkerParser().feed(text)) == text


@pytest.mark.parametrize("text", ["a stray ` tick and ordinary words after it", "`code and more", "x [a] y `z` w"])
def test_words_in_and_after_backticks_are_not_held_back(text: str) -> None:
    assert raw(MarkerParser().feed(text)) == text


@pytest.mark.parametrize(
    "endless", ["[" + " " * 900, "[S1" + ", S1" * 300, "[S1](https://x/" + "a" * 4000, "`[S1]" + "x" * 900]
)
def test_what_is_held_back_is_bounded(endless: str) -> None:
    parser = MarkerParser()
    out = sum(len(raw(parser.feed(char))) for char in endless)
    assert len(endless) - out <= markers.MAX_ADDRESS


def test_a_cut_text_ends_before_the_marker_it_began() -> None:
    parser = MarkerParser()
    assert parser.feed("Fee is 9 [S") == [Text("Fee is 9 ")]
    assert parser.finish(cut=True) == [Marker((), "[S")]


def test_an_uncut_text_keeps_its_last_characters() -> None:
    assert parse("See [Schedule A] and [S") == [Text("See [Schedule A] and [S")]


@pytest.mark.parametrize("width", [49, 50, 51])
def test_ranges_up_to_fifty_are_expanded_and_wider_ones_are_their_ends(width: int) -> None:
    expected = tuple(f"S{n}" for n in range(1, width + 1)) if width <= 50 else ("S1", f"S{width}")
    assert refs(f"[S1-S{width}]") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yield was 8 [S2] per Ames [12].", "Yield was 8 (S2) per Ames [12]."),
        ("【S1】 and [S1, S3]", "(S1) and (S1, S3)"),
        ("no markers [here]", "no markers [here]"),
    ],
)
def test_neutral_text_of_a_document_holds_no_marker(text: str, expected: str) -> None:
    assert neutral(text) == expected
    assert refs(neutral(text)) == ()


ALPHABET = st.sampled_from(
    [
        *"[]sS12,;-– `~\n\\()\ue200\ue201\ue202†:p【】［］x😀",
        "[S1]",
        "[S1, S2]",
        "```\n",
        "`",
        "](http://e)",
        "turn0",
        "cite",
        "and ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(ALPHABET, max_size=40), st.data())
def test_random_text_splits_alike_and_loses_nothing(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    whole = parse(text)
    assert raw(whole) == text
    assert streamed(list(text)) == whole
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    edges = [0, *cuts, len(text)]
    assert streamed([text[low:high] for low, high in pairwise(edges)]) == whole


@settings(max_examples=150, deadline=None)
@given(st.lists(ALPHABET, max_size=30))
def test_neutral_text_never_cites(pieces: list[str]) -> None:
    once = neutral("".join(pieces))
    assert refs(once) == ()
    assert neutral(once) == once
