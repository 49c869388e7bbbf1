"""No path gives anybody what is not theirs.

For generated members, roles and blocked people, every route and every service method that is asked for something by its id
answers for what is not the user's exactly as for what does not exist, and no list holds a word of it. Who may see what is
decided here anew, from the generated members. A route or a method that is not in this file fails its tests.
"""

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.security.conftest import SECRETS, USERS, Ids, World, ids
from workbench.bootstrap import Workbench
from workbench.domain.errors import NotAllowed, PinciteError
from workbench.domain.ids import UserId
from workbench.domain.listing import ListingQuery
from workbench.domain.rights import Access, Action, Role
from workbench.domain.scope import build_scope
from workbench.services.export import ExportFormat
from workbench.services.ingestion.uploads import Upload
from workbench.services.passages.query import PassageQuery
from workbench.ui import process
from workbench.ui.http.routes import ROUTES

pytestmark = pytest.mark.req("CITE-9", "FIND-1")

Call = Callable[[Workbench, Access, Ids], Any]
NOWHERE = ids("none")
READING: dict[str, Call] = {
    "library.container": lambda b, a, of: b.library.container(a, of.container),
    "library.documents": lambda b, a, of: b.library.documents(a, [of.container]),
    "library.document": lambda b, a, of: b.library.document(a, of.document),
    "library.document_for": lambda b, a, of: b.library.document_for(a, of.document, Action.READ),
    "library.tag_values": lambda b, a, of: b.library.tag_values(a, [of.container]),
    "library.versions": lambda b, a, of: b.library.versions(a, of.document),
    "library.chunks": lambda b, a, of: b.library.chunks(a, of.document),
    "library.page": lambda b, a, of: b.library.page(a, of.document, 1),
    "library.pages": lambda b, a, of: b.library.pages(a, of.document, [1]),
    "library.page_outlines": lambda b, a, of: b.library.page_outlines(a, of.document),
    "library.outline": lambda b, a, of: b.library.outline(a, of.document),
    "library.page_texts": lambda b, a, of: b.library.page_texts(a, of.document),
    "library.page_image": lambda b, a, of: b.library.page_image(a, of.document, 1, 300),
    "library.canonical_pdf": lambda b, a, of: b.library.canonical_pdf(a, of.document),
    "library.original": lambda b, a, of: b.library.original(a, of.document),
    "search.run": lambda b, a, of: b.search.run(build_scope(a, [of.container]), "payment terms").kept,
    "search.documents": lambda b, a, of: b.search.documents(build_scope(a, [of.container])),
    "passages.find": lambda b, a, of: (
        b.passages.find(a, PassageQuery(text="terms", containers=(of.container,))).passages
    ),
    "passages.highlights": lambda b, a, of: b.passages.highlights(a, of.document, 0, "payment"),
    "listings.find": lambda b, a, of: b.listings.find(build_scope(a, [of.container]), ListingQuery()).listing.items,
    "finder.find": lambda b, a, of: b.finder.find(a, of.document, "clause"),
    "sheets.of": lambda b, a, of: b.sheets.of(a, of.document),
    "sheets.rows": lambda b, a, of: b.sheets.rows(a, of.document, 1, 1, 9),
    "ingestion.progress": lambda b, a, of: b.ingestion.progress(a, [of.document]),
    "ingestion.jobs": lambda b, a, of: b.ingestion.jobs(a, of.document),
    "deletion.receipt": lambda b, a, of: b.deletion.receipt(a, of.receipt),
    "deletion.history": lambda b, a, of: b.deletion.history(a, of.receipt),
}
"""What whoever is a member of the container may have, and nobody else."""

