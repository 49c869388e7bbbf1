"""The library as a user keeps it: upload, tag, accept, hide, look into one document, bring a new version, delete."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from reportlab.pdfgen.canvas import Canvas

from tests.e2e.conftest import App, Watch, start_app, stop_app
from tests.e2e.screen import open_screen, picture

pytestmark = pytest.mark.e2e

READ_IN = 120_000


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    started = start_app(tmp_path_factory.mktemp("library"))
    yield started
    stop_app(started)


def write_contract(path: Path, supplier: str, day: str) -> Path:
    """Write a contract of one page."""
    canvas = Canvas(str(path), invariant=True)
    lines = (
        "HOSTING AGREEMENT",
        f"Dated {day}",
        f"{supplier} (the Supplier) and Fernhill Clinics plc (the Customer)",
        "9.1 This Agreement is governed by the laws of Norway.",
    )
    for number, line in enumerate(lines):
        canvas.drawString(72, 720 - 40 * number, line)
    canvas.save()
    return path


def upload(page: Page, *files: Path) -> None:
    if page.get_by_role("button", name="Add documents").count():
        page.get_by_role("button", name="Add documents").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([str(file) for file in files])
    page.get_by_role("button", name=re.compile(rf"Add {len(files)} file")).click()
    expect(page.get_by_test_id("stFileUploaderDropzoneInput")).to_have_count(0)
    expect(page.locator(".pc-files")).to_be_hidden(timeout=READ_IN)


def select(page: Page, *rows: int) -> None:
    """Click the boxes of rows, from 0; the table is drawn on a canvas, so by place."""
    table = page.get_by_test_id("stDataFrame").first
    expect(table.locator("canvas").first).to_be_visible()
    for row in rows:
        table.click(position={"x": 15, "y": 52 + 35 * row})
    expect(page.get_by_text(re.compile(rf"{len(rows)} documents? selected"))).to_be_visible()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


@pytest.mark.req("LIB-2", "LIB-8")
def test_a_document_from_upload_to_receipt(app: App, page: Page, watch: Watch, artifacts: Path, tmp_path: Path) -> None:
    orlund = write_contract(tmp_path / "orlund.pdf", "Orlund Data AS", "4 May 2022")
    brask = write_contract(tmp_path / "brask.pdf", "Brask Drift AS", "1 June 2023")
    page.goto(f"{app.url}/documents")
    press(page, "or make a container of your own")
    dialog(page).get_by_role("textbox").fill("Suppliers")
    dialog(page).get_by_role("textbox").press("Enter")
    press(page, "Create")
    expect(dialog(page)).to_be_hidden()
    upload(page, orlund, brask)

    tag_both(page)
    accept_suggestions(page, artifacts)
    select(page, 0)
    press(page, "Hide")
    expect(page.get_by_role("button", name="Publish", exact=True)).to_be_visible()
    press(page, "Publish")
    expect(page.get_by_role("button", name="Hide", exact=True)).to_be_visible()

    upload(page, write_contract(tmp_path / "orlund.pdf", "Orlund Data AS", "9 July 2024"))
    expect(page.get_by_text("orlund.pdf is now version 2")).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    look_into_document(page, artifacts)
    open_screen(page, "Documents")
    select(page, 0, 1)
    press(page, "Delete")
    expect(dialog(page)).to_contain_text("1 earlier version")
    press(page, "Delete 2 documents")
    expect(page.get_by_text("orlund.pdf is deleted")).to_be_visible()
    picture(page, artifacts, "library-4-receipt")
    assert watch.errors == []
    assert watch.outside == []


def tag_both(page: Page) -> None:
    select(page, 0, 1)
    press(page, "Edit")
    box = dialog(page).get_by_label("Other tags to add")
    box.fill("project=Alba")
    box.press("Enter")
    expect(dialog(page).get_by_text("project=Alba").first).to_be_visible()
    box.press("Tab")  # closes the list of choices, behind which the rest of the dialog is out of reach
    dialog(page).get_by_role("button", name="Save").click()
    expect(dialog(page)).to_be_hidden()


def accept_suggestions(page: Page, artifacts: Path) -> None:
    """Accept all that is suggested for both documents at once."""
    press(page, "Suggestions")
    expect(dialog(page).get_by_text("8 suggestions for 2 documents.")).to_be_visible()
    picture(page, artifacts, "library-1-suggestions")
    press(page, "Accept 8 checked")
    expect(dialog(page)).to_be_hidden()
    page.keyboard.press("Escape")
    page.get_by_test_id("stDataFrame").first.click(position={"x": 15, "y": 52})
    page.get_by_test_id("stDataFrame").first.click(position={"x": 15, "y": 87})
    expect(page.get_by_text("2 documents, 2 pages")).to_be_visible()


def look_into_document(page: Page, artifacts: Path) -> None:
    """Open the side sheet and then the page of the new version; its address opens it again."""
    select(page, 0)
    press(page, "Details")
    expect(dialog(page).get_by_text("orlund.pdf").first).to_be_visible()
    picture(page, artifacts, "library-2-sheet")
    press(page, "Open its page")
    for heading in ("Report", "Labels", "Versions", "Jobs"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.reload()
    expect(page.get_by_text("Version 1, replaced")).to_be_visible()
    expect(page.get_by_text("supplier=Orlund Data")).to_be_visible()
    picture(page, artifacts, "library-3-document")
