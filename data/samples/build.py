"""Builds the sample contracts, the two Office files, the questions and the manifest.

``python data/samples/build.py [--out FOLDER]`` writes the same bytes each time, given the same versions of the
libraries named under ``built_with`` in the manifest.
"""

from __future__ import annotations

import argparse
import json
import zlib
from importlib.metadata import version
from pathlib import Path

from generator.catalogue import AUTHOR, CATALOGUE, LICENCE
from generator.layout import build_pdf
from generator.markup import parse
from generator.memo import build_memo
from generator.questions import read_pages, records
from generator.typography import LOOKS, register_fonts
from generator.workbook import build_workbook

HERE = Path(__file__).resolve().parent
LIBRARIES = ("reportlab", "pymupdf", "pillow", "openpyxl", "python-docx")


def build_documents() -> dict[str, bytes]:
    """All PDFs by file name."""
    register_fonts()
    texts = HERE / "generator" / "texts"
    return {f"{name}.pdf": build_pdf(parse(texts / f"{name}.txt"), look) for name, look in LOOKS.items()}


def manifest(documents: dict[str, bytes]) -> dict[str, object]:
    """What the manifest says about every file."""
    built_with = {library: version(library) for library in LIBRARIES}
    built_with["zlib"] = zlib.ZLIB_RUNTIME_VERSION
    files = []
    for entry in CATALOGUE:
        pages = len(read_pages(documents[entry.file]).texts) if entry.file in documents else None
        files.append(entry.record(pages))
    return {"licence": LICENCE, "author": AUTHOR, "built_with": built_with, "files": files}


def build(out: Path) -> None:
    """Write everything to ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    documents = build_documents()
    files = {
        **documents,
        "price_list_2025.xlsx": build_workbook(),
        "supplier_review_memo.docx": build_memo(),
        "manifest.json": (json.dumps(manifest(documents), indent=2, ensure_ascii=False) + "\n").encode(),
        "questions.jsonl": "".join(
            json.dumps(record, ensure_ascii=False) + "\n" for record in records(documents)
        ).encode(),
    }
    for name, data in files.items():
        (out / name).write_bytes(data)


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description="Build the sample contracts.")
    parser.add_argument("--out", type=Path, default=HERE, help="where to write (default: beside this file)")
    build(parser.parse_args().out)


if __name__ == "__main__":
    main()