SPEAKING: dict[str, Call] = {
    "conversations.get": lambda b, a, of: b.conversations.get(a, of.conversation),
    "conversations.turns": lambda b, a, of: b.conversations.turns(a, of.conversation),
    "conversations.turn": lambda b, a, of: b.conversations.turn(a, of.turn),
    "conversations.events": lambda b, a, of: b.conversations.events(a, of.turn),
    "turns.events": lambda b, a, of: b.turns.events(a, of.turn),
    "turns.follow": lambda b, a, of: list(b.turns.follow(a, of.turn)),
    "turns.wait": lambda b, a, of: b.turns.wait(a, of.turn),
    "turns.stop": lambda b, a, of: b.turns.stop(a, of.turn),
    "export.file": lambda b, a, of: b.export.file(a, of.conversation, ExportFormat.MARKDOWN).name,
    "export.values": lambda b, a, of: b.export.values(a, of.conversation)["turns"],
    "export.markdown": lambda b, a, of: b.export.markdown(a, of.conversation).partition("\n\nE")[2][:0],
    "calculations.runs": lambda b, a, of: b.calculations.runs(a, of.turn),
    "calculations.again": lambda b, a, of: b.calculations.again(a, of.turn, "call_1"),
    "highlights.of_mention": lambda b, a, of: b.highlights.of_mention(a, of.turn, 0),
    "replay.run": lambda b, a, of: b.replay.run(a, of.turn),
    "evals.sample_of": lambda b, a, of: b.evals.sample_of(a, of.turn),
    "evals.add_sample": lambda b, a, of: b.evals.add_sample(a, of.turn, Path("nowhere.toml")),
}
"""What whoever asked may have, and nobody else, not even a member of the same container."""

LISTS: dict[str, Callable[[Workbench, Access], Any]] = {
    "library.containers": lambda b, a: b.library.containers(a),
    "gaps.topics": lambda b, a: b.gaps.topics(a),
    "deletion.receipts": lambda b, a: b.deletion.receipts(a),
    "tagging.suggestions": lambda b, a: b.tagging.suggestions(
        a, [each for each in map(_document(b), SECRETS) if each is not None]
    ),
}
"""Lists of what is the user's, over all containers."""

CHANGING: dict[str, tuple[Action, Call]] = {
    "library.edit": (Action.EDIT, lambda b, a, of: b.library.edit(a, of.document, lambda _: {})),
    "labels.retag": (Action.EDIT, lambda b, a, of: b.labels.retag(a, [of.document])),
    "labels.replace_tags": (
        Action.EDIT,
        lambda b, a, of: b.labels.replace_tags(a, of.document, b.library.document(a, of.document).tags),
    ),
    "labels.set_date": (Action.EDIT, lambda b, a, of: b.labels.set_date(a, [of.document], None)),
    "labels.set_language": (Action.EDIT, lambda b, a, of: b.labels.set_language(a, [of.document], None)),
    "labels.set_hidden": (Action.EDIT, lambda b, a, of: b.labels.set_hidden(a, [of.document], False)),
    "labels.apply": (Action.EDIT, lambda b, a, of: b.labels.apply(a, of.document, lambda _: {})),
    "tagging.accept": (Action.EDIT, lambda b, a, of: b.tagging.accept(a, of.document, [])),
    "tagging.dismiss": (Action.EDIT, lambda b, a, of: b.tagging.dismiss(a, of.document, [])),
    "ingestion.submit": (Action.EDIT, lambda b, a, of: b.ingestion.submit(a, of.container, list[Upload]())),
    "ingestion.cancel": (Action.EDIT, lambda b, a, of: b.ingestion.cancel(a, of.document)),
    "ingestion.retry": (Action.EDIT, lambda b, a, of: b.ingestion.retry(a, of.document)),
    "deletion.retry": (Action.DELETE_DOCUMENTS, lambda b, a, of: b.deletion.retry(a, of.receipt)),
    "people.members": (Action.SEE_MEMBERS, lambda b, a, of: b.people.members(a, of.container)),
    "people.rename_container": (
        Action.MANAGE,
        lambda b, a, of: b.people.rename_container(a, of.container, f"Case {_secret_of(of)}"),
    ),
    "people.delete_container": (Action.MANAGE, lambda b, a, of: b.people.delete_container(a, of.container)),
}
"""What needs a role. What each does here changes nothing that another call looks at."""

