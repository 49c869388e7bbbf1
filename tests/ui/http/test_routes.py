"""The routes: whole documents with ranges, pages as images and words, and headers that bound the page."""

import re
from collections.abc import Iterator

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
