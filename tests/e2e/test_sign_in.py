"""Signing in at a real provider on this machine: deep links survive it, and rights are those of the moment."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import SOON, App, free_port, stock, stop_app
from tests.ui.conftest import make_pdf
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.adapters.sql.users import SqlUserStore
from workbench.domain.documents import Document
from workbench.domain.people import without
from workbench.domain.rights import Role
from workbench.settings import Settings

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.req("CITE-9", "OPEN-4", "LIB-1"),
    # Of the provider's own code, which runs in a thread of this process.
    pytest.mark.filterwarnings("ignore:get_jwt_config:DeprecationWarning"),
]

PEOPLE = [
    User(sub="ana-7", claims={"email": "ana@example.com", "name": "Kim Lee", "email_verified": True}),
    User(sub="ben-8", claims={"email": "ben@example.com", "name": "Kim Lee", "email_verified": True}),
]


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    with run_server_in_thread(user_claims=PEOPLE) as server:
        yield f"http://127.0.0.1:{server.server_port}/.well-known/openid-configuration"


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Document]:
    """A data directory from before there was sign-in, with a lease; its container was opened to Ana by her address."""
    home = tmp_path_factory.mktemp("home")
    file = home / "lease.pdf"
    file.write_bytes(make_pdf("The rent falls due on the third working day"))
    stock(home, HashingEmbedder(), "Leases", file)
    workbench = bootstrap.build(Settings(home=home), embedder=HashingEmbedder())
    try:
        access = workbench.library.access(bootstrap.LOCAL_USER)
        (container,) = workbench.library.containers(access)
        workbench.people.add_member(access, container.id, "Ana@Example.com", Role.READER)
        (document,) = workbench.library.documents(access, [container.id])
        return home, document
    finally:
        workbench.close()


@pytest.fixture(scope="module")
def app(lease: tuple[Path, Document], provider: str) -> Iterator[App]:
    home, _ = lease
    port = free_port()
    settings = {
        "PINCITE_SIGN_IN": "oidc",
        "PINCITE_OIDC_URL": provider,
        "PINCITE_OIDC_CLIENT_ID": "pincite",
        "PINCITE_OIDC_CLIENT_SECRET": "a secret of the client",
        "PINCITE_COOKIE_SECRET": "a secret for the cookie of thirty-two characters and more",
        "PINCITE_PUBLIC_URL": f"http://127.0.0.1:{port}",
    }
    started = App(home, home / "app.log", port, settings)
    yield started
    stop_app(started)


def sign_in(page: Page, subject: str) -> None:
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=subject).click()


def test_a_deep_link_survives_the_sign_in_and_a_removed_member_loses_access_at_once(
    app: App, lease: tuple[Path, Document], page: Page, browser: Browser
) -> None:
    home, document = lease
    deep = f"{app.url}/document?document={document.id}"
    pdf = f"{app.url}/documents/{document.id}/document.pdf"
    page.goto(deep)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.request.get(pdf, timeout=SOON).status == 401
    sign_in(page, "ana-7")
    expect(page.get_by_text("lease.pdf").first).to_be_visible()
    assert page.url == deep
    expect(page.get_by_text("ana@example.com")).to_be_visible()
    assert page.request.get(pdf).status == 200

    other = browser.new_context()
    try:
        stranger = other.new_page()
        stranger.goto(deep)
        sign_in(stranger, "ben-8")
        expect(stranger.get_by_text("ben@example.com")).to_be_visible()
        expect(stranger.get_by_role("heading", name="Not found")).to_be_visible()
        refused, missing = stranger.request.get(pdf), stranger.request.get(pdf.replace(document.id, "doc_none"))
        assert (refused.status, refused.body()) == (missing.status, missing.body()) == (404, b"Not found")
    finally:
        other.close()

    database = open_database(f"sqlite:///{home / 'pincite.db'}")
    try:
        (ana,) = SqlUserStore(database).users_with_email("ana@example.com")
        SqlLibraryStore(database).change_members(document.container_id, lambda members: without(members, ana.id))
    finally:
        database.close()
    page.get_by_role("button", name="Read").first.click()
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    assert page.request.get(pdf).status == 404

    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()  # at the provider, which sends back
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.request.get(pdf).status == 401
