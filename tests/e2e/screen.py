"""What the browser tests do and look at on the screens."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "samples"


def open_screen(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()


def question_box(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def ask(page: Page, question: str) -> None:
    box = question_box(page)
    expect(box).to_be_enabled()
    box.fill(question)
    box.press("Enter")


def answers(page: Page) -> Locator:
    return page.locator(".pc-answer")


def chips(page: Page) -> Locator:
    return page.locator(".pc-answer a.pc-cite")


def stop_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Stop")


def picture(page: Page, directory: Path, name: str) -> None:
    """Keep a picture of the screen, once nothing on it is a placeholder any more."""
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.screenshot(path=str(directory / f"{name}.png"))
