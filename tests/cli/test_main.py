"""The command line over the real services; only the embedding model is a small stand-in."""

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.responses_server import FakeResponsesServer, running
from workbench.adapters.fakes.steps import say
from workbench.cli import main

TEXT = """Supply Agreement between Tarn Foods and the Buyer.

1. Payment. The Buyer shall pay each invoice within 21 days of its date.

2. Liability. The liability of the Supplier shall not exceed EUR 75,000 in a year.
"""
Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    build = bootstrap.build
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(bootstrap, "build", lambda settings: build(settings, embedder=HashingEmbedder()))

    def invoke(*arguments: str) -> Any:
        return CliRunner().invoke(main.app, list(arguments), catch_exceptions=True)

    return invoke


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    file = tmp_path / "tarn_supply.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


def ingested(run: Run, contract: Path) -> None:
    done = run("ingest", str(contract), "--container", "Food", "--tag", "supplier=Tarn Foods", "--json")
    assert done.exit_code == 0, done.output


@pytest.mark.req("LIB-6", "LIB-9")
def test_ingest_makes_the_container_reads_the_good_file_and_names_the_bad_one(
    run: Run, contract: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "broken.pdf"
    bad.write_bytes(b"\x00" * 500)
    done = run("ingest", str(contract), str(bad), "--container", "Food", "--tag", "supplier=Tarn Foods", "--json")
    assert done.exit_code == 1
    good, broken = json.loads(done.stdout)["documents"]
    assert (good["name"], good["state"], good["tags"]) == ("tarn_supply.txt", "ready", {"supplier": "Tarn Foods"})
    assert good["chunks"] > 0
    assert broken["state"] == "failed"
    assert "broken.pdf" in broken["error"]


@pytest.mark.req("LIB-9")
@pytest.mark.parametrize(
    "name", ["契約概要 3.txt", "Übersicht Größe.txt", unicodedata.normalize("NFD", "résumé ça.txt")]
)
def test_a_name_in_any_script_arrives_as_it_is(run: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(TEXT, encoding="utf-8")
    done = run("ingest", str(file), "--container", "Food", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["documents"][0]["name"] == unicodedata.normalize("NFC", name)


@pytest.mark.req("CITE-5")
def test_ask_prints_the_stored_turn_with_a_position_map_that_fits_the_answer(run: Run, contract: Path) -> None:
    ingested(run, contract)
    done = run("ask", "Within how many days must invoices be paid?", "--container", "Food", "--json")
    assert done.exit_code == 0, done.output
    turn = json.loads(done.stdout)
    assert turn["status"] == "answered"
    assert "within 21 days" in turn["answer"]
    (first, *_) = turn["citations"]
    assert (first["document"], first["page"]) == ("tarn_supply.txt", 1)
    assert "within 21 days" in first["quote"]
    for place in turn["position_map"]:
        label = turn["answer"][place["start"] : place["end"]]
        assert label.startswith("[")
        assert "tarn_supply.txt, p. 1" in label
    kinds = [event["kind"] for event in turn["events"]]
    assert (kinds[0], kinds[-1]) == ("turn_started", "turn_finished")
    assert "search_finished" in kinds
    assert turn["usage"]["model_calls"] >= 2


def test_search_prints_passages_and_respects_tags(run: Run, contract: Path) -> None:
    ingested(run, contract)
    found = json.loads(run("search", "liability", "-c", "Food", "--tag", "supplier=Tarn Foods", "--json").stdout)
    assert any("EUR 75,000" in hit["text"] for hit in found["hits"])
    nothing = json.loads(run("search", "liability", "-c", "Food", "--tag", "supplier=Another", "--json").stdout)
    assert nothing["hits"] == []
    assert "No searchable document is in scope" in nothing["note"]


def test_a_conversation_goes_on_by_its_id(run: Run, contract: Path) -> None:
    ingested(run, contract)
    first = json.loads(run("ask", "What is the liability limit?", "-c", "Food", "--json").stdout)
    second = json.loads(
        run("ask", "And payment?", "-c", "Food", "--conversation", first["conversation"], "--json").stdout
    )
    assert second["conversation"] == first["conversation"]
    assert second["turn"] != first["turn"]


def test_an_unknown_container_is_a_sentence_not_a_traceback(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["pincite", "ask", "Anything?", "--container", "Nowhere"])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 1
    assert "Nowhere" in capsys.readouterr().err


@pytest.mark.req("OPEN-3")
def test_probe_prints_what_was_found_and_without_a_provider_a_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No provider is set" in str(run("probe").exception)
    monkeypatch.setenv("PINCITE_PROVIDER", "compatible")
    monkeypatch.setenv("PINCITE_MODEL", "small")
    with running(FakeResponsesServer([say("OK"), say("I do not know.")])) as url:
        monkeypatch.setenv("PINCITE_BASE_URL", url)
        done = run("probe")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("History: replay. It accepted the id")


@pytest.mark.req("CHAT-1")
def test_conversations_are_listed_searched_and_exported(run: Run, contract: Path, tmp_path: Path) -> None:
    ingested(run, contract)
    asked = run("ask", "When does the Buyer pay?", "--container", "Food", "--json")
    turn = json.loads(asked.stdout)

    listed = json.loads(run("conversations", "--search", "BUYER pay", "--json").stdout)
    assert [each["id"] for each in listed["conversations"]] == [turn["conversation"]]
    assert json.loads(run("conversations", "--search", "quokka", "--json").stdout)["total"] == 0
    assert turn["conversation"] in run("conversations").stdout

    exported = json.loads(run("export", "conversation", turn["conversation"], "--format", "json").stdout)
    assert exported["turns"][0]["position_map"] == turn["position_map"] != []
    assert exported["turns"][0]["events"] == turn["events"]
    file = tmp_path / "talk.md"
    assert run("export", "conversation", turn["conversation"], "--output", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8").startswith("# When does the Buyer pay?\n")
    missing = run("export", "conversation", "conv_none")
    assert missing.exit_code == 1
    assert "does not exist" in str(missing.exception)
