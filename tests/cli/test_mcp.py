"""``pincite mcp``: tokens beside a running app, and what is said where the app holds the data directory."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.cli import main
from workbench.domain.errors import DataDirectoryBusy
from workbench.mcp_server.http import ADDRESS
from workbench.settings import Settings

pytestmark = pytest.mark.req("OPEN-1")
Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path))

    def invoke(*arguments: str) -> Any:
        return CliRunner().invoke(main.app, ["mcp", *arguments], catch_exceptions=True)

    return invoke


@pytest.fixture
def app(tmp_path: Path) -> Iterator[bootstrap.Workbench]:
    """The app that runs on the same data directory."""
    bench = bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder())
    yield bench
    bench.close()


def test_a_token_made_beside_the_running_app_opens_it_until_it_is_revoked(run: Run, app: bootstrap.Workbench) -> None:
    app.library.ensure_container(app.library.access(bootstrap.LOCAL_USER), "Food")
    options = ("--client", "Desk", "--tool", "ask", "--container", "food", "--days", "3", "--json")
    made = json.loads(run("token", "create", *options).stdout)
    token = app.clients.authenticate(made["token"])
    assert (token.client.name, token.client.tools) == ("Desk", ("ask",))
    (row,) = json.loads(run("token", "list", "--json").stdout)["tokens"]
    assert (row["id"], row["client"], row["refusal"]) == (token.id, "Desk", "")
    assert made["token"] not in run("token", "list").stdout
    assert run("token", "revoke", token.id).exit_code == 0
    assert "was revoked" in run("token", "list").stdout
    with pytest.raises(Exception, match="was revoked"):
        app.clients.authenticate(made["token"])


def test_the_secret_alone_stands_on_standard_output(run: Run) -> None:
    done = run("token", "create", "--client", "Desk")
    assert done.exit_code == 0, done.output
    assert done.stdout.strip().startswith("pincite_")
    assert len(done.stdout.split()) == 1
    assert "not shown again" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--tool", "drop_tables"), "The tools are search_documents"),
        (("--container", "Nowhere"), "There is no container 'Nowhere'"),
        (("--user", "nobody@example.com"), "nobody here"),
    ],
)
def test_what_a_token_cannot_allow_is_a_sentence(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run("token", "create", "--client", "Desk", *arguments)
    assert done.exit_code == 1
    assert said in str(done.exception)
    assert json.loads(run("token", "list", "--json").stdout)["tokens"] == []


@pytest.mark.parametrize("served", [True, False])
def test_while_the_app_runs_pipes_are_refused_and_its_address_is_named(
    run: Run, app: bootstrap.Workbench, tmp_path: Path, served: bool
) -> None:
    if served:
        (tmp_path / ADDRESS).write_text("http://127.0.0.1:8765/mcp\n")
    done = run()
    assert done.exit_code == 1
    assert isinstance(done.exception, DataDirectoryBusy)
    said = str(done.exception)
    assert str(tmp_path) in said
    assert ("http://127.0.0.1:8765/mcp" in said) is served
    assert ("PINCITE_MCP=on" in said) is not served
    assert done.stdout == ""
