"""The viewer in a browser: a citation's page and passage by every way there is to it, and the reader's tools.

The provider is the shipped fake one; the documents are made here, so that each page is known.
"""

import io
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pymupdf
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.conftest import SOON, App, Watch, start_app, stock, stop_app
from tests.e2e.screen import ask, chips, picture, question_box
from tests.e2e.slow_provider import SlowProvider
from tests.ui.ask.desk import search
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.fakes.responses_server import running
from workbench.adapters.fakes.steps import say

pytestmark = [pytest.mark.e2e, pytest.mark.req("CITE-9")]

BOOK, SCANNED, BIG, FEES = "harbour_register.pdf", "scanned_lease.pdf", "photographs.pdf", "fees.xlsx"
BERTHS = ("Aldgate", "Bexley", "Camden", "Dulwich", "Ealing", "Fulham", "Greenwich", "Hackney", "Islington", "Kew")
QUESTION = "Which berths are let?"
QUERY = "berth let to Greenwich Dulwich Kew"
SENTENCE = "The arrangement may be renewed by the café on the quay"
ANSWER = f"{SENTENCE} [S1]. Of the other berth it says the same: the arrangement may be renewed by the café on the quay [S2]."
"""What it says stands on every berth's page, so it holds whichever page is found first."""
READS_SCANS = shutil.which("tesseract") is not None
PIECES_BEFORE_THE_GATE = 10
FERRY = "The ferry to Zennor leaves the pier at noon on weekdays"
LEASE = "The lease of the boathouse ends on 14 March 2031"
ANSWERED = 180_000
"""Milliseconds; the first question also waits for the embedding model."""


def book() -> bytes:
    """A register of four pages of preface, numbered in Roman numerals, and one page for each berth."""
    document = pymupdf.open()
    for number in range(1, 5):
        document.new_page(width=595, height=842).insert_text((72, 90), f"Preface, part {number}. Nothing is let here.")
    for number, name in enumerate(BERTHS, 1):
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 90), f"Berth {number} of the harbour.")
        page.insert_text((72, 560), f"The berth on this page is let to {name} for {number}0 years, and the arrange-")
        page.insert_text((72, 576), "ment may be renewed by the café on the quay,")
        page.insert_text((72, 592), "which is open all year.")
    document.set_page_labels(
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 4, "style": "D", "firstpagenum": 1}]
    )
    return document.tobytes()


def big(megabytes: int) -> bytes:
    """A PDF of three pages, most of whose bytes are an attachment that does not compress."""
    document = pymupdf.open()
    for text in ("First.", "The lighthouse is painted every seven years.", "Last."):
        document.new_page().insert_text((72, 90), text)
    document.embfile_add("log.bin", os.urandom(megabytes * 2**20))
    return document.tobytes()


def ferry() -> bytes:
    document = pymupdf.open()
    document.new_page().insert_text((72, 90), f"{FERRY}.")
    return document.tobytes()


def scanned() -> bytes:
    """A picture of a page: nothing on it is text until it is recognised."""
    paper = pymupdf.open()
    page = paper.new_page(width=595, height=842)
    page.insert_text((72, 120), "LEASE OF THE BOATHOUSE", fontsize=18)
    page.insert_text((72, 420), f"{LEASE}.", fontsize=14)
    picture = page.get_pixmap(dpi=200).tobytes("png")
    document = pymupdf.open()
    document.new_page(width=595, height=842).insert_image((0, 0, 595, 842), stream=picture)
    return document.tobytes()


