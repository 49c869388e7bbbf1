"""Who is behind a request, where people sign in: the signed cookie says it, and nothing else does."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.auth_util import set_cookie_with_chunks
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from tests.ui.conftest import make_pdf
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.domain.documents import Document
from workbench.domain.rights import Role
from workbench.services.ingestion.uploads import Upload
from workbench.settings import Settings, SignIn
from workbench.ui import process
from workbench.ui.http import access as access_module
from workbench.ui.http.routes import MIDDLEWARE, ROUTES

pytestmark = pytest.mark.req("OPEN-4", "CITE-9")

OURS = "a secret for the cookie of thirty-two characters and more"
ORIGIN = "https://pincite.example"
SIGN_IN_FIRST, NOT_FOUND = (401, b"Sign in first"), (404, b"Not found")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, file_reader: Any) -> Iterator[bootstrap.Workbench]:
    settings = Settings(
        home=tmp_path_factory.mktemp("home"),
        sign_in=SignIn.OIDC,
        oidc_url="https://id.example/.well-known/openid-configuration",
        oidc_client_id="pincite",
        oidc_client_secret=SecretStr("a secret of the client"),
        cookie_secret=SecretStr(OURS),
        public_url=ORIGIN,
    )
    built = bootstrap.build(settings, embedder=HashingEmbedder(), reader=file_reader)
    process.install(built)
    yield built
    process.close()


@pytest.fixture(scope="module")
def lease(bench: bootstrap.Workbench) -> Document:
    """A document in a container of Ana's, who was invited and has not signed in yet."""
    made = bench.library.create_container(bench.library.access(bootstrap.LOCAL_USER), "Leases")
    local = bench.library.access(bootstrap.LOCAL_USER)
    (taken,) = bench.ingestion.submit(local, made.id, [Upload("lease.pdf", make_pdf("The rent"))])
    assert taken.document_id is not None
    bench.ingestion.wait([taken.document_id], timeout=60)
    bench.people.add_member(local, made.id, "ana@example.com", Role.READER)
    return bench.library.document(local, taken.document_id)


@pytest.fixture
def ask(lease: Document, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[int, bytes]]]:
    """Ask for the PDF, or for another document's, with these cookies and headers."""
    monkeypatch.setattr(access_module, "get_cookie_secret", lambda: OURS)
    monkeypatch.setattr(access_module, "get_origin_from_redirect_uri", lambda: ORIGIN)
    with TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE)) as client:

        def get(cookies: dict[str, str], document: str = lease.id, **headers: str) -> tuple[int, bytes]:
            said = "; ".join(f"{name}={value}" for name, value in cookies.items())
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            answer = client.get(f"/documents/{document}/document.pdf", headers={"Cookie": said, **sent})
            return answer.status_code, answer.content[:13]

        yield get


def claims(email: str = "ana@example.com", **others: Any) -> dict[str, Any]:
    """What a sign-in of now keeps in the cookie."""
    said = {
        "origin": ORIGIN,
        "is_logged_in": True,
        "iss": "https://id.example",
        "sub": f"subject of {email}",
        "email": email,
        "iat": datetime.now(UTC).timestamp(),
    }
    return said | others


def cookie(said: Any, secret: str = OURS, name: str = USER_COOKIE_NAME) -> dict[str, str]:
    """Write the cookie as Streamlit does, in pieces where it is long."""
    held: dict[str, str] = {}

    def signed(part: str, value: str) -> bytes:
        return create_signed_value(secret, name if part == USER_COOKIE_NAME else part, value)

    def keep(part: str, value: str) -> None:
        held[part] = signed(part, value).decode()

    set_cookie_with_chunks(keep, signed, USER_COOKIE_NAME, said, cookie_attr_size=100)
    return held


def test_who_is_a_member_gets_the_file(ask: Callable[..., tuple[int, bytes]]) -> None:
    assert ask(cookie(claims()))[0] == 200


def test_a_long_cookie_in_pieces_counts_whole_or_not_at_all(ask: Callable[..., tuple[int, bytes]]) -> None:
    pieces = cookie(claims(groups=[sha256(bytes([number])).hexdigest() for number in range(200)]))
    assert len(pieces) > 2
    assert ask(pieces)[0] == 200
    del pieces[max(pieces)]
    assert ask(pieces) == SIGN_IN_FIRST


