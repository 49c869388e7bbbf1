"""A key that is set stands nowhere: not in the data directory, the logs, an export, the trace, a message or a screen."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.ask.desk import Desk, search
from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.responses_server import FakeResponsesServer, faults, running
from workbench.adapters.fakes.steps import say
from workbench.domain.results import TurnStatus
from workbench.services.export import ExportFormat
from workbench.settings import Provider, Settings
from workbench.ui import process

pytestmark = [pytest.mark.req("OPEN-6"), pytest.mark.req("OPEN-3")]

CANARY = "canary-7Qm2-zebra-0451-key"


@pytest.fixture
def server() -> FakeResponsesServer:
    return FakeResponsesServer([search("payment"), say("Due in 45 days [S1]."), say("Never.")], key=CANARY)


@pytest.fixture
def desk(tmp_path: Path, server: FakeResponsesServer, pdf: Callable[..., bytes]) -> Iterator[Desk]:
    with running(server) as url:
        settings = Settings(home=tmp_path, provider=Provider.COMPATIBLE, model="scripted", base_url=url, api_key=CANARY)
        made = Desk(bootstrap.build(settings, embedder=HashingEmbedder()))
        process.install(made.workbench)
        made.add("halden.pdf", pdf("Payment is due within 45 days of the invoice."))
        yield made
        process.close()


def everything_on(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(str(element.proto) for element in (*at.main, *at.sidebar))


def test_a_key_stands_nowhere_even_when_the_provider_repeats_it(
    desk: Desk,
    server: FakeResponsesServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    open_screen: Callable[..., AppTest],
) -> None:
    caplog.set_level(logging.DEBUG)
    refused = (400, "invalid_request", f"The account of {CANARY} is closed.", "invalid_request_error", {})
    monkeypatch.setitem(faults._HTTP_ERRORS, "server_error", refused)
    answered = desk.asked()
    server.fail("server_error")
    failed = desk.workbench.turns.ask(desk.access, answered.conversation_id, "And now?")
    failed = desk.workbench.turns.wait(desk.access, failed.id)
    screens = [
        everything_on(open_screen("ask", conversation=failed.conversation_id, turn=failed.id, tab="trace")),
        everything_on(open_screen("settings")),
    ]
    exports = [
        desk.workbench.export.file(desk.access, failed.conversation_id, format_).text for format_ in ExportFormat
    ]
    desk.workbench.deletion.delete_conversation(desk.access, failed.conversation_id)
    receipts = [str(receipt) for receipt in desk.workbench.deletion.receipts(desk.access)]
    described = [str(desk.workbench.settings.describe()), repr(desk.workbench.settings)]

    assert answered.status is TurnStatus.ANSWERED
    assert failed.status is TurnStatus.FAILED
    assert "The account of [key] is closed." in failed.reason
    for text in (*screens, *exports, *receipts, *described, caplog.text, str(failed)):
        assert CANARY not in text
    process.close()
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any(file.name == "pincite.db" for file in files)
    assert [file.name for file in files if CANARY.encode() in file.read_bytes()] == []
