"""The sample documents: they can be made again, they hold what the manifest says, and the questions are right."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import unicodedata
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

import openpyxl
import pymupdf
import pytest

pytestmark = pytest.mark.req("LIB-10")

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "samples"
MANIFEST = json.loads((SAMPLES / "manifest.json").read_text(encoding="utf-8"))
FILES = {entry["file"]: entry for entry in MANIFEST["files"]}
PDFS = sorted(name for name in FILES if name.endswith(".pdf"))
QUESTIONS = [json.loads(line) for line in (SAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
SOURCES = [
    pytest.param(source, id=f"{question['id']}-{number}")
    for question in QUESTIONS
    for number, source in enumerate(question["documents"], 1)
]


def opened(name: str, folder: Path = SAMPLES) -> pymupdf.Document:
    return pymupdf.open(stream=(folder / name).read_bytes(), filetype="pdf")


@cache
def raw_pages(name: str) -> list[str]:
    with opened(name) as document:
        return [page.get_text() for page in document]


def raw_text(name: str, page: int) -> str:
    return raw_pages(name)[page - 1]


@cache
def readable(text: str) -> str:
    """The text as read: ligatures are letters, a word broken at a line end is one word, any space is one space."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"([a-z])-\n([a-z])", r"\1\2", text)
    return re.sub(r"\s+", " ", text).strip()


def trap_pages(name: str, trap: str) -> list[int]:
    found = [entry["pages"] for entry in FILES[name]["traps"] if entry["trap"] == trap]
    assert found, f"{name} does not name the trap '{trap}'"
    return found[0]


# Making the files again


@pytest.fixture(scope="session")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, str(SAMPLES / "build.py"), "--out", str(out)], check=True, timeout=120)
    return out


def same_libraries(folder: Path) -> bool:
    made = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return made["built_with"] == MANIFEST["built_with"]


def test_building_again_makes_the_same_files(rebuilt: Path) -> None:
    assert {path.name for path in rebuilt.iterdir()} == {*FILES, "manifest.json", "questions.jsonl"}


@pytest.mark.parametrize("name", sorted(FILES))
def test_building_again_makes_the_same_bytes(rebuilt: Path, name: str) -> None:
    same = (rebuilt / name).read_bytes() == (SAMPLES / name).read_bytes()
    if not same and not same_libraries(rebuilt):
        pytest.skip("the bytes are promised only for the library versions that the manifest names")
    assert same


def test_building_again_makes_the_same_manifest(rebuilt: Path) -> None:
    made = json.loads((rebuilt / "manifest.json").read_text(encoding="utf-8"))
    assert {**made, "built_with": None} == {**MANIFEST, "built_with": None}


@pytest.mark.parametrize("name", PDFS)
def test_building_again_makes_the_same_text_on_the_same_pages(rebuilt: Path, name: str) -> None:
    with opened(name, rebuilt) as again:
        assert [page.get_text() for page in again] == raw_pages(name)


def test_the_questions_come_out_the_same_with_any_libraries(rebuilt: Path) -> None:
    assert (rebuilt / "questions.jsonl").read_bytes() == (SAMPLES / "questions.jsonl").read_bytes()


# The manifest


def test_the_manifest_names_every_sample_and_nothing_else() -> None:
    apart = {".gitattributes", "ATTRIBUTION.md", "build.py", "manifest.json", "questions.jsonl"}
    present = {path.name for path in SAMPLES.iterdir() if path.is_file()} - apart
    assert present == set(FILES)


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_entry_is_complete(name: str) -> None:
    entry = FILES[name]
    assert entry["title"]
    assert set(entry["tags"]) == {"supplier", "document type", "region"}
    assert all(entry["tags"].values())
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", entry["date"])
    assert (entry["licence"], entry["author"]) == ("CC0-1.0", "Pincite contributors")
    assert entry["traps"]


def test_there_are_eight_agreements_and_two_amendments() -> None:
    kinds = Counter(FILES[name]["tags"]["document type"] for name in PDFS)
    assert kinds == {"Agreement": 8, "Amendment": 2}