def test_without_a_cookie_every_document_asks_for_the_sign_in(ask: Callable[..., tuple[int, bytes]]) -> None:
    assert ask({}) == ask({}, document="doc_none") == SIGN_IN_FIRST


def test_who_is_no_member_is_told_what_is_told_of_a_missing_document(ask: Callable[..., tuple[int, bytes]]) -> None:
    stranger = cookie(claims("ben@example.com"))
    assert ask(stranger) == ask(stranger, document="doc_none") == NOT_FOUND


def _cut(held: dict[str, str]) -> dict[str, str]:
    return {name: value[:-4] for name, value in held.items()}


def _swapped(held: dict[str, str]) -> dict[str, str]:
    """Put the contents of another sign-in under the signature of this one."""
    other = cookie(claims("ben@example.com"))[USER_COOKIE_NAME]
    _, time, signature = other.rsplit(".", 2)
    return {USER_COOKIE_NAME: ".".join([held[USER_COOKIE_NAME].rsplit(".", 2)[0], time, signature])}


FORGED: dict[str, Callable[[], dict[str, str]]] = {
    "plain": lambda: {USER_COOKIE_NAME: json.dumps(claims()).replace('"', "'").replace(" ", "")},
    "empty": lambda: {USER_COOKIE_NAME: ""},
    "cut": lambda: _cut(cookie(claims())),
    "contents of another under this signature": lambda: _swapped(cookie(claims())),
    "signed with another secret": lambda: cookie(claims(), secret="another secret of thirty-two characters and more"),
    "signed with an empty secret": lambda: cookie(claims(), secret=""),
    "signed for another cookie": lambda: cookie(claims(), name="_streamlit_user_tokens"),
    "of another app": lambda: cookie(claims(origin="https://elsewhere.example")),
    "not signed in": lambda: cookie(claims(is_logged_in=False)),
    "too old": lambda: cookie(claims(iat=(datetime.now(UTC) - timedelta(hours=13)).timestamp())),
    "of tomorrow": lambda: cookie(claims(iat=(datetime.now(UTC) + timedelta(days=1)).timestamp())),
    "of no time": lambda: cookie(claims(iat=None)),
    "of nobody": lambda: cookie(claims(sub="")),
    "of no provider": lambda: cookie(claims(iss=None)),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_cookie_that_is_not_of_a_sign_in_of_now_is_none(ask: Callable[..., tuple[int, bytes]], kind: str) -> None:
    assert ask(FORGED[kind]()) == SIGN_IN_FIRST


@pytest.mark.parametrize("cookies", [{}, cookie(claims("ben@example.com"))], ids=["nobody", "another"])
def test_headers_that_claim_a_user_are_ignored(ask: Callable[..., tuple[int, bytes]], cookies: dict[str, str]) -> None:
    claimed = {
        "X_Forwarded_User": "ana@example.com",
        "X_Forwarded_Email": "ana@example.com",
        "X_Remote_User": "local",
        "X_Streamlit_User": json.dumps(claims()),
        "Authorization": "Bearer ana@example.com",
    }
    assert ask(cookies, **claimed) == ask(cookies) != (200, b"")
    assert ask(cookies)[0] in (401, 404)


def test_an_address_alone_gives_nobody_the_account_of_who_has_signed_in(ask: Callable[..., tuple[int, bytes]]) -> None:
    assert ask(cookie(claims()))[0] == 200
    assert ask(cookie(claims(sub="somebody else with the address"))) == NOT_FOUND


def test_an_unverified_address_takes_no_invitation(
    ask: Callable[..., tuple[int, bytes]], bench: bootstrap.Workbench, lease: Document
) -> None:
    local = bench.library.access(bootstrap.LOCAL_USER)
    bench.people.add_member(local, lease.container_id, "eve@example.com", Role.READER)
    assert ask(cookie(claims("eve@example.com", email_verified=False))) == NOT_FOUND
    assert ask(cookie(claims("eve@example.com", email_verified=True, sub="the real one")))[0] == 200


def test_a_removed_member_loses_the_file_at_the_next_request(
    ask: Callable[..., tuple[int, bytes]], bench: bootstrap.Workbench, lease: Document
) -> None:
    local = bench.library.access(bootstrap.LOCAL_USER)
    user = bench.people.add_member(local, lease.container_id, "guy@example.com", Role.EDITOR)
    held = cookie(claims("guy@example.com"))
    assert ask(held)[0] == 200
    bench.people.remove_member(local, lease.container_id, user.id)
    assert ask(held) == NOT_FOUND
