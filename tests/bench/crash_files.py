"""The files of the crash test: small, of several kinds, and full of words that occur in one place only."""

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

import pymupdf

PARAGRAPHS = 24
_FILLER = (
    "clause agreement between the supplier and the customer about delivery payment and liability of each party".split()
)


class Action(NamedTuple):
    """What a user does: upload a version of a file, or delete it."""

    kind: str
    name: str
    version: int
    data: bytes = b""

    @property
    def line(self) -> str:
        return f"upload {self.name} {self.version}" if self.kind == "upload" else f"deleted {self.name}"


def wave(seed: int, number: int) -> Iterator[Action]:
    """Yield what happens in a wave: new files, a version of one that is in work, one of an older file, two deletions."""
    yield _upload(seed, f"first-{number}.txt", 1)
    yield _upload(seed, f"second-{number}.txt", 1)
    yield _upload(seed, f"scan-{number}.pdf", 1)
    yield _upload(seed, f"gone-{number}.txt", 1)
    yield _upload(seed, f"first-{number}.txt", 2)
    yield Action("delete", f"gone-{number}.txt", 1)
    if number:
        yield _upload(seed, f"second-{number - 1}.txt", 2)
        yield Action("delete", f"scan-{number - 1}.pdf", 1)


def files_of(seed: int, waves: int) -> tuple[dict[tuple[str, int], tuple[bytes, bool]], list[bytes]]:
    """Return what must be there after some waves, as bytes and whether they are current, and the bytes of what is gone."""
    there: dict[tuple[str, int], tuple[bytes, bool]] = {}
    gone: list[bytes] = []
    for number in range(waves):
        for action in wave(seed, number):
            if action.kind == "upload":
                for version in range(1, action.version):
                    there[action.name, version] = (there[action.name, version][0], False)
                there[action.name, action.version] = (action.data, True)
            else:
                gone.append(there.pop((action.name, action.version))[0])
    return there, gone


def terms(data: bytes) -> list[str]:
    """Return the words of a file that occur nowhere else."""
    if data.startswith(b"%PDF"):
        with pymupdf.open(stream=data, filetype="pdf") as pdf:
            text = "".join(page.get_text() for page in pdf)
    else:
        text = data.decode()
    return re.findall(r"\bzq[a-p]{12}\b", text)


def _upload(seed: int, name: str, version: int) -> Action:
    paragraphs = [_paragraph(f"{seed} {name} {version} {number}", number) for number in range(PARAGRAPHS)]
    return Action(
        "upload", name, version, _pdf(paragraphs) if name.endswith(".pdf") else "\n\n".join(paragraphs).encode()
    )


def _paragraph(key: str, number: int) -> str:
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    term = "zq" + "".join("abcdefghijklmnop"[int(digit, 16)] for digit in digest)
    return f"{number + 1}. The {term} " + " ".join(_FILLER * 3) + "."


def _pdf(paragraphs: list[str]) -> bytes:
    with pymupdf.open() as pdf:
        for start in range(0, len(paragraphs), 8):
            page = pdf.new_page()
            page.insert_textbox(pymupdf.Rect(50, 50, 545, 790), "\n\n".join(paragraphs[start : start + 8]), fontsize=8)
        # The same bytes on every run: neither a date nor a random id.
        pdf.set_metadata({})
        return bytes(pdf.tobytes(no_new_id=True))
