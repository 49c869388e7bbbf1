"""Real contracts: the passages that lawyers marked are found on the pages where they found them."""

import json
import os
import re
import unicodedata
from pathlib import Path

import pytest

from workbench.adapters.pymupdf import PyMuPdfReader

CORPUS = os.environ.get("PINCITE_CORPUS", "")
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.req("CITE-7"),
    pytest.mark.skipif(not CORPUS, reason="PINCITE_CORPUS names no folder of real contracts"),
]
_LEFT_OUT = re.compile(r"<omitted>|Source: [^\n]*|Page \d+ of \d+")


def plain(text: str) -> str:
    """Keep letters and digits only: what may differ between two readers of one page is left out."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def test_marked_passages_stand_on_their_pages() -> None:
    root = Path(CORPUS)
    rows = [json.loads(line) for line in (root / "contracts_qa.jsonl").read_text(encoding="utf-8").splitlines()]
    names = sorted({row["doc"] for row in rows})
    reader = PyMuPdfReader()
    pages = {
        name: [
            plain(page.text) for page in reader.read((root / name).read_bytes(), name, lambda done, total: None).pages
        ]
        for name in names
    }
    found = total = 0
    for row in rows:
        for span in row.get("spans") or ():
            last = span["page"] + (span["check"] == "cross")
            text = "".join(pages[row["doc"]][span["page"] - 1 : last])
            total += 1
            found += all(plain(part) in text for part in _LEFT_OUT.split(span["text"]))
    print(f"{found} of {total} marked passages found on their pages")
    assert found >= 0.97 * total
