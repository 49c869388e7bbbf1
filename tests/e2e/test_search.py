"""Searching without a model, in a browser: query, filters, open at a page, paging, Back, reload, a copied address."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from reportlab.pdfgen.canvas import Canvas

from tests.e2e.conftest import App, Watch
from tests.e2e.screen import picture

pytestmark = [pytest.mark.e2e, pytest.mark.req("FIND-10", "FIND-11", "CITE-10")]

READ = 120_000


def lease(file: Path, tenant: str) -> Path:
    """Write a lease whose every page is a passage about the deposit."""
    canvas = Canvas(str(file), invariant=True)
    for number in range(1, 8):
        canvas.drawString(
            72, 700, f"Clause {number}. The deposit of {tenant} is {number} months of rent <b>and</b> $5$."
        )
        canvas.showPage()
    canvas.save()
    return file


def results(page: Page) -> Locator:
    return page.locator(".pc-result-name")


def search(page: Page, words: str) -> None:
    box = page.get_by_placeholder("Search your documents")
    # Enter sends a form only once its button is there, which is drawn after the box.
    expect(page.locator("[class*='st-key-search-submit'] button")).to_be_visible()
    page.wait_for_function("document.pinciteSearchKeyboard?.listening")
    page.keyboard.press("/")
    expect(box).to_be_focused()
    box.fill(words)
    box.press("Enter")


def add_leases(app: App, page: Page, files: list[Path]) -> None:
    """Make the first container and put files into it."""
    page.goto(f"{app.url}/documents")
    page.get_by_role("button", name="or make a container of your own", exact=True).click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Leases")
    page.get_by_role("dialog").get_by_role("textbox").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Create|Make")).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([str(file) for file in files])
    page.get_by_role("button", name=f"Add {len(files)} files").click()
    expect(page.locator(".pc-files")).to_be_visible()
    expect(page.locator(".pc-files")).to_be_hidden(timeout=READ)


def test_from_query_to_page_and_back(
    app: App, browser: Browser, page: Page, watch: Watch, artifacts: Path, tmp_path: Path
) -> None:
    add_leases(app, page, [lease(tmp_path / f"{name}_lease.pdf", name) for name in ("aster", "briony")])
    page.goto(f"{app.url}/search")
    expect(page.get_by_placeholder("Search your documents")).to_be_visible()
    search(page, "deposit rent")
    expect(results(page)).to_have_count(10)
    expect(page.locator(".pc-excerpt mark").first).to_have_text("deposit")
    expect(page.locator(".pc-excerpt").first).to_contain_text("<b>and</b> $5$")
    first_page = results(page).all_inner_texts()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Page 2 of 2")).to_be_visible()
    expect(results(page)).not_to_have_count(10)
    assert not set(first_page) & set(results(page).all_inner_texts())
    page.go_back()
    expect(results(page)).to_have_count(10)
    assert results(page).all_inner_texts() == first_page

    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(results(page).nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("section.viewer .mark.active").first).to_be_visible()
    picture(page, artifacts, "search-open")
    address = page.url
    page.reload()
    expect(page.locator("section.viewer .mark.active").first).to_be_visible()
    expect(page.locator(".pc-result-open")).to_contain_text(first_page[1])
    page.go_back()
    expect(page.locator("section.viewer")).to_have_count(0)

    elsewhere = browser.new_context(viewport={"width": 1280, "height": 900})
    copied = elsewhere.new_page()
    copied.goto(address)
    expect(copied.locator("section.viewer .mark.active").first).to_be_visible()
    assert results(copied).all_inner_texts() == first_page
    elsewhere.close()

    page.get_by_placeholder("Search your documents").fill("zeppelin hangar")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Gaps")).click()
    expect(page.locator(".pc-topic")).to_contain_text("zeppelin hangar")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("No gaps")).to_be_visible()

    assert watch.errors == []
    assert watch.outside == []
