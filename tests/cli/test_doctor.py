"""``pincite doctor``: what it finds, what it advises, and its exit code."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from workbench import doctor
from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.steps import say
from workbench.cli import main
from workbench.doctor import Finding, State
from workbench.domain.errors import SandboxUnavailable
from workbench.settings import Settings

pytestmark = pytest.mark.req("OPEN-6")
Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PINCITE_SANDBOX", "off")

    def invoke(*arguments: str) -> Any:
        return CliRunner().invoke(main.app, ["doctor", *arguments], catch_exceptions=True)

    return invoke


def finding(check: str, settings: Settings, *, online: bool = False) -> Finding:
    return next(each for each in doctor.examine(settings, online=online) if each.check == check)


def test_a_machine_that_works_is_found_well_and_nothing_is_made(run: Run, tmp_path: Path) -> None:
    done = run("--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["ok"] is True
    assert [each["check"] for each in report["findings"]] == [
        "Versions",
        "Data directory",
        "Stores",
        "Embedding model",
        "Reranker",
        "OCR",
        "Office conversion",
        "Sandbox",
        "Model",
        "MCP",
    ]
    assert all(each["advice"] for each in report["findings"] if each["state"] != "ok")
    assert not (tmp_path / "home").exists()


def test_damaged_stores_are_named_and_end_with_code_1(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "pincite.db").write_bytes(b"no database at all" * 100)
    with sqlite3.connect(home / "keywords.db") as whole:
        whole.execute("CREATE TABLE words (word)")
    whole.close()
    done = run()
    assert done.exit_code == 1
    assert "failed   Stores: Damaged: pincite.db:" in done.stdout
    assert "Restore the data directory" in done.stdout


@pytest.mark.parametrize(
    ("check", "settings", "state", "said"),
    [
        ("Embedding model", {"embedding_model": "/no/such/model"}, State.FAILED, "neither a folder nor a model"),
        ("Reranker", {"reranker": "/no/such/model"}, State.FAILED, "PINCITE_RERANKER"),
        ("OCR", {"ocr": "never"}, State.OK, "switched off"),
        ("Office conversion", {"libreoffice": "never"}, State.OK, "built in"),
        ("Model", {}, State.OK, "no key and no network"),
        ("MCP", {"mcp": True}, State.LIMITED, "pincite mcp token create"),
    ],
)
def test_each_setting_is_told_and_what_is_missing_is_advised(
    tmp_path: Path, check: str, settings: dict[str, Any], state: State, said: str
) -> None:
    found = finding(check, Settings(home=tmp_path, sandbox="off", **settings))
    assert found.state is state
    assert said in f"{found.found} {found.advice}"


def test_without_ocr_and_office_programs_it_works_with_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "recognizer", lambda *_: None)
    monkeypatch.setattr(doctor.converter, "installed", lambda: None)
    settings = Settings(home=tmp_path, sandbox="off")
    for check, help_ in (("OCR", "Install Tesseract"), ("Office conversion", "Install LibreOffice")):
        found = finding(check, settings)
        assert found.state is State.LIMITED
        assert help_ in found.advice


def test_a_sandbox_that_does_not_open_is_told_with_its_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable(*_: object, **__: object) -> None:
        raise SandboxUnavailable("No engine works here.", "Install bubblewrap.")

    monkeypatch.setattr(doctor, "open_sandbox", unavailable)
    found = finding("Sandbox", Settings(home=tmp_path))
    assert (found.state, found.advice) == (State.LIMITED, "Install bubblewrap.")


def test_the_provider_is_called_only_when_asked_for(tmp_path: Path) -> None:
    server = FakeResponsesServer([say("OK"), say("I do not know.")])
    with running(server) as url:
        settings = Settings(home=tmp_path, provider="compatible", model="small", base_url=url, sandbox="off")
        assert "not called" in finding("Model", settings).found
        assert server.bodies == []
        assert "answers; history: replay" in finding("Model", settings, online=True).found
    found = finding("Model", settings, online=True)
    assert found.state is State.FAILED
    assert found.advice