def test_the_eight_agreements_come_from_eight_suppliers() -> None:
    agreements = [entry for entry in FILES.values() if entry["tags"]["document type"] == "Agreement"]
    assert len({entry["tags"]["supplier"] for entry in agreements}) == 8


@pytest.mark.parametrize("name", PDFS)
def test_page_counts_are_those_of_the_manifest_and_between_4_and_20(name: str) -> None:
    with opened(name) as document:
        assert document.page_count == FILES[name]["pages"]
        assert 4 <= document.page_count <= 20


def test_the_documents_are_small_and_under_a_free_licence() -> None:
    assert sum((SAMPLES / name).stat().st_size for name in PDFS) < 3_000_000
    text = (SAMPLES / "ATTRIBUTION.md").read_text(encoding="utf-8")
    assert "CC0" in text
    assert "fictional" in text


# The questions


def test_there_are_forty_questions_of_every_kind() -> None:
    assert [question["id"] for question in QUESTIONS] == [f"Q{number:02}" for number in range(1, 41)]
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert kinds == {"single": 24, "compare": 6, "amended": 4, "table": 2, "figure": 1, "absent": 2, "vague": 1}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_questions_have_as_many_sources_as_their_kind_needs(question: dict[str, object]) -> None:
    files = [source["file"] for source in question["documents"]]
    suppliers = {FILES[file]["tags"]["supplier"] for file in files}
    if question["kind"] in ("absent", "vague"):
        assert files == []
    elif question["kind"] == "compare":
        assert len(suppliers) == 3
    else:
        assert len(suppliers) == 1
    assert question["question"].endswith((".", "?"))
    assert question["answer"]


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q["kind"] == "amended"], ids=lambda q: q["id"])
def test_amended_questions_name_the_amendment_first_and_then_the_original(question: dict[str, object]) -> None:
    kinds = [FILES[source["file"]]["tags"]["document type"] for source in question["documents"]]
    assert kinds == ["Amendment", "Agreement"]


@pytest.mark.parametrize("source", SOURCES)
def test_each_quote_is_on_its_page_and_on_no_other(source: dict[str, object]) -> None:
    name = source["file"]
    if source["page"] in image_only_pages(name):
        return
    pages = enumerate(raw_pages(name), 1)
    holding = [number for number, text in pages if readable(source["quote"]) in readable(text)]
    assert holding == [source["page"]]


@pytest.mark.parametrize("source", SOURCES)
def test_labels_are_those_the_document_prints(source: dict[str, object]) -> None:
    with opened(source["file"]) as document:
        label = document[source["page"] - 1].get_label()
    assert source["label"] == (label if label and label != str(source["page"]) else None)


@cache
def image_only_pages(name: str) -> list[int]:
    with opened(name) as document:
        return [page.number + 1 for page in document if not page.get_text().strip() and page.get_images()]


# The traps


def test_halden_has_roman_front_matter_and_prints_its_labels() -> None:
    with opened("halden_cloud_msa_2024.pdf") as document:
        labels = [page.get_label() for page in document]
        assert labels == ["i", "ii", "iii", "1", "2", "3", "4", "5", "6", "7"]
        for page in list(document)[1:]:
            footer = page.get_text(clip=pymupdf.Rect(0, page.rect.height - 60, page.rect.width, page.rect.height))
            assert footer.strip() == page.get_label()


def test_the_table_of_contents_prints_the_labels_of_its_headings() -> None:
    name = "halden_cloud_msa_2024.pdf"
    contents = readable(raw_text(name, 2))
    with opened(name) as document:
        for _, heading, page in document.get_toc():
            assert f"{heading.replace(chr(39), chr(0x2019))} {document[page - 1].get_label()}" in contents


