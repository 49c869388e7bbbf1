"""Real contracts: the passages that lawyers marked are what the viewer marks when an answer quotes them."""

import json
import os
import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from workbench.adapters.pymupdf import PyMuPdfReader
from workbench.domain.chunks import Chunk
from workbench.domain.citations import CitedAnswer, Source
from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId, ref
from workbench.domain.pages import Box, Page, boxes_for
from workbench.services.citations.highlights import Highlights
from workbench.services.citations.writer import CitationWriter
from workbench.services.ingestion.chunking import chunk

CORPUS = os.environ.get("PINCITE_CORPUS", "")
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.req("CITE-7"),
    pytest.mark.skipif(not CORPUS, reason="PINCITE_CORPUS names no folder of real contracts"),
]
_LEFT_OUT = re.compile(r"<omitted>|Source: [^\n]*|Page \d+ of \d+")
ENOUGH = 0.9
"""The share of a marked passage's letters that must lie under the highlight; readers differ in punctuation and spaces."""
SAMPLED = 4
"""One letter of so many is looked at: boxes are those of words."""


class Plain(NamedTuple):
    """Letters and digits only, each with its place in the text: what may differ between two readers is left out."""

    text: str
    places: list[int]


class Contract(NamedTuple):
    pages: dict[int, Page]
    plain: dict[int, Plain]
    chunks: Sequence[Chunk]


@cache
def plain(text: str) -> Plain:
    letters = [
        (letter, place)
        for place, character in enumerate(text)
        for letter in unicodedata.normalize("NFKC", character).casefold()
        if letter.isalnum()
    ]
    return Plain("".join(letter for letter, _ in letters), [place for _, place in letters])


@cache
def contract(name: str) -> Contract:
    document_id = DocumentId("doc_1")
    read = PyMuPdfReader().read((Path(CORPUS) / name).read_bytes(), name, lambda done, total: None)
    document = Document(
        id=document_id, container_id=ContainerId("con_1"), name=name, uploaded_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    chunks = chunk(document, read.pages, lambda texts: [len(text) // 4 for text in texts])
    return Contract(
        {page.number: page for page in read.pages}, {page.number: plain(page.text) for page in read.pages}, chunks
    )


def quoted(there: Contract, passage: str, pages: Sequence[int]) -> CitedAnswer:
    """The answer that quotes a passage and cites every chunk of its pages that holds some of it."""
    wanted = plain(passage).text
    holding = [
        each
        for each in there.chunks
        if {segment.page for segment in each.segments} & set(pages) and shares(plain(each.text).text, wanted)
    ]
    sources = {
        ref(number): Source(ref=ref(number), chunk=each, title="contract.pdf", container="Contracts")
        for number, each in enumerate(holding, 1)
    }
    writer = CitationWriter(sources.get)
    writer.feed(f"It says: “{passage}” {''.join(f'[{name}]' for name in sources)}.")
    writer.finish()
    return writer.answer


def shares(text: str, wanted: str) -> bool:
    """Whether a text holds the passage, or a good part of it at either end."""
    part = wanted[: max(12, min(60, len(wanted) // 2))]
    rest = wanted[-max(12, min(60, len(wanted) // 2)) :]
    return wanted in text or text in wanted or part in text or rest in text


def covered(there: Contract, passage: str, pages: Sequence[int]) -> float:
    """The share of the passage's letters on its pages that lies under the highlight."""
    answer = quoted(there, passage, pages)
    marked: dict[int, set[Box]] = {}
    for highlight in Highlights(lambda _, number: there.pages.get(number)).for_answer(answer, DocumentId("doc_1")):
        marked.setdefault(highlight.page, set()).update(highlight.boxes)
    wanted = plain(_LEFT_OUT.sub(" ", passage)).text
    total = under = 0
    for number in pages:
        letters, places = there.plain.get(number, Plain("", []))
        at = letters.find(wanted)
        if at < 0:
            continue
        for place in places[at : at + len(wanted) : SAMPLED]:
            total += 1
            under += any(
                lies_in(box, marked.get(number, ())) for box in boxes_for(there.pages[number], place, place + 1)
            )
    return under / total if total else 0.0


def lies_in(box: Box, marked: Sequence[Box]) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return any(each.x0 <= x <= each.x1 and each.y0 <= y <= each.y1 for each in marked)


def test_what_lawyers_marked_is_what_is_highlighted() -> None:
    root = Path(CORPUS)
    rows = [json.loads(line) for line in (root / "contracts_qa.jsonl").read_text(encoding="utf-8").splitlines()]
    right, names, missed = 0, 0, []
    for row in rows:
        for span in row.get("spans") or ():
            pages = [span["page"], span["page"] + 1] if span["check"] == "cross" else [span["page"]]
            there = contract(row["doc"])
            parts = [part for part in _LEFT_OUT.split(span["text"]) if len(plain(part).text) >= 8]
            if not any(plain(part).text in there.plain[number].text for part in parts for number in pages):
                continue  # over a page break, or not on the page as we read it: the test of the reader counts those
            if len(re.findall(r"\w+", span["text"])) < 3:
                names += 1  # a name such as "the Customer" stands all over the page: there is no passage to mark
                continue
            shares_covered = [
                covered(there, part, pages)
                for part in parts
                if any(plain(part).text in there.plain[number].text for number in pages)
            ]
            if min(shares_covered) >= ENOUGH:
                right += 1
            else:
                missed.append(f"{row['doc']} p. {span['page']}: {min(shares_covered):.2f} {span['text'][:90]!r}")
    print(f"{right} of {right + len(missed)} marked passages are covered by the highlight")
    print(f"{names} more are names of one or two words")
    print(*missed, sep="\n")
    assert right >= 0.97 * (right + len(missed))
