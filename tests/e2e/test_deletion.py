"""Deleting a conversation in the browser: the provider's responses go too, and the receipt says what is not confirmed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import App, Watch, start_app, stop_app
from tests.e2e.screen import answers, ask, open_screen, picture
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.steps import say
from workbench.settings import Settings

pytestmark = [pytest.mark.e2e, pytest.mark.req("CHAT-2")]

QUESTION = "Which contracts do we have?"


@pytest.fixture(scope="module")
def provider() -> FakeResponsesServer:
    return FakeResponsesServer([say("There is nothing in this container yet.")])


@pytest.fixture(scope="module")
def app(provider: FakeResponsesServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    home: Path = tmp_path_factory.mktemp("home")
    workbench = bootstrap.build(Settings(home=home), embedder=HashingEmbedder())
    workbench.library.create_container(workbench.library.access(bootstrap.LOCAL_USER), "Legal")
    workbench.close()
    with running(provider) as url:
        settings = {"PROVIDER": "compatible", "BASE_URL": url, "MODEL": "scripted", "HISTORY": "chain"}
        started = start_app(home, **{f"PINCITE_{name}": value for name, value in settings.items()})
        yield started
        stop_app(started)


def delete_opened_conversation(page: Page) -> None:
    page.locator(".st-key-ask-opened-row").get_by_role("button").last.click()
    page.get_by_role("option", name="Delete").or_(page.get_by_role("menuitem", name="Delete")).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()


def test_a_conversation_is_deleted_here_and_at_the_provider(
    app: App, provider: FakeResponsesServer, page: Page, watch: Watch, artifacts: Path
) -> None:
    page.goto(app.url)
    ask(page, QUESTION)
    expect(answers(page)).to_contain_text("There is nothing in this container yet.")
    assert len(provider.store.ids()) == 1
    provider.fail_deletions("server_error")

    delete_opened_conversation(page)

    toast = page.get_by_test_id("stToast")
    expect(toast).to_contain_text("is deleted here. Not confirmed yet: response at the provider.")
    expect(page.get_by_role("button", name=QUESTION)).to_have_count(0)
    picture(page, artifacts, "deleted conversation")
    assert len(provider.store.ids()) == 1

    open_screen(page, "Settings")
    expect(page.get_by_text("failed at it (status 500)")).to_be_visible()
    picture(page, artifacts, "receipts")
    page.get_by_role("button", name="Try again now").click()

    expect(page.get_by_text("Everything that was deleted is confirmed to be gone.")).to_be_visible()
    assert provider.store.ids() == []
    assert (watch.errors, watch.outside) == ([], [])
