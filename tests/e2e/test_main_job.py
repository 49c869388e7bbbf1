"""The main job, as a new user does it: upload contracts, ask, watch, read a cited answer, open the page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import App, Watch, start_app, stop_app
from tests.e2e.screen import SAMPLES, answers, ask, chips, open_screen, picture

pytestmark = pytest.mark.e2e

THREE = ("brightmoor_cleaning_services_2024.pdf", "corrib_table_catering_2025.pdf", "quillon_software_licence_2025.pdf")
COMPARE = "Compare the payment terms in our three supplier contracts"
INGESTED = 300_000
ANSWERED = 120_000


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The app as it is set up for a new user, who has it calculate."""
    started = start_app(tmp_path_factory.mktemp("home"), PINCITE_SANDBOX="auto")
    yield started
    stop_app(started)


def upload(page: Page, files: list[Path], container: str) -> None:
    """Put files into a new container, as a user does."""
    page.get_by_role("button", name="New", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill(container)
    dialog.get_by_role("textbox").press("Enter")
    dialog.get_by_role("button", name=re.compile("Create|Make")).click()
    expect(dialog).to_be_hidden()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([str(file) for file in files])
    page.get_by_role("button", name=f"Add {len(files)} files").click()


@pytest.mark.req("LIB-10", "OPEN-3", "TOOL-9")
def test_the_sample_contracts_are_one_click_away_and_the_app_says_who_answers(
    app: App, page: Page, watch: Watch, artifacts: Path
) -> None:
    page.goto(app.url)
    expect(page.get_by_text("No language model is configured")).to_be_visible()
    picture(page, artifacts, "1-first-look")
    open_screen(page, "Settings")
    for name in ("OpenAI", "Azure OpenAI", "Compatible server"):
        expect(page.get_by_role("tab", name=name, exact=True)).to_be_visible()
    picture(page, artifacts, "2-settings")
    open_screen(page, "Documents")
    page.get_by_role("button", name="Load the sample contracts").click()
    expect(page.locator(".pc-files")).to_be_visible()
    picture(page, artifacts, "3-ingesting")
    expect(page.locator(".pc-files")).to_be_hidden(timeout=INGESTED)
    expect(page.get_by_text(re.compile(r"12 documents"))).to_be_visible()
    picture(page, artifacts, "4-documents")
    check_calculation(page, artifacts)
    assert watch.errors == []
    assert watch.outside == []


@pytest.mark.req("LIB-9", "TRACE-1", "CITE-1", "CITE-5", "CITE-7", "CITE-9", "ASK-11", "OPEN-6")
def test_upload_compare_watch_open_the_page_follow_up_and_reload(
    app: App, browser: Browser, page: Page, watch: Watch, artifacts: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "not_really_a.pdf"
    broken.write_bytes(b"<html><body>I am not a PDF</body></html>")
    page.goto(f"{app.url}/documents")
    upload(page, [*(SAMPLES / name for name in THREE), broken], "Suppliers")
    expect(page.locator(".pc-report.pc-failed")).to_contain_text("not_really_a.pdf", timeout=INGESTED)
    expect(page.locator(".pc-files")).to_be_hidden(timeout=INGESTED)
    picture(page, artifacts, "5-a-bad-file-and-three-good-ones")

    open_screen(page, "Ask")
    choose_container(page, "Suppliers")
    ask(page, COMPARE)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    picture(page, artifacts, "6-working")
    expect(answers(page).first).to_be_visible(timeout=ANSWERED)
    expect(page.get_by_role("button", name="Stop")).to_be_hidden(timeout=ANSWERED)
    text = answers(page).first.inner_text()
    for supplier in ("brightmoor", "corrib", "quillon"):
        assert supplier in text.casefold()
    assert chips(page).count() >= 3
    picture(page, artifacts, "7-answered")

    check_trace(page, artifacts)
    link = check_source(page, app, artifacts)
    check_link_in_a_new_browser(browser, app, link, artifacts)

    ask(page, "And what about the liability cap of Quillon?")
    expect(answers(page)).to_have_count(2, timeout=ANSWERED)
    expect(page.get_by_role("button", name="Stop")).to_be_hidden(timeout=ANSWERED)
    before = [answer.inner_text() for answer in answers(page).all()]
    links = [chip.get_attribute("href") for chip in chips(page).all()]
    picture(page, artifacts, "10-follow-up")
    page.reload()
    expect(answers(page)).to_have_count(2, timeout=ANSWERED)
    expect(chips(page)).to_have_count(len(links))
    assert [answer.inner_text() for answer in answers(page).all()] == before
    assert [chip.get_attribute("href") for chip in chips(page).all()] == links
    check_trace(page, artifacts)
    assert watch.errors == []
    assert watch.outside == []


def check_calculation(page: Page, artifacts: Path) -> None:
    """A figure of the sample price list is calculated without a key, cites its cells, is drawn, and shows its code."""
    open_screen(page, "Ask")
    page.locator(".st-key-ask-empty").get_by_role("button", name="Show the total amount by supplier").click()
    expect(page.get_by_test_id("stVegaLiteChart").locator("canvas, svg").first).to_be_visible(timeout=ANSWERED)
    # 78,200 days at 28.40 and 21,400 days at 31.90.
    expect(answers(page).first).to_contain_text("€2,903,540.00")
    expect(chips(page).first).to_contain_text("Services")
    page.get_by_role("button", name="Trace", exact=True).first.click()
    run = page.locator(".st-key-ask-trace details.pc-step").filter(has_text="Calculate").first
    run.locator("summary").click()
    expect(run).to_contain_text("group_by('Supplier')")
    picture(page, artifacts, "4-calculated")


def choose_container(page: Page, name: str) -> None:
    """Search this container only."""
    options = page.locator(".st-key-ask-options")
    options.get_by_role("button").first.click()
    search_in = page.get_by_test_id("stPopoverBody").get_by_role("combobox")
    for _ in range(2):
        search_in.press("Backspace")
    search_in.fill(name)
    search_in.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(options.get_by_role("button", name=name)).to_be_visible()


def check_trace(page: Page, artifacts: Path) -> None:
    """The trace shows the searches with their hits, and the budgets against their ceilings."""
    page.get_by_role("button", name="Trace", exact=True).first.click()
    trace = page.locator(".st-key-ask-trace")
    expect(trace.get_by_text("Model call 1").first).to_be_visible()
    assert trace.locator(".pc-step").count() >= 5
    search = trace.locator("details.pc-step", has=page.locator(".pc-kept")).first
    search.locator("summary").click()
    expect(search.locator(".pc-kept").first).to_be_visible()
    for budget in ("Model calls", "Tool calls", "Passages"):
        expect(trace.get_by_text(budget).first).to_be_visible()
    picture(page, artifacts, "8-trace")
    page.get_by_role("button", name="Hide trace").first.click()
    expect(trace).to_be_hidden()


def check_source(page: Page, app: App, artifacts: Path) -> str:
    """A click on a chip opens the page beside the chat with the passage marked; return the address."""
    chip = chips(page).first
    label = chip.inner_text()
    chip.click()
    viewer = page.locator("section.viewer")
    expect(viewer.locator(".mark.active").first).to_be_visible()
    number = re.search(r"(?:PDF |p\. )(\d+)\)?$", label)
    assert number is not None, label
    expect(viewer).to_have_attribute("data-page", number[1])
    expect(viewer.locator(".sheet img").first).to_be_visible()
    expect(chips(page)).not_to_have_count(0)
    page.wait_for_url("**mention=0**")
    picture(page, artifacts, "9-source")
    href = chip.get_attribute("href")
    assert href is not None
    return app.url + href


def check_link_in_a_new_browser(browser: Browser, app: App, link: str, artifacts: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    watch = Watch(context)
    page = context.new_page()
    page.goto(link)
    expect(page.locator("section.viewer .mark.active").first).to_be_visible(timeout=60_000)
    expect(page.locator("section.viewer .sheet img").first).to_be_visible()
    picture(page, artifacts, "9-link-in-a-new-browser")
    assert watch.errors == []
    assert watch.outside == []
    context.close()