def fees() -> bytes:
    """A merged title, the line that names the columns, many rows of which one is hidden, and a second, hidden sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Fees"
    sheet.append(["Fees of the marina"])
    sheet.merge_cells("A1:C1")
    sheet.append(["Mooring", "Vessel", "Fee"])
    for number in range(3, 301):
        sheet.append([f"Pontoon {number}", "zephyrine lugger" if number == 240 else f"Dinghy {number}", 100 + number])
    sheet.row_dimensions[241].hidden = True
    old = book.create_sheet("Fees '24 old")
    old.sheet_state = "hidden"
    old.append(["Mooring", "Fee"])
    old.append(["Slipway", 7])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def provider() -> SlowProvider:
    return SlowProvider()


@pytest.fixture(scope="module")
def app(
    provider: SlowProvider, tmp_path_factory: pytest.TempPathFactory, sentence_embedder: SentenceTransformerEmbedder
) -> Iterator[App]:
    home = tmp_path_factory.mktemp("home")
    archive = home / "archive"
    archive.mkdir()
    files = {BOOK: book(), BIG: big(25), SCANNED: scanned(), FEES: fees(), f"archive/{BOOK}": ferry()}
    for name, data in files.items():
        (home / name).write_bytes(data)
    harbour = [BOOK, BIG, FEES, *([SCANNED] if READS_SCANS else [])]
    stock(home, sentence_embedder, "Harbour", *(home / name for name in harbour))
    stock(home, sentence_embedder, "Archive", archive / BOOK)
    with running(provider) as url:
        started = start_app(
            home, PINCITE_PROVIDER="compatible", PINCITE_BASE_URL=url, PINCITE_MODEL="scripted", PINCITE_HISTORY="chain"
        )
        yield started
        stop_app(started)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(
        viewport={"width": 1600, "height": 1000}, permissions=["clipboard-read", "clipboard-write"]
    )
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def nothing_wrong(watch: Watch, provider: SlowProvider) -> Iterator[None]:
    """No console error, and no request to another machine, whatever a test does."""
    yield
    provider.release()
    assert watch.errors == []
    assert watch.outside == []


def asked(page: Page, app: App, provider: SlowProvider, query: str = QUERY, answer: str = ANSWER) -> None:
    provider.play(search(query), say(answer))
    page.goto(app.url)
    ask(page, QUESTION)
    expect(chips(page).first).to_be_visible(timeout=ANSWERED)
    expect(question_box(page)).to_be_enabled()


def viewer(page: Page) -> Locator:
    return page.locator("section.viewer")


def expect_evidence(page: Page, number: int, printed: str) -> None:
    """The page is in view with its passage marked, in sight, and drawn."""
    expect(viewer(page)).to_have_attribute("data-page", str(number))
    expect(viewer(page).locator(".count")).to_contain_text(printed)
    mark = viewer(page).locator(f'.sheet[data-page="{number}"] .mark.active').first
    expect(mark).to_be_in_viewport()
    expect(viewer(page).locator(f'.sheet[data-page="{number}"] img')).to_be_visible()


def test_a_citation_opens_by_click_in_a_new_tab_by_back_by_reload_and_by_its_copied_link(
    app: App, provider: SlowProvider, browser: Browser, context: BrowserContext, page: Page, artifacts: Path
) -> None:
    asked(page, app, provider)
    first, second = page_of(chips(page).nth(0)), page_of(chips(page).nth(1))
    assert first != second

    chips(page).nth(0).click()
    expect_evidence(page, first, str(first - 4))
    chips(page).nth(1).click()
    expect_evidence(page, second, str(second - 4))
    expect(viewer(page).locator(".position")).to_have_text("Evidence 2 of 2")
    expect(viewer(page).locator(".mark:not(.active)").or_(viewer(page).locator(".mark.active")).first).to_be_visible()
    picture(page, artifacts, "viewer-1-panel")
    page.go_back()
    expect_evidence(page, first, str(first - 4))
    page.reload()
    expect_evidence(page, first, str(first - 4))
    expect(chips(page)).to_have_count(2)

    with context.expect_page() as opening:
        chips(page).nth(1).click(modifiers=["ControlOrMeta"])
    tab = opening.value
    expect_evidence(tab, second, str(second - 4))
    assert tab.url.startswith(f"{app.url}/viewer?")
    picture(tab, artifacts, "viewer-2-tab")
    tab.close()
    expect_evidence(page, first, str(first - 4))

    viewer(page).get_by_role("button", name="Copy link").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == app.url + str(chips(page).nth(0).get_attribute("href"))
    other = browser.new_context(viewport={"width": 1280, "height": 900})
    outside = Watch(other)
    stranger = other.new_page()
    stranger.goto(copied)
    expect_evidence(stranger, first, str(first - 4))
    assert (outside.errors, outside.outside) == ([], [])
    other.close()


def page_of(chip: Locator) -> int:
    """The physical page that a chip names."""
    found = re.search(r"PDF (\d+)\)$", chip.inner_text())
    assert found is not None, chip.inner_text()
    return int(found[1])


def test_a_click_moves_the_reader_every_time_also_when_it_is_the_same_citation(
    app: App, provider: SlowProvider, page: Page
) -> None:
    asked(page, app, provider)
    for chip in (0, 1, 0):
        chips(page).nth(chip).click()
        expect_evidence(page, page_of(chips(page).nth(chip)), "of 14")
    viewer(page).locator(".scroll").press("End")
    expect(viewer(page)).to_have_attribute("data-page", "14")
    chips(page).nth(0).click()
    expect_evidence(page, page_of(chips(page).nth(0)), "of 14")


@pytest.mark.req("ASK-11")
def test_a_citation_opens_while_the_rest_of_the_answer_is_written(app: App, provider: SlowProvider, page: Page) -> None:
    provider.play(search(QUERY), say(ANSWER))
    provider.hold(after=PIECES_BEFORE_THE_GATE)
    page.goto(app.url)
    ask(page, QUESTION)
    chip = page.locator(".pc-answer-live a.pc-cite").first
    expect(chip).to_be_visible(timeout=ANSWERED)
    chip.click()
    expect(viewer(page).locator(".mark.active").first).to_be_in_viewport()
    provider.release()
    expect(chips(page)).to_have_count(2)
    expect(question_box(page)).to_be_enabled()
    expect(viewer(page).locator(".mark.active").first).to_be_in_viewport()


def test_evidence_is_stepped_through_with_the_keyboard_and_escape_closes_the_panel(
    app: App, provider: SlowProvider, page: Page
) -> None:
    asked(page, app, provider, answer=f"{ANSWER} A third berth has it too: {SENTENCE} [S3].")
    chips(page).nth(0).click()
    expect_evidence(page, page_of(chips(page).nth(0)), "of 14")
    page.keyboard.press("ArrowRight")  # each key counts, however fast they come
    page.keyboard.press("ArrowRight")
    expect(viewer(page).locator(".position .place")).to_have_text("3 of 3")
    expect_evidence(page, page_of(chips(page).nth(2)), "of 14")
    page.wait_for_url("**mention=2**")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**mention=0**")
    expect_evidence(page, page_of(chips(page).nth(0)), "of 14")
    page.keyboard.press("Home")
    expect(viewer(page)).to_have_attribute("data-page", "1")
    page.keyboard.press("PageDown")
    expect(viewer(page)).to_have_attribute("data-page", "2")
    page.keyboard.press("+")
    expect(viewer(page).locator(".zoom")).to_contain_text("%")
    page.keyboard.press("0")
    expect(viewer(page).locator(".zoom")).to_have_text("Width")
    page.keyboard.press("Escape")
    expect(viewer(page)).to_be_hidden()
    expect(chips(page)).to_have_count(3)


@pytest.mark.req("CITE-1")
def test_keys_faster_than_the_screen_and_two_documents_of_one_name(
    app: App, provider: SlowProvider, page: Page, artifacts: Path
) -> None:
    """The evidence lies in two documents of one name, told apart by their containers wherever they are named."""
    provider.play(
        search(FERRY),
        search(QUERY),
        say(f"{FERRY} [S1]. " + " ".join(f"{SENTENCE} [S{number}]." for number in range(2, 25))),
    )
    page.goto(app.url)
    ask(page, QUESTION)
    expect(chips(page).first).to_be_visible(timeout=ANSWERED)
    expect(question_box(page)).to_be_enabled()
    named = [str(chip.get_attribute("aria-label")) for chip in chips(page).all()]
    other = next(index for index, name in enumerate(named) if f"{BOOK} (Harbour)" in name)
    printed = page_of(chips(page).nth(other))
    expect(page.locator(".pc-source-name").filter(has_text="(Harbour)").first).to_be_visible()

    chips(page).nth(0).click()
    expect(viewer(page).locator(".title")).to_have_text(BOOK)
    expect(viewer(page).locator(".mark.active").first).to_be_in_viewport()
    for _ in range(other):
        page.keyboard.press("ArrowRight")
    expect(viewer(page).locator(".position .place")).to_have_text(f"{other + 1} of {len(named)}")
    expect(viewer(page).locator(".title")).to_have_text(f"{BOOK} (Harbour)")
    expect_evidence(page, printed, "of 14")
    picture(page, artifacts, "viewer-5-one-name")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    for _ in range(other):
        page.keyboard.press("ArrowLeft")
    expect(viewer(page).locator(".title")).to_have_text(BOOK)
    expect(viewer(page)).to_have_attribute("data-page", "1")
    page.keyboard.press("ArrowRight")
    chips(page).nth(other).click()  # newer than the key
    expect_evidence(page, printed, "of 14")
    page.wait_for_url(f"**mention={other}**")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")  # for nobody
    expect(viewer(page)).to_be_hidden()
    expect(chips(page)).to_have_count(len(named))


@pytest.mark.req("CITE-8")
def test_a_spreadsheet_opens_at_its_cited_cells_and_is_read_with_the_keyboard(
    app: App, provider: SlowProvider, page: Page, artifacts: Path
) -> None:
    asked(
        page,
        app,
        provider,
        "mooring of the zephyrine lugger",
        "The zephyrine lugger at Pontoon 240 pays a fee of 340 [S1].",
    )
    chips(page).first.click()
    cells = viewer(page).get_by_role("grid")
    cited = cells.locator(".row .cell.cited.active")
    expect(cited.filter(has_text="zephyrine lugger")).to_be_in_viewport()
    expect(cells.locator(".frozen")).to_contain_text("MooringVesselFee")
    expect(cells.get_by_role("rowheader", name="241 (hidden)")).to_be_visible()
    picture(page, artifacts, "viewer-6-cells")
    address = viewer(page).get_by_role("textbox", name="Cell")
    cells.press("End")
    expect(address).to_have_value("A300")
    expect(cells.get_by_role("gridcell", name="Pontoon 300")).to_be_in_viewport()
    cells.press("Home")
    expect(address).to_have_value("A1")
    expect(cells.locator(".frozen")).to_be_hidden()
    joined = cells.locator(".joined")
    expect(joined).to_have_text("Fees of the marina")
    first = cells.locator('.row [data-row="2"][data-column="1"]').bounding_box()
    last = cells.locator('.row [data-row="2"][data-column="3"]').bounding_box()
    title = joined.bounding_box()
    assert first is not None
    assert last is not None
    assert title is not None
    assert title["width"] == pytest.approx(last["x"] + last["width"] - first["x"], abs=1)
    cells.press("ArrowRight")  # out of the merged cells, not into them
    expect(address).to_have_value("A1")
    cells.press("ArrowDown")
    cells.press("ArrowRight")
    expect(address).to_have_value("B2")
    expect(viewer(page).locator(".content")).to_have_text("Vessel")
    address.fill("c240")
    address.press("Enter")
    expect(cells.locator('.row [aria-selected="true"]')).to_have_text("340")
    expect(cells.locator('.row [aria-selected="true"]')).to_be_in_viewport()
    viewer(page).get_by_role("tab", name="Fees '24 old (hidden)").click()
    expect(cells.get_by_role("gridcell", name="Slipway")).to_be_visible()
    page.emulate_media(color_scheme="dark")
    viewer(page).get_by_role("tab", name="Fees", exact=True).click()
    picture(page, artifacts, "viewer-6-cells-dark")
    viewer(page).get_by_role("button", name="More").click()
    viewer(page).get_by_role("menuitem", name="Show as pages").click()
    expect(cells).to_be_hidden()
    expect(viewer(page).locator(".sheet img").first).to_be_visible()


@pytest.mark.req("CITE-7")
@pytest.mark.skipif(not READS_SCANS, reason="nothing reads scans here: install Tesseract to run this test")
def test_a_scanned_page_is_marked_searched_and_copied_by_the_words_that_were_recognised(
    app: App, provider: SlowProvider, page: Page, artifacts: Path
) -> None:
    asked(page, app, provider, "when does the lease of the boathouse end", f"{LEASE} [S1].")
    chips(page).first.click()
    sheet = viewer(page).locator('.sheet[data-page="1"]')
    mark = sheet.locator(".mark.active").first
    expect(mark).to_be_in_viewport()
    expect(sheet.locator("img")).to_be_visible()
    marked, whole = mark.bounding_box(), sheet.bounding_box()
    assert marked is not None
    assert whole is not None
    assert (marked["y"] - whole["y"]) / whole["height"] == pytest.approx(408 / 842, abs=0.02)
    picture(page, artifacts, "viewer-7-scan")
    run = sheet.locator(".words span").filter(has_text="boathouse ends")
    box = run.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 1, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, middle, steps=4)
    page.mouse.up()
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()").strip() == f"{LEASE}."
    page.keyboard.press("Control+f")
    viewer(page).get_by_role("searchbox").fill("BOATHOUSE")
    expect(viewer(page).locator(".found")).to_have_text("1 of 2")
    expect(sheet.locator(".hit.active").first).to_be_in_viewport()


@pytest.mark.req("CITE-7")
def test_words_are_found_over_a_line_break_and_without_their_accents(
    app: App, provider: SlowProvider, page: Page, artifacts: Path
) -> None:
    asked(page, app, provider)
    chips(page).nth(0).click()
    opened = page_of(chips(page).nth(0))
    expect_evidence(page, opened, "of 14")
    page.keyboard.press("Control+f")
    field = viewer(page).get_by_role("searchbox")
    expect(field).to_be_focused()
    field.fill("ARRANGEMENT may be renewed by the CAFE")
    found = viewer(page).locator(".found")
    expect(found).to_have_text(f"{opened - 4} of 10")  # the search begins at the page being read
    expect(viewer(page).locator(".hit.active").first).to_be_in_viewport()
    field.press("Enter")
    expect(viewer(page)).to_have_attribute("data-page", str(opened + 1))
    viewer(page).get_by_role("button", name="List of hits").click()
    rows = viewer(page).locator(".hits button")
    expect(rows).to_have_count(10)
    picture(page, artifacts, "viewer-3-find")
    rows.last.click()
    expect(viewer(page)).to_have_attribute("data-page", "14")
    field.fill("unicorn")
    expect(found).to_have_text("Not found")
    field.press("Escape")
    expect(field).to_be_hidden()
    expect(viewer(page).locator(".hit")).to_have_count(0)


@pytest.mark.req("CITE-7")
def test_text_is_copied_over_lines_as_it_stands_on_the_page(app: App, provider: SlowProvider, page: Page) -> None:
    asked(page, app, provider)
    chips(page).nth(0).click()
    number = page_of(chips(page).nth(0))
    expect_evidence(page, number, "of 14")
    runs = viewer(page).locator(f'.sheet[data-page="{number}"] .words span')
    start, end = runs.nth(2).bounding_box(), runs.nth(3).bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 1, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 40, (start["y"] + end["y"]) / 2 + start["height"] / 2, steps=4)  # between the lines
    page.mouse.move(end["x"] + end["width"] - 1, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()
    page.keyboard.press("Control+c")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split("\n")[0].endswith("by the café on the quay,")
    assert copied.split("\n")[1].strip() == "which is open all year."


def test_only_what_is_in_sight_is_in_the_page_and_small_pages_lead_everywhere(
    app: App, provider: SlowProvider, page: Page, artifacts: Path
) -> None:
    asked(page, app, provider)
    chips(page).nth(0).click()
    expect_evidence(page, page_of(chips(page).nth(0)), "of 14")
    assert viewer(page).locator(".sheet").count() < 6
    viewer(page).get_by_role("button", name="Page overview").click()
    viewer(page).locator(".overview").evaluate("strip => strip.scrollTop = 0")
    viewer(page).get_by_role("button", name="Page ii (PDF 2)").click()
    expect(viewer(page)).to_have_attribute("data-page", "2")
    assert viewer(page).locator(".small").count() < 14
    page.keyboard.press("r")
    box = viewer(page).locator('.sheet[data-page="2"]').bounding_box()
    assert box is not None
    assert box["width"] > box["height"]
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        bar = viewer(page).locator(".bar")
        assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        picture(page, artifacts, f"viewer-4-{width}-{scheme}")


@pytest.mark.req("CITE-10")
def test_a_file_of_many_megabytes_opens_at_the_page_without_being_fetched(
    app: App, provider: SlowProvider, page: Page
) -> None:
    received: list[int] = []
    page.on("response", lambda answer: received.append(int(answer.headers.get("content-length", 0))))
    asked(
        page, app, provider, "lighthouse painted every seven years", "The lighthouse is painted every seven years [S1]."
    )
    received.clear()
    chips(page).first.click()
    expect(viewer(page)).to_have_attribute("data-page", "2")
    expect(viewer(page).locator('.sheet[data-page="2"] .mark.active').first).to_be_in_viewport()
    expect(viewer(page).locator('.sheet[data-page="2"] img')).to_be_visible()
    assert sum(received) < 5 * 2**20


def test_what_is_missing_is_said_in_the_same_words_as_what_is_forbidden(app: App, page: Page, watch: Watch) -> None:
    for query in ("document=doc_none&page=3", "conversation=conv_x&turn=turn_x&mention=0"):
        page.goto(f"{app.url}/viewer?{query}")
        expect(page.get_by_text("This address opens nothing")).to_be_visible(timeout=SOON)