def test_a_sentence_runs_over_a_page_break() -> None:
    name = "halden_cloud_msa_2024.pdf"
    first, second = trap_pages(name, "sentence over a page break")
    assert second == first + 1
    assert "until payment. The Supplier may not" in readable(raw_text(name, first))
    assert "suspend the Services for late payment unless" in readable(raw_text(name, second))


def test_a_table_runs_over_a_page_break_without_repeating_its_header() -> None:
    name = "veltrano_devices_supply_agreement_2023.pdf"
    first, second = (readable(raw_text(name, page)) for page in trap_pages(name, "table over a page break"))
    header = "Code Product Class Unit of sale Price EUR"
    assert header in first
    assert header not in second
    assert "VT-1010" in first
    assert "VT-4030" in second


def test_the_scanned_page_is_one_grey_image_without_text() -> None:
    name = "brightmoor_cleaning_services_2024.pdf"
    (number,) = trap_pages(name, "image-only scanned page")
    assert image_only_pages(name) == [number]
    with opened(name) as document:
        ((_, _, width, _, _, colours, *_),) = document[number - 1].get_images()
        assert colours == "DeviceGray"
        assert 140 <= width / document[number - 1].rect.width * 72 <= 160


def test_the_turned_page_reads_across_once_its_rotation_is_applied() -> None:
    name = "noordvlam_energy_supply_2024.pdf"
    (number,) = trap_pages(name, "rotated page")
    with opened(name) as document:
        page = document[number - 1]
        assert page.rotation == 90
        assert page.mediabox.height > page.mediabox.width
        assert page.rect.width > page.rect.height
        assert page.get_label() == "A-1"
        lines = [line for block in page.get_text("dict")["blocks"] for line in block.get("lines", [])]
        turned = pymupdf.Matrix(page.rotation_matrix.a, page.rotation_matrix.b, *page.rotation_matrix[2:4], 0, 0)
        directions = {tuple(round(part) for part in pymupdf.Point(line["dir"]) * turned) for line in lines}
        assert directions == {(1, 0)}


def test_the_text_of_the_energy_agreement_holds_ligatures() -> None:
    name = "noordvlam_energy_supply_2024.pdf"
    with opened(name) as document:
        holding = [page.number + 1 for page in document if re.search("[\ufb01\ufb02]", page.get_text())]
    assert holding == trap_pages(name, "ligatures")
    assert "\ufb01xed price" in raw_text(name, 2)


def test_the_two_columns_stand_beside_each_other() -> None:
    name = "quillon_software_licence_2025.pdf"
    (number,) = trap_pages(name, "two-column page")
    with opened(name) as document:
        page = document[number - 1]
        middle = page.rect.width / 2
        body = [block for block in page.get_text("blocks") if 60 < block[1] < page.rect.height - 60]
        left = [block for block in body if block[2] < middle]
        right = [block for block in body if block[0] > middle]
    assert len(left) > 15
    assert len(right) > 15
    assert len(left) + len(right) == len(body)


def test_words_are_hyphenated_at_line_ends_with_a_real_hyphen() -> None:
    name = "quillon_software_licence_2025.pdf"
    (number,) = trap_pages(name, "words hyphenated at line ends")
    text = raw_text(name, number)
    assert len(re.findall(r"[a-z]-\n[a-z]", text)) >= 5
    assert "\u00ad" not in text
    assert "restric-\ntion" in text


@pytest.mark.parametrize(
    ("amendment", "original", "clauses"),
    [
        (
            "halden_cloud_amendment_1_2025.pdf",
            "halden_cloud_msa_2024.pdf",
            {
                "Clause 9.2 of the Agreement is deleted": ("forty-five (45) days", "9.2", "thirty (30) days"),
                "Clause 14.2 of the Agreement is deleted": ("EUR 3,000,000", "14.2", "one hundred per cent. (100%)"),
            },
        ),
        (
            "pinecrest_it_support_amendment_2_2025.pdf",
            "pinecrest_it_support_agreement_2023.pdf",
            {
                "Section 4.02 of the Agreement is hereby deleted": ("net thirty (30)", "4.02", "net forty-five (45)"),
                "In Section 8.02 of the Agreement": ("$1,200,000", "8.02", "$750,000"),
            },
        ),
    ],
)
def test_the_amendments_cite_the_clause_they_change(
    amendment: str, original: str, clauses: dict[str, tuple[str, str, str]]
) -> None:
    (page,) = trap_pages(amendment, "amending clause")
    changed = readable(raw_text(amendment, page))
    before = " ".join(readable(raw_text(original, page)) for page in trap_pages(original, "amended clause"))
    for citing, (new, number, old) in clauses.items():
        assert citing in changed
        assert new in changed
        assert re.search(rf"\b{re.escape(number)} .{{0,400}}{re.escape(old)}", before)
        assert new not in before


