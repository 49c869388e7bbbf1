"""Which commands there are, and that each tells how it is used."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from workbench.cli.main import app
from workbench.cli.mcp import TOOLS

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def every(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    for name, held in getattr(command, "commands", {}).items():
        yield from every(held, (*words, name))


@pytest.mark.req("OPEN-2")
def test_there_is_a_command_for_each_use() -> None:
    there = {words[0] for words, _ in every(get_command(app)) if words}
    assert {"run", "ingest", "ask", "search", "eval", "mcp", "export", "doctor"} <= there


@pytest.mark.req("OPEN-2")
@pytest.mark.parametrize("words", [words for words, _ in every(get_command(app)) if words], ids=" ".join)
def test_each_command_says_what_it_does_and_what_each_option_means(words: tuple[str, ...]) -> None:
    command = dict(every(get_command(app)))[words]
    assert command.help
    assert re.search(r"[.:]$", command.help.strip().splitlines()[0].strip()) or "\n" in command.help.strip()
    options = [each for each in command.params if each.param_type_name == "option" and "--help" not in each.opts]
    assert [each.opts for each in options if not each.help] == []
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert shown.exit_code == 0
    for each in options:
        assert each.opts[0] in shown.stdout


@pytest.mark.req("OPEN-1")
def test_the_configurations_of_clients_in_the_readme_are_usable() -> None:
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", README, re.DOTALL)]
    pipes, http = (block["mcpServers"]["pincite"] for block in blocks)
    assert pipes["args"][0] == "mcp"
    given = dict(zip(pipes["args"][1::2], pipes["args"][2::2], strict=True))
    assert set(given) <= {option for each in get_command(app).commands["mcp"].params for option in each.opts}
    assert {
        value for option, value in zip(pipes["args"][1::2], pipes["args"][2::2], strict=True) if option == "--tool"
    } <= {*TOOLS}
    assert http["url"].endswith("/mcp")
    assert http["headers"]["Authorization"].startswith("Bearer pincite_")
