"""The routes: whole documents with ranges, pages as images and words, and headers that bound the page."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import openpyxl
import pymupdf
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from workbench.domain.documents import Document
from workbench.domain.scope import Access
from workbench.ui.http import page
from workbench.ui.http.headers import content_security_policy, inline_script_hashes
from workbench.ui.http.routes import MIDDLEWARE, ROUTES

FORMS = ("document.pdf", "original", "geometry.json", "find.json?q=page", "pages/1.img", "pages/1/words.json")


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE)) as client:
        yield client


@pytest.fixture
def document(library, pdf) -> Document:
    return library.add("Halden MSA.pdf", pdf("First page", "Payment falls due within 45 days"))


@pytest.mark.req("CITE-9")
def test_the_pdf_opens_in_the_browser_and_gives_ranges(client: TestClient, document: Document) -> None:
    whole = client.get(f"/documents/{document.id}/document.pdf", headers={"Accept-Encoding": "gzip"})
    assert whole.status_code == 200
    assert whole.headers["content-type"] == "application/pdf"
    assert whole.headers["content-disposition"].startswith("inline")
    assert whole.headers["content-encoding"] == "identity"
    assert whole.headers["x-content-type-options"] == "nosniff"
    part = client.get(f"/documents/{document.id}/document.pdf", headers={"Range": "bytes=0-4"})
    assert (part.status_code, part.content) == (206, b"%PDF-")
    assert part.headers["content-range"] == f"bytes 0-4/{len(whole.content)}"


@pytest.mark.req("CITE-9")
@pytest.mark.parametrize("form", FORMS)
def test_missing_and_forbidden_look_the_same(client: TestClient, document: Document, form: str, monkeypatch) -> None:
    missing = client.get(f"/documents/doc_none/{form}")
    monkeypatch.setattr(
        "workbench.ui.http.documents.current_access", lambda request: Access(user_id="x", containers=frozenset())
    )
    forbidden = client.get(f"/documents/{document.id}/{form}")
    assert missing.status_code == forbidden.status_code == 404
    assert missing.content == forbidden.content
    assert dict(missing.headers) == dict(forbidden.headers)


def test_every_page_has_a_size(client: TestClient, document: Document) -> None:
    answer = client.get(f"/documents/{document.id}/geometry.json").json()
    assert len(answer["sizes"]) == 2
    assert answer["sizes"][0] == pytest.approx([595.28, 841.89], abs=0.1)  # A4 in points
    assert answer["labels"] == {}


@pytest.mark.parametrize(("asked", "drawn"), [("400", 400), ("1", 100), ("99999999", 2400)])
def test_a_page_image_has_the_width_asked_for_within_bounds(
    client: TestClient, document: Document, asked: str, drawn: int
) -> None:
    answer = client.get(f"/documents/{document.id}/pages/2.img?w={asked}")
    assert answer.headers["content-type"].startswith("image/")
    assert pymupdf.Pixmap(answer.content).width == pytest.approx(drawn, abs=1)


def test_a_width_that_is_no_number_is_a_bad_request(client: TestClient, document: Document) -> None:
    assert client.get(f"/documents/{document.id}/pages/1.img?w=wide").status_code == 400


@pytest.mark.parametrize("path", ["pages/3.img", "pages/0.img", "pages/3/words.json", "pages/-1.img"])
def test_a_page_that_is_not_there_is_not_found(client: TestClient, document: Document, path: str) -> None:
    assert client.get(f"/documents/{document.id}/{path}").status_code == 404


def test_words_stand_on_their_page(client: TestClient, document: Document) -> None:
    words = client.get(f"/documents/{document.id}/pages/2/words.json").json()
    assert " ".join(word[5] for word in words) == "Payment falls due within 45 days"
    assert all(0 < x0 < x1 < 596 and 0 < y0 < y1 < 842 for x0, y0, x1, y1, *_ in words)


@pytest.mark.req("OPEN-6")
@pytest.mark.parametrize("path", ["/", "/documents", "/viewer", "/settings"])
def test_pages_may_fetch_from_here_only(client: TestClient, path: str) -> None:
    answer = client.get(path)
    policy = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == "'none'"
    assert "'unsafe-inline'" not in policy["script-src"]
    for sources in policy.values():
        assert not re.search(r"https?:|wss?:|\*", sources)
    assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.req("OPEN-6")
def test_every_script_in_the_page_itself_is_named_by_its_hash() -> None:
    hashes = inline_script_hashes(page.html())
    assert len(hashes) == page.html().count("<script>") >= 2
    assert all(each in content_security_policy() for each in hashes)
    assert "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" in inline_script_hashes("<script></script>")


@pytest.mark.req("OPEN-6")
def test_fonts_are_ours_with_their_licences(client: TestClient) -> None:
    font = client.get("/assets/fonts/inter-latin-wght-normal.woff2")
    assert font.content[:4] == b"wOF2"
    assert b"SIL Open Font License" in client.get("/assets/fonts/LICENSE-inter.txt").content
    assert b"SIL Open Font License" in client.get("/assets/fonts/LICENSE-jetbrains-mono.txt").content


@pytest.mark.parametrize("path", ["/assets/../theme.py", "/assets/%2e%2e/theme.py", "/assets/fonts/../../theme.py"])
def test_assets_do_not_lead_out_of_their_folder(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.req("CITE-9")
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("notice.html", b"<html><body><script>alert(1)</script><p>Notice of renewal.</p></body></html>"),
        ("notice.eml", b"From: a@b.example\nSubject: Notice\n\nThe lease is renewed."),
    ],
)
def test_what_could_be_active_is_a_download_and_nothing_else(
    client: TestClient, library, name: str, data: bytes
) -> None:
    kept = library.add(name, data)
    answer = client.get(f"/documents/{kept.id}/original")
    assert answer.content == data
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.req("CITE-9")
@pytest.mark.parametrize("form", FORMS)
def test_no_answer_may_be_kept_by_others_embedded_or_guessed_at(
    client: TestClient, document: Document, form: str
) -> None:
    headers = client.get(f"/documents/{document.id}/{form}").headers
    assert "private" in headers["cache-control"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.req("CITE-10")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Übersicht größe.pdf", "Übersicht größe.pdf"),
        ("契約 2031.pdf", "契約 2031.pdf"),
        ("договор.pdf", "договор.pdf"),
        ("re\u0301sume\u0301.pdf", "re\u0301sume\u0301.pdf"),
        ("deal 🤝.pdf", "deal 🤝.pdf"),
        ("invoice\u202efdp.pdf", "invoice[U+202E]fdp.pdf"),
    ],
)
def test_a_download_has_the_name_that_was_uploaded_with_overrides_visible(
    client: TestClient, library, pdf, name: str, shown: str
) -> None:
    kept = library.add("plain.pdf", pdf("Text"))
    library.workbench.library.change(kept.id, name=name)  # as an older version may have stored it
    disposition = client.get(f"/documents/{kept.id}/original").headers["content-disposition"]
    assert unquote(disposition.partition("filename*=utf-8''")[2]) == shown


@pytest.mark.req("CITE-7")
def test_words_are_found_in_the_document(client: TestClient, document: Document) -> None:
    answer = client.get(f"/documents/{document.id}/find.json", params={"q": "PÁYMENT  falls"}).json()
    assert answer == {"hits": [[2, 0, 13, "", "Payment falls", " due within 45 days"]], "total": 1}
    assert client.get(f"/documents/{document.id}/find.json", params={"q": "x" * 500}).status_code == 422


@pytest.fixture
def workbook(library) -> Document:
    """Two sheets; of the first a row and a column are hidden, of the second everything."""
    book = openpyxl.Workbook()
    prices = book.active
    prices.title = "Prices"
    for row in (["Item", "Price", "Total"], ["Buoy", 12.5, "=B2*2"], ["Rope", 3, "=B3*2"]):
        prices.append(row)
    prices.row_dimensions[3].hidden = True
    prices.column_dimensions["C"].hidden = True
    rates = book.create_sheet("Old\u202erates")
    rates.sheet_state = "hidden"
    rates.append(["Rate", "Value"])
    rates.append(["Discount", 7])
    rates.merge_cells("A4:B5")
    out = io.BytesIO()
    book.save(out)
    return library.add("prices.xlsx", out.getvalue())


@pytest.mark.req("CITE-8")
def test_a_spreadsheet_gives_its_sheets_and_rows_with_what_is_hidden_and_its_formulas(
    client: TestClient, workbook: Document
) -> None:
    prices, rates = client.get(f"/documents/{workbook.id}/sheets.json").json()
    assert (prices["name"], prices["hidden"], prices["rows"], prices["columns"]) == ("Prices", False, 3, 3)
    assert (prices["header"], prices["hiddenRows"], prices["hiddenColumns"]) == (1, [[3, 3]], [3])
    assert (rates["name"], rates["hidden"]) == ("Old[U+202E]rates", True)
    assert (prices["merged"], rates["merged"]) == ([], [[4, 1, 5, 2]])
    rows = client.get(f"/documents/{workbook.id}/sheets/1/rows.json?first=2&last=3").json()
    assert [row for row, _ in rows] == [2, 3]
    cells = {column: (text, kind, formula) for column, text, kind, formula in rows[0][1]}
    assert cells[1] == ("Buoy", "text", "")
    assert cells[2][:2] == ("12.5", "number")
    assert cells[3][2] == "=B2*2"


@pytest.mark.req("CITE-8")
@pytest.mark.parametrize("query", ["", "?first=1", "?first=0&last=3", "?first=a&last=3", "?first=1&last=999999999999"])
def test_rows_are_asked_for_by_numbers(client: TestClient, workbook: Document, query: str) -> None:
    assert client.get(f"/documents/{workbook.id}/sheets/1/rows.json{query}").status_code == 400


@pytest.mark.req("CITE-8", "CITE-9")
def test_cells_need_the_same_rights(client: TestClient, workbook: Document, document: Document, monkeypatch) -> None:
    assert client.get(f"/documents/{document.id}/sheets.json").json() == []
    assert client.get(f"/documents/{workbook.id}/sheets/3/rows.json?first=1&last=2").status_code == 404
    monkeypatch.setattr(
        "workbench.ui.http.documents.current_access", lambda request: Access(user_id="x", containers=frozenset())
    )
    for form in ("sheets.json", "sheets/1/rows.json?first=1&last=2"):
        forbidden, missing = (client.get(f"/documents/{each}/{form}") for each in (workbook.id, "doc_none"))
        assert (
            (forbidden.status_code, forbidden.content) == (missing.status_code, missing.content) == (404, b"Not found")
        )


@pytest.mark.req("CITE-7")
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_words_lie_over_their_ink_on_turned_pages(client: TestClient, library, turned: int) -> None:
    source = pymupdf.open()
    page = source.new_page(width=400, height=600)
    page.insert_text((60, 100), "The quay is closed in winter.")
    page.set_rotation(turned)
    kept = library.add(f"turned_{turned}.pdf", source.tobytes())
    words = client.get(f"/documents/{kept.id}/pages/1/words.json").json()
    assert " ".join(word[5] for word in words) == "The quay is closed in winter."
    width, _ = client.get(f"/documents/{kept.id}/geometry.json").json()["sizes"][0]
    picture = pymupdf.Pixmap(
        pymupdf.csRGB, pymupdf.Pixmap(client.get(f"/documents/{kept.id}/pages/1.img?w=800").content)
    )
    scale = picture.width / width
    ink = {(x, y) for x in range(picture.width) for y in range(picture.height) if picture.pixel(x, y)[0] < 128}
    for x0, y0, x1, y1, *_ in words:
        assert any(x0 * scale <= x <= x1 * scale and y0 * scale <= y <= y1 * scale for x, y in ink)
    covered = {
        (x, y)
        for x, y in ink
        if any(x0 - 2 <= x / scale <= x1 + 2 and y0 - 2 <= y / scale <= y1 + 2 for x0, y0, x1, y1, *_ in words)
    }
    assert len(covered) > 0.95 * len(ink)


@pytest.mark.req("CITE-9")
def test_no_screen_hands_documents_to_streamlits_own_file_store() -> None:
    """What is put there is served to anyone who has the address."""
    screens = Path(page.__file__).parents[1]
    for source in screens.rglob("*.py"):
        found = re.search(r"\bst\.(image|pdf|video|audio)\(", source.read_text(encoding="utf-8"))
        assert found is None, f"{source}: {found}"