ELSEWHERE = {
    "library": "access container_ids ensure_container container_named create_container change delete_unused_blobs "
    "users_of remove_file remove add family publish",
    "people": "sign_in standing add_member set_role add_user remove_member managed everybody block user",
    "ingestion": "load_samples wait let_go resume close",
    "gaps": "record take_turn dismiss",
    "passages": "forget",
    "listings": "page_of",
    "conversations": "create list find rename pin choose touch",
    "deletion": "delete_document delete_conversation may_retry attempt resume close",
    "turns": "ask recover close",
    "highlights": "newest",
    "calculations": "",
    "reindex": "status start missing",
    "evals": "run log logs compare rescore",
    "clients": "create local tokens refusal revoke authenticate",
    "tool_calls": "run specs",
}
"""Methods that take no id of a user's choosing, that are asked by the program itself, or that have their tests elsewhere."""

OTHER_PARTS = {
    "settings",
    "model",
    "embedder",
    "samples",
    "close",
    "probe",
    "now",
    "warm_up",
}
"""Parts of the workbench that give no user anything of a document, or have a suite of their own beside them."""


def _secret_of(of: Ids) -> str:
    return next((secret for secret in SECRETS if ids(secret).container == of.container), "of nobody")


def _document(bench: Workbench) -> Callable[[str], Any]:
    """Read a document with the rights of a member, whoever asks."""

    def read(secret: str) -> Any:
        of = ids(secret)
        everything = Access(user_id=UserId("root"), containers=frozenset([of.container]))
        return bench.library.document(everything, of.document)

    return read


def outcome(call: Call, bench: Workbench, access: Access, of: Ids) -> tuple[str, str]:
    """Return what a call gives, or how it fails, as text without the ids that were asked for."""
    try:
        result = call(bench, access, of)
    except PinciteError as error:
        return type(error).__name__, _without_ids(str(error), of)
    return "gave", _without_ids(_text(result), of)


def _without_ids(text: str, of: Ids) -> str:
    for each in of:
        text = text.replace(each, "<id>")
    return text


def _text(value: Any) -> str:
    if isinstance(value, Path):
        return value.read_bytes().decode()
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return " ".join(map(_text, value))
    return repr(value)


cells = st.tuples(st.integers(0, len(SECRETS) - 1), st.sampled_from(USERS))
worlds = st.tuples(
    st.dictionaries(cells, st.sampled_from(Role), max_size=9), st.frozensets(st.sampled_from(USERS), max_size=2)
)
in_any_world = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def member(
    members: dict[tuple[int, UserId], Role], blocked: frozenset[UserId], user: UserId, number: int
) -> Role | None:
    """The oracle: the role of a user in a container, from what was generated."""
    return None if user in blocked else members.get((number, user))


@in_any_world
@given(drawn=worlds)
def test_what_is_not_the_users_looks_as_if_it_did_not_exist(world: World, drawn: Any) -> None:
    members, blocked = drawn
    world.give(members)
    world.block(blocked)
    for user in USERS:
        access = world.bench.library.access(user)
        for number, secret in enumerate(SECRETS):
            mine = member(members, blocked, user, number) is not None
            for name, call in READING.items():
                missing = outcome(call, world.bench, access, NOWHERE)
                found = outcome(call, world.bench, access, ids(secret))
                if not mine:
                    assert found == missing, (name, user, secret)
                elif missing[0] != "gave" and name not in ("sheets.of", "sheets.rows", "ingestion.jobs"):
                    assert found[0] == "gave", (name, user, secret, found)
            for name, call in SPEAKING.items():
                if user != USERS[number]:
                    assert outcome(call, world.bench, access, ids(secret)) == outcome(
                        call, world.bench, access, NOWHERE
                    ), (name, user, secret)
            for name, lists in LISTS.items():
                assert mine or secret not in _text(lists(world.bench, access)), (name, user, secret)


