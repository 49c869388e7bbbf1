"""Back to where one was after a sign-in, and to nowhere else."""

from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from workbench.ui.http.return_to import COOKIE, ReturnTo, is_local, page_of

pytestmark = pytest.mark.req("CITE-9")

DEEP = "/viewer?conversation=conv_7&turn=turn_9&mention=2"


def away(_: Request) -> RedirectResponse:
    return RedirectResponse("https://id.example/authorize", 302)


def home(_: Request) -> RedirectResponse:
    return RedirectResponse("/", 302)


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/auth/login", away), Route("/oauth2callback", home), Route("/other", home)]
    app = Starlette(routes=routes, middleware=[Middleware(ReturnTo)])
    return TestClient(app, base_url="http://pincite.example", follow_redirects=False)


def test_the_page_that_asked_for_the_sign_in_is_returned_to_once(client: TestClient) -> None:
    client.get("/auth/login?provider=x", headers={"Referer": f"http://pincite.example{DEEP}"})
    assert client.get("/other").headers["location"] == "/"
    assert client.get("/oauth2callback?code=1").headers["location"] == DEEP
    assert client.get("/oauth2callback?code=1").headers["location"] == "/"


@pytest.mark.parametrize(
    "referrer",
    ["", "http://evil.example/viewer", "http://pincite.example.evil/x", "http://[bad", "http://pincite.example"],
)
def test_a_page_of_elsewhere_is_not(client: TestClient, referrer: str) -> None:
    client.get("/auth/login", headers={"Referer": referrer})
    assert client.get("/oauth2callback").headers["location"] == "/"


@pytest.mark.parametrize(
    "target", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nX: y", "/" * 3000]
)
def test_a_forged_cookie_leads_nowhere_else(client: TestClient, target: str) -> None:
    client.cookies.set(COOKIE, quote(target, safe=""))
    assert client.get("/oauth2callback").headers["location"] == "/"
    assert not is_local(target)


def test_path_and_query_are_kept_whole() -> None:
    assert (
        page_of("http://pincite.example/search?q=caf%C3%A9&page=2", "pincite.example") == "/search?q=caf%C3%A9&page=2"
    )
