"""The README cannot lie: its commands, its variables and its help are compared with what is there."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from workbench.cli.main import app
from workbench.credentials import SECRETS
from workbench.settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BENCH = {"PINCITE_BENCH_HOME", "PINCITE_BENCH_PEERS", "PINCITE_SCALE", "PINCITE_IR"}
"""Read by the measurements, not by the app."""
VARIABLE = re.compile(r"PINCITE_[A-Z_]*[A-Z]")


def commands() -> list[str]:
    """Return the command lines of the README's shell blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_the_first_two_commands_run_the_app_and_the_tests() -> None:
    venv = "python3 -m venv .venv && .venv/bin/pip install -c constraints.txt -e"
    assert commands()[0] == f"{venv} . && .venv/bin/streamlit run app.py"
    assert commands()[1] == f"{venv} '.[test]' && .venv/bin/pytest"


def test_continuous_integration_calls_exactly_the_test_command() -> None:
    assert commands()[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_every_setting_is_in_the_readme_and_every_variable_there_is_a_setting() -> None:
    settings = {f"PINCITE_{name.upper()}" for name in Settings.model_fields} - {"PINCITE_PROFILES"}
    files = {f"PINCITE_{name.upper()}_FILE" for name in SECRETS}
    told = set(VARIABLE.findall(README)) - {"PINCITE_CORPUS", "PINCITE_PROFILES"} - BENCH - files
    assert told == settings


def test_the_example_of_an_environment_lists_settings_and_sets_none() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    named = {found[0] for line in lines if line.startswith("#PINCITE_") and (found := VARIABLE.match(line[1:]))}
    assert named == {f"PINCITE_{name.upper()}" for name in Settings.model_fields} - {"PINCITE_PROFILES"}
    assert [line for line in lines if line and not line.startswith("#")] == []


def test_every_setting_is_on_the_settings_screen() -> None:
    shown = {name for row in Settings().describe() for name in VARIABLE.findall(row.variable)}
    assert shown == {f"PINCITE_{name.upper()}" for name in Settings.model_fields} - {"PINCITE_PROFILES"}


def command_of(arguments: list[str]) -> list[str]:
    """Return the words that name a command: the groups it stands in, and its own."""
    words: list[str] = []
    found = get_command(app)
    for word in arguments:
        held = getattr(found, "commands", {})
        if word not in held:
            break
        words.append(word)
        found = held[word]
    return words


@pytest.mark.parametrize("line", [line for line in commands() if "/pincite " in line])
def test_the_pincite_commands_of_the_readme_exist_with_their_options(line: str) -> None:
    _, *arguments = shlex.split(line)
    command = command_of(arguments)
    help_text = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert help_text.exit_code == 0
    for option in (argument for argument in arguments if argument.startswith("--")):
        assert option in help_text.stdout


def test_nothing_in_the_repository_names_a_machine_or_a_registry() -> None:
    """Paths of one machine and hosts of package registries have no place in the files that others read."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    words = ("/" + "work/", "files.python" + "hosted", "pypi" + ".org", "registry." + "npmjs")
    for name in filter(None, listed):
        file = ROOT / name
        if (
            file.suffix in {".py", ".md", ".toml", ".txt", ".css", ".js", ".html", ".json", ".jsonl", ""}
            and file.is_file()
        ):
            text = file.read_text(encoding="utf-8", errors="replace")
            assert not [word for word in words if word in text], name