def test_a_clause_holds_dollar_signs_and_a_placeholder_in_angle_brackets() -> None:
    name = "pinecrest_it_support_agreement_2023.pdf"
    (page,) = trap_pages(name, "dollar signs and a placeholder in angle brackets")
    text = readable(raw_text(name, page))
    assert "<Customer Reference>-<Site Code>-<Month>" in text
    assert text.count("$") >= 3


def test_two_agreements_have_the_same_clause_number_with_another_value() -> None:
    trap = "same clause number, other value"
    values = {
        "halden_cloud_msa_2024.pdf": "thirty (30) days",
        "corrib_table_catering_2025.pdf": "twenty-one (21) days",
    }
    for name, value in values.items():
        (page,) = trap_pages(name, trap)
        assert re.search(
            rf"\b9\.2 The (Customer|Hospital) shall pay each .{{0,60}}{re.escape(value)}",
            readable(raw_text(name, page)),
        )


# The Office files


def test_the_workbook_has_formulas_with_values_a_merged_header_and_hidden_parts() -> None:
    data = (SAMPLES / "price_list_2025.xlsx").read_bytes()
    formulas = openpyxl.load_workbook(io.BytesIO(data))
    values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    cells = [cell for sheet in formulas for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    assert len(cells) > 30
    for cell in cells:
        assert isinstance(values[cell.parent.title][cell.coordinate].value, (int, float)), cell.coordinate
    assert [sheet.title for sheet in formulas if sheet.sheet_state == "hidden"] == ["Assumptions"]
    assert formulas["Services"].row_dimensions[5].hidden
    assert all(sheet.merged_cells.ranges for sheet in formulas)
    assert "\u20ac" in formulas["Overview"]["B3"].number_format


def test_the_totals_of_the_workbook_add_up() -> None:
    book = openpyxl.load_workbook(SAMPLES / "price_list_2025.xlsx", data_only=True)
    for name, column, last in (("Devices", "F", 12), ("Services", "F", 12), ("Energy", "E", 7), ("Overview", "B", 6)):
        sheet = book[name]
        parts = [sheet[f"{column}{row}"].value for row in range(3, last)]
        assert sheet[f"{column}{last}"].value == pytest.approx(sum(parts))


@pytest.mark.parametrize("name", ["price_list_2025.xlsx", "supplier_review_memo.docx"])
def test_the_office_files_carry_no_time_of_their_making(name: str) -> None:
    with zipfile.ZipFile(SAMPLES / name) as package:
        assert {info.date_time for info in package.infolist()} == {(2025, 5, 12, 9, 0, 0)}
        core = package.read("docProps/core.xml").decode("utf-8")
    assert set(re.findall(r"\d{4}-\d{2}-\d{2}T[\d:]+Z", core)) == {"2025-05-12T09:00:00Z"}
    assert "Pincite contributors" in core


def test_the_memo_states_what_an_amendment_changed_later() -> None:
    with zipfile.ZipFile(SAMPLES / "supplier_review_memo.docx") as package:
        body = package.read("word/document.xml").decode("utf-8")
    assert "30 days from receipt" in body
    assert FILES["supplier_review_memo.docx"]["date"] < FILES["halden_cloud_amendment_1_2025.pdf"]["date"]
