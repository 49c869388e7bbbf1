"""``pincite eval`` over the real services: suites, exit codes, reports, replays."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.cli import main

TERMS = "Supply terms of Tarn Foods.\n\n1. Payment. The Buyer shall pay each invoice within 21 days of its date.\n"
SUITE = """
[[document]]
file = "tarn_supply.txt"
container = "Evaluation food"

[[sample]]
id = "payment"
question = "Within how many days must the Buyer pay an invoice?"
containers = ["Evaluation food"]

[sample.expect]
figures = ["21 days"]
cites = [{ document = "tarn_supply.txt", pages = [1] }]
"""
Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    build = bootstrap.build
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(bootstrap, "build", lambda settings: build(settings, embedder=HashingEmbedder()))

    def invoke(*arguments: str) -> Any:
        return CliRunner().invoke(main.app, ["eval", *arguments], catch_exceptions=True)

    return invoke


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "tarn_supply.txt").write_text(TERMS, encoding="utf-8")
    file = tmp_path / "food.toml"
    file.write_text(SUITE, encoding="utf-8")
    return file


@pytest.mark.req("EVAL-1", "EVAL-4")
def test_a_suite_is_run_compared_reported_and_replayed(run: Run, suite: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    done = run("run", str(suite), "--epochs", "2", "--seed", "3", "--junit", str(report), "--json")
    assert done.exit_code == 0, done.output
    log = json.loads(done.stdout)
    assert (log["passed"], log["state"], log["model"], log["seed"]) == (True, "finished", "pincite-extractive", 3)
    assert log["versions"].keys() == {"application", "prompt", "embedding"}
    passed = log["metrics"][0]
    assert (passed["name"], passed["mean"], passed["standard_error"], passed["samples"]) == ("passed", 1.0, 0.0, 1)
    assert "2/2  payment  ok" in done.stderr
    assert ET.parse(report).getroot()[0].get("tests") == "2"

    replayed = run("replay", log["samples"][0]["turn_id"], "--json")
    assert replayed.exit_code == 0, replayed.output
    assert json.loads(replayed.stdout)["same"]

    suite.write_text(SUITE.replace("21 days", "22 days"), encoding="utf-8")
    worse = run("run", str(suite), "--baseline", log["id"], "--json")
    assert worse.exit_code == 1
    again = json.loads(worse.stdout)
    assert again["comparison"]["regression"]
    assert [flip["sample_id"] for flip in again["comparison"]["flips"]] == ["payment"]

    compared = run("compare", log["id"], again["id"])
    assert compared.exit_code == 1
    assert "worse   payment  100% -> 0%" in compared.stdout
    assert "A regression: -100.0 points over 1 samples." in compared.stdout

    listed = run("runs")
    assert listed.exit_code == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [again["id"], log["id"]]


def test_what_is_wrong_with_a_suite_is_a_sentence(run: Run, suite: Path) -> None:
    unknown = run("run", "nowhere")
    assert unknown.exit_code == 1
    assert "Those there are: budgets, grounding, routing, safety." in str(unknown.exception)
    suite.write_text(SUITE.replace("figures", "figure"), encoding="utf-8")
    assert "food.toml, sample 1 (payment), key expect.figure" in str(run("run", str(suite)).exception)
    assert "no model 'gpt-x'" in str(run("run", "routing", "--model", "gpt-x").exception)
    assert "There is no run run_none" in str(run("run", "routing", "--baseline", "run_none").exception)
    assert "does not exist" in str(run("replay", "turn_none").exception)
