"""A turn is a job: it outlives reloads, tabs and screens, ends when told to, and a killed process poisons nothing.

The provider is the shipped fake one, in this process; its answers wait at a gate, so that each test decides how long a
turn takes.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.conftest import App, Watch, start_app, stock, stop_app
from tests.e2e.screen import SAMPLES, answers, ask, chips, open_screen, picture, question_box, stop_button
from tests.e2e.slow_provider import SlowProvider
from tests.ui.ask.desk import find, search
from tests.ui.conftest import make_pdf
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.fakes.responses_server import running
from workbench.adapters.fakes.steps import call, calls, raw_call, say

pytestmark = [pytest.mark.e2e, pytest.mark.req("ASK-11")]

CONTRACT = "brightmoor_cleaning_services_2024.pdf"
OTHER = "parking_rules.pdf"
QUESTION = "When are invoices due?"
QUERY = "price and payment: valid invoices are paid within thirty days of receipt"
BEGINNING = "The Client shall pay valid invoices within thirty (30) days of receipt"
END = "That is all it says of payment."
ANSWER = f"{BEGINNING} [S1]. There is more to tell of deductions and of what is not in the price. {END}"
PIECES_BEFORE_THE_GATE = 11
"""So much of the answer comes before the gate that its first citation stands, and its end does not."""


@pytest.fixture(scope="module")
def provider() -> SlowProvider:
    return SlowProvider()


@pytest.fixture(scope="module")
def app(
    provider: SlowProvider, tmp_path_factory: pytest.TempPathFactory, sentence_embedder: SentenceTransformerEmbedder
) -> Iterator[App]:
    """The app with a contract and a document beside it, asking the slow provider, which keeps the history."""
    home = tmp_path_factory.mktemp("home")
    (home / OTHER).write_bytes(make_pdf("Parking. Visitors leave their cars at the north gate."))
    stock(home, sentence_embedder, "Suppliers", SAMPLES / CONTRACT, home / OTHER)
    with running(provider) as url:
        started = start_app(
            home,
            PINCITE_PROVIDER="compatible",
            PINCITE_BASE_URL=url,
            PINCITE_MODEL="scripted",
            PINCITE_HISTORY="chain",
        )
        yield started
        stop_app(started)


@pytest.fixture(autouse=True)
def open_gate(provider: SlowProvider) -> Iterator[None]:
    """Leave nothing waiting and nothing planned for the next test."""
    yield
    provider.release()
    provider.play()


def ask_and_hold(page: Page, app: App, provider: SlowProvider) -> None:
    """Ask in a new conversation; return when half of the answer is on the screen and the provider waits."""
    provider.play(search(QUERY), say(ANSWER))
    provider.hold(after=PIECES_BEFORE_THE_GATE)
    page.goto(app.url)
    ask(page, QUESTION)
    expect_half(page)


def expect_half(page: Page) -> None:
    expect(live(page)).to_contain_text(BEGINNING)
    expect(stop_button(page)).to_be_visible()
    expect(live(page)).not_to_contain_text(END)


def expect_whole(page: Page) -> None:
    expect(stop_button(page)).to_be_hidden()
    expect(answers(page).last).to_contain_text(END)
    expect(chips(page).first).to_be_visible()
    expect(question_box(page)).to_be_enabled()


def live(page: Page) -> Locator:
    return page.locator(".pc-answer-live")


def notes(page: Page) -> Locator:
    return page.locator(".pc-note")


def check(watch: Watch) -> None:
    assert watch.errors == []
    assert watch.outside == []


def test_stop_leaves_the_provider_at_once_and_keeps_what_was_written(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    ask_and_hold(page, app, provider)
    picture(page, artifacts, "jobs-1-half-way")
    stop_button(page).click()
    assert provider.left.wait(60)  # while the gate still holds its answer back
    expect(notes(page)).to_contain_text("Stopped")
    expect(answers(page)).to_contain_text(BEGINNING)
    expect(answers(page)).not_to_contain_text(END)
    picture(page, artifacts, "jobs-2-stopped")
    provider.release()
    provider.play(say("Then let us go on."))
    ask(page, "Go on")
    expect(answers(page)).to_have_count(2)
    expect(answers(page).last).to_contain_text("Then let us go on.")
    check(watch)


def test_a_reload_in_the_middle_takes_the_turn_up_again(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    ask_and_hold(page, app, provider)
    page.reload()
    expect_half(page)
    picture(page, artifacts, "jobs-3-reloaded-half-way")
    provider.release()
    expect_whole(page)
    check(watch)


def test_another_screen_and_back_takes_the_turn_up_again(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    ask_and_hold(page, app, provider)
    open_screen(page, "Documents")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    open_screen(page, "Ask")
    expect_half(page)
    provider.release()
    expect_whole(page)
    check(watch)


def test_a_second_tab_follows_the_same_turn_to_the_same_answer(
    app: App, provider: SlowProvider, context: BrowserContext, page: Page, watch: Watch, artifacts: Path
) -> None:
    ask_and_hold(page, app, provider)
    second = context.new_page()
    second.goto(page.url)
    expect_half(second)
    picture(second, artifacts, "jobs-4-second-tab")
    provider.release()
    expect_whole(page)
    expect_whole(second)
    assert answers(second).last.inner_text() == answers(page).last.inner_text()
    assert [chip.get_attribute("href") for chip in chips(second).all()] == [
        chip.get_attribute("href") for chip in chips(page).all()
    ]
    check(watch)


def test_a_closed_tab_leaves_the_turn_to_run_to_its_end(
    app: App, provider: SlowProvider, context: BrowserContext, page: Page, watch: Watch, artifacts: Path
) -> None:
    ask_and_hold(page, app, provider)
    address = page.url
    page.close()
    provider.release()
    later = context.new_page()
    later.goto(address)
    expect_whole(later)
    assert not provider.left.is_set()
    check(watch)


def test_a_question_from_a_tab_that_is_behind_is_refused_and_overwrites_nothing(
    app: App, provider: SlowProvider, context: BrowserContext, page: Page, watch: Watch, artifacts: Path
) -> None:
    provider.play(say("Hello."))
    page.goto(app.url)
    ask(page, "Good morning")
    expect(answers(page)).to_contain_text("Hello.")
    behind = context.new_page()
    behind.goto(page.url)
    expect(answers(behind)).to_contain_text("Hello.")
    provider.play(search(QUERY), say(ANSWER))
    provider.hold(after=PIECES_BEFORE_THE_GATE)
    ask(page, QUESTION)
    expect_half(page)
    ask(behind, "And what of notice?")
    expect(behind.get_by_role("alert")).to_contain_text("still working on the last question")
    expect(behind.get_by_role("alert")).to_contain_text("And what of notice?")
    expect_half(behind)
    picture(behind, artifacts, "jobs-5-tab-behind")
    provider.release()
    for tab in (page, behind):
        expect_whole(tab)
        expect(tab.locator(".pc-question")).to_have_text(["Good morning", QUESTION])
    check(watch)


@pytest.mark.req("CHAT-4", "CHAT-1")
def test_a_tab_that_is_behind_is_told_shows_what_is_new_and_asks_again_and_exports_it_all(
    app: App, provider: SlowProvider, context: BrowserContext, page: Page, watch: Watch, artifacts: Path
) -> None:
    provider.play(say("Hello."), say("Something newer."), say("To the tab behind."))
    page.goto(app.url)
    ask(page, "Good morning")
    expect(answers(page)).to_contain_text("Hello.")
    behind = context.new_page()
    behind.goto(page.url)
    expect(answers(behind)).to_contain_text("Hello.")
    ask(page, "And now?")
    expect(answers(page).last).to_contain_text("Something newer.")
    ask(behind, "Typed in the tab behind")
    expect(behind.get_by_role("alert")).to_contain_text("This conversation went on in another tab")
    expect(behind.locator(".pc-question")).to_have_text(["Good morning", "And now?"])
    expect(question_box(behind)).to_have_value("Typed in the tab behind")
    picture(behind, artifacts, "jobs-11-tab-behind-is-told")
    question_box(behind).press("Enter")
    expect(answers(behind).last).to_contain_text("To the tab behind.")
    expect(behind.locator(".pc-question")).to_have_text(["Good morning", "And now?", "Typed in the tab behind"])
    behind.get_by_test_id("stMenuButtonButton").first.click()
    behind.get_by_role("menuitem", name="Export").click()
    with behind.expect_download() as download:
        behind.get_by_role("button", name="Markdown").click()
    exported = Path(download.value.path()).read_text(encoding="utf-8")
    assert download.value.suggested_filename == "pincite-good-morning.md"
    assert [line for line in exported.splitlines() if line.startswith("> ")] == [
        "> Good morning",
        "> And now?",
        "> Typed in the tab behind",
    ]
    check(watch)


@pytest.mark.req("CITE-9")
def test_a_citation_opened_while_the_answer_streams_leaves_it_streaming(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    ask_and_hold(page, app, provider)
    chips(page).first.click()
    viewer = page.locator("section.viewer")
    expect(viewer.locator(".sheet img").first).to_be_visible()
    expect_half(page)
    picture(page, artifacts, "jobs-6-source-while-it-streams")
    provider.release()
    expect_whole(page)
    expect(viewer.locator(".mark.active").first).to_be_visible()
    assert not provider.left.is_set()
    check(watch)


def test_a_killed_process_leaves_an_interrupted_turn_and_the_next_one_works(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    ask_and_hold(page, app, provider)
    app.kill_and_restart()
    page.goto(page.url)
    expect(notes(page)).to_contain_text("Interrupted")
    watch.errors.clear()  # the browser noticed that the server had gone
    expect(answers(page)).to_contain_text(BEGINNING)
    expect(stop_button(page)).to_be_hidden()
    page.get_by_role("button", name="Trace", exact=True).click()
    trace = page.locator(".st-key-ask-trace")
    expect(trace.get_by_text("Interrupted: the application ended meanwhile")).to_be_visible()
    gathered = trace.locator("details.pc-step", has=page.locator(".pc-kept"))
    gathered.locator("summary").click()
    expect(gathered.locator(".pc-kept").first).to_be_visible()
    picture(page, artifacts, "jobs-7-interrupted")
    provider.release()
    provider.play(search(QUERY), say(ANSWER))
    ask(page, "Then again: when?")
    expect(page.locator(".pc-question")).to_have_count(2)
    expect_whole(page)
    check(watch)


def test_an_expired_history_is_told_and_a_new_chat_is_one_click_away(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    provider.play(say("Hello."))
    page.goto(app.url)
    ask(page, "Good morning")
    expect(answers(page)).to_contain_text("Hello.")
    provider.forget()
    app.kill_and_restart()  # a new process takes no response for so young that it would wait for it to appear
    page.goto(page.url)
    expect(answers(page)).to_contain_text("Hello.")
    watch.errors.clear()  # the browser noticed that the server had gone
    ask(page, QUESTION)
    expect(notes(page).last).to_contain_text("This conversation's context has expired")
    picture(page, artifacts, "jobs-8-expired")
    page.get_by_role("button", name="Start a new chat").click()
    expect(page.get_by_role("heading", name="Ask your documents")).to_be_visible()
    page.wait_for_url(lambda url: "conversation=" not in url)
    provider.play(say("Hello again."))
    ask(page, QUESTION)
    expect(answers(page)).to_contain_text("Hello again.")
    check(watch)


def test_slash_goes_to_the_question_and_escape_closes_the_panel(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    provider.play(search(QUERY), say(ANSWER))
    page.goto(app.url)
    ask(page, QUESTION)
    expect_whole(page)
    page.locator(".pc-question").click()
    page.keyboard.press("/")
    expect(question_box(page)).to_be_focused()
    page.keyboard.type("a/b")
    expect(question_box(page)).to_have_value("a/b")
    chips(page).first.click()
    expect(page.locator("section.viewer")).to_be_visible()
    page.locator(".pc-question").click()
    page.keyboard.press("Escape")
    expect(page.locator("section.viewer")).to_be_hidden()
    page.wait_for_url(lambda url: "mention=" not in url)
    check(watch)


@pytest.mark.req("TOOL-12", "TOOL-13", "CITE-9")
def test_a_list_is_turned_without_the_model_and_back_reload_and_the_panel_keep_its_page(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    provider.play(find(sort="name", page_size=1), say("These are the documents."))
    page.goto(app.url)
    ask(page, "List the documents by name")
    listed = page.locator(".pc-listing .pc-document")
    expect(listed).to_have_text([CONTRACT])
    asked = len(provider.server.bodies)
    page.get_by_role("button", name="Next").click()
    expect(listed).to_have_text([OTHER])
    expect(answers(page)).to_have_text(["These are the documents."])
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    picture(page, artifacts, "jobs-9-second-page-of-a-list")
    page.go_back()
    expect(listed).to_have_text([CONTRACT])
    page.go_forward()
    expect(listed).to_have_text([OTHER])
    listed.click()
    expect(page.locator("section.viewer .sheet img").first).to_be_visible()
    expect(listed).to_have_text([OTHER])
    page.reload()
    expect(listed).to_have_text([OTHER])
    expect(page.locator("section.viewer .sheet img").first).to_be_visible()
    assert len(provider.server.bodies) == asked
    check(watch)


@pytest.mark.req("TRACE-1")
def test_the_trace_shows_every_kind_of_step_in_light_and_dark_at_both_widths(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    """The third time that the model asks for the same ends the turn."""
    again = search("late interest")
    provider.play(
        calls(call("rewrite_query", query="When are invoices to be paid?"), search("invoices")),
        calls(again, find(text="parking"), raw_call("serch", "{}")),
        again,
        again,
    )
    page.goto(app.url)
    ask(page, "wen are invoices due")
    expect(notes(page)).to_contain_text("Partial answer")
    page.get_by_role("button", name="Trace", exact=True).click()
    trace = page.locator(".st-key-ask-trace")
    for text in (
        "Reworded: wen are invoices due → When are invoices to be paid?",
        "Search ‘invoices’ in Suppliers",
        "Search ‘late interest’ in Suppliers",
        "List documents · 1 document",
        "serch {} · rejected",
        "already asked",
        "Limit reached: identical calls",
        "Ended with a partial answer",
    ):
        expect(trace.get_by_text(text).first).to_be_visible()
    trace.locator("details.pc-step", has=page.locator(".pc-kept")).first.locator("summary").click()
    for width in (1280, 1600):
        page.set_viewport_size({"width": width, "height": 1000})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            picture(page, artifacts, f"trace-{width}-{scheme}")
            assert trace.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check(watch)


def test_on_a_narrow_screen_nothing_shows_through_the_bar_at_the_top(
    app: App, provider: SlowProvider, page: Page, watch: Watch, artifacts: Path
) -> None:
    provider.play(say("A long answer.\n\n" * 40))
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(app.url)
    ask(page, QUESTION)
    expect(answers(page)).to_contain_text("A long answer.")
    page.locator(".pc-question").scroll_into_view_if_needed()
    bar = page.get_by_test_id("stHeader")
    box, question = bar.bounding_box(), page.locator(".pc-question").bounding_box()
    assert box is not None
    assert question is not None
    assert question["y"] >= box["y"] + box["height"] - 1
    assert "rgba(0, 0, 0, 0)" not in bar.evaluate("bar => getComputedStyle(bar).backgroundColor")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, artifacts, "jobs-10-narrow")
    check(watch)