@in_any_world
@given(drawn=worlds)
def test_a_change_needs_the_role_for_it(world: World, drawn: Any) -> None:
    members, blocked = drawn
    world.give(members)
    world.block(blocked)
    enough = {
        Action.EDIT: {Role.EDITOR, Role.OWNER},
        Action.DELETE_DOCUMENTS: {Role.OWNER},
        Action.SEE_MEMBERS: set(Role),
        Action.MANAGE: {Role.OWNER},
    }
    for user in USERS:
        access = world.bench.library.access(user)
        administrator = user == "cleo" and user not in blocked
        for number, secret in enumerate(SECRETS):
            role = member(members, blocked, user, number)
            for name, (action, call) in CHANGING.items():
                kind, words = outcome(call, world.bench, access, ids(secret))
                may = role in enough[action] or (administrator and action in (Action.SEE_MEMBERS, Action.MANAGE))
                if may:
                    assert kind not in (NotAllowed.__name__, "NotFound"), (name, user, secret, words)
                elif role is None and not administrator:
                    assert (kind, words) == outcome(call, world.bench, access, NOWHERE), (name, user, secret)
                else:
                    assert kind in (NotAllowed.__name__, "NotFound"), (name, user, secret, words)


@pytest.fixture
def client(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, Callable[[UserId], None]]]:
    """A client of the routes, and a function that says who is behind it."""
    who = [USERS[0]]
    monkeypatch.setattr(process, "local_access", lambda: world.bench.library.access(who[0]))
    process.install(world.bench)
    with TestClient(Starlette(routes=[each for each in ROUTES if isinstance(each, Route)])) as opened:
        yield opened, lambda user: who.__setitem__(0, user)
    process.install(None)


FORMS = {
    "/documents/{document_id}/document.pdf": "document.pdf",
    "/documents/{document_id}/original": "original",
    "/documents/{document_id}/geometry.json": "geometry.json",
    "/documents/{document_id}/find.json": "find.json?q=clause",
    "/documents/{document_id}/sheets.json": "sheets.json",
    "/documents/{document_id}/sheets/{number:int}/rows.json": "sheets/1/rows.json?first=1&last=9",
    "/documents/{document_id}/pages/{number:int}.img": "pages/1.img",
    "/documents/{document_id}/pages/{number:int}/words.json": "pages/1/words.json",
}
"""The routes of documents, and how each is asked for."""

SCREENS = {"/", "/search", "/documents", "/document", "/viewer", "/settings", "/mcp"}
"""Addresses that give the same empty page to everybody; and the door of programs, which has a suite of its own."""


@in_any_world
@given(drawn=worlds)
def test_a_route_answers_for_what_is_forbidden_as_for_what_is_missing(world: World, client: Any, drawn: Any) -> None:
    members, blocked = drawn
    world.give(members)
    world.block(blocked)
    opened, be = client
    for user in USERS:
        be(user)
        for number, secret in enumerate(SECRETS):
            for form in FORMS.values():
                found = opened.get(f"/documents/{ids(secret).document}/{form}", headers={"X-Forwarded-User": "root"})
                missing = opened.get(f"/documents/{NOWHERE.document}/{form}")
                if member(members, blocked, user, number) is None:
                    assert (found.status_code, found.content) == (404, missing.content), (form, user)
                    assert dict(found.headers) == dict(missing.headers)
                elif not form.startswith("sheets"):
                    assert found.status_code == 200, (form, user, found.text)


def test_every_route_of_documents_is_in_this_suite() -> None:
    paths = {each.path for each in ROUTES if isinstance(each, Route)}
    assert paths - SCREENS == set(FORMS)


def test_every_public_method_of_the_services_is_in_this_suite() -> None:
    known = {*READING, *SPEAKING, *LISTS, *CHANGING}
    known |= {f"{part}.{name}" for part, names in ELSEWHERE.items() for name in names.split()}
    there = {
        f"{part.name}.{name}"
        for part in dataclasses.fields(Workbench)
        if part.name not in OTHER_PARTS
        for name, _ in inspect.getmembers(part.type, inspect.isfunction)
        if not name.startswith("_")
    }
    assert there - known == set()
    assert known - there == set()
