"""How often a suggested tag is right: on the samples by their manifest, on real contracts by their annotators."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.domain.documents import Document
from workbench.domain.kinds import kind
from workbench.domain.openings import Opening
from workbench.domain.suggestions import Suggestion
from workbench.domain.tags import Tag
from workbench.services.ingestion.jobs import Upload
from workbench.settings import Settings

COARSE = (Tag(key="document type", value="Agreement"),)
"""What the samples call every agreement; a document that carries it makes it a value in use."""
READ_IN = 600.0


class Score(NamedTuple):
    right: int
    wrong: tuple[str, ...]

    @property
    def share(self) -> float:
        made = self.right + len(self.wrong)
        return self.right / made if made else 0.0


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[bootstrap.Workbench]:
    made = bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder())
    yield made
    made.close()


def suggested(bench: bootstrap.Workbench, uploads: list[Upload]) -> list[tuple[Document, list[Suggestion]]]:
    """Take files in without labels and return what is suggested for each that could be read."""
    access = bench.library.access(bootstrap.LOCAL_USER)
    container = bench.library.ensure_container(access, "Unlabelled")
    access = bench.library.access(bootstrap.LOCAL_USER)
    outcomes = bench.ingestion.submit(access, container.id, uploads)
    assert bench.ingestion.wait([each.document_id for each in outcomes if each.document_id], READ_IN)
    documents = bench.library.documents(access, [container.id])
    found = bench.tagging.suggestions(access, documents)
    return [(document, found.get(document.id, [])) for document in documents]


def told(scores: dict[str, Score]) -> str:
    return "\n".join(
        f"{key}: {score.right} of {score.right + len(score.wrong)} right {'; '.join(score.wrong)}"
        for key, score in scores.items()
    )


def test_on_the_samples_nearly_every_suggestion_is_right(bench: bootstrap.Workbench) -> None:
    files = json.loads((bootstrap.SAMPLES / "manifest.json").read_text(encoding="utf-8"))["files"]
    labels = {each["file"]: {**each["tags"], "date": each["date"]} for each in files}
    uploads = [Upload(name, (bootstrap.SAMPLES / name).read_bytes()) for name in labels]
    uploads.append(Upload("in use.txt", b"A note.", COARSE))
    right: dict[str, int] = defaultdict(int)
    wrong: dict[str, list[str]] = defaultdict(list)
    for document, found in suggested(bench, uploads):
        for each in found:
            if document.name not in labels:
                continue
            wanted = labels[document.name][each.key]
            if each.value == wanted:
                right[each.key] += 1
            else:
                wrong[each.key].append(f"{document.name}: {each.value}, not {wanted}")
    scores = {key: Score(right[key], tuple(wrong[key])) for key in (*right, *wrong)}
    print(told(scores))
    assert {"supplier", "document type", "region", "date"} <= scores.keys()
    for key, score in scores.items():
        assert score.share >= 0.9, told(scores)
        assert score.right >= 10, key


@pytest.mark.corpus
def test_on_real_contracts_most_suggestions_are_right(bench: bootstrap.Workbench) -> None:
    """Every second file is read, under a neutral name: the rules shall read the documents and not their names."""
    named = os.environ.get("PINCITE_CORPUS")
    if not named:
        pytest.skip("PINCITE_CORPUS names no outside material, so the real contracts are not read")
    corpus = Path(named)
    entries = json.loads((corpus / "contracts" / "manifest.json").read_text(encoding="utf-8"))
    chosen = [each["file"] for each in entries if each.get("cuad_file")][::2]
    lines = (corpus / "contracts_qa.jsonl").read_text(encoding="utf-8").splitlines()
    answers: dict[tuple[str, str], str] = {
        (row["doc"], row["category"]): row["answer"] or "" for row in map(json.loads, lines)
    }
    names = {f"contract {number}.pdf": file for number, file in enumerate(chosen)}
    uploads = [Upload(name, (corpus / file).read_bytes()) for name, file in names.items()]
    right: dict[str, int] = defaultdict(int)
    wrong: dict[str, list[str]] = defaultdict(list)
    for document, found in suggested(bench, uploads):
        for each in found:
            verdict = judged(each, names[document.name], answers)
            if verdict is True:
                right[each.key] += 1
            elif verdict is False:
                wrong[each.key].append(f"{Path(names[document.name]).stem[:40]}: {each.value}")
    scores = {key: Score(right[key], tuple(wrong[key])) for key in ("supplier", "document type", "date")}
    print(told(scores))
    for score in scores.values():
        assert score.share >= 0.85, told(scores)
        assert score.right >= 5


def judged(suggestion: Suggestion, file: str, answers: dict[tuple[str, str], str]) -> bool | None:
    """Compare a suggestion with the label; None where there is none to compare with."""
    if suggestion.key == "date":
        labels = [answers.get((file, category), "") for category in ("Agreement Date", "Effective Date")]
        days = {day for label in labels if (day := american(label))}
        return suggestion.date in days if days else None
    if suggestion.key == "supplier":
        parties = " ".join(answers.get((file, "Parties"), "").casefold().replace(",", " ").split())
        return " ".join(suggestion.value.casefold().replace(",", " ").split()) in parties if parties else None
    if suggestion.key == "document type":
        by_name = kind(Opening(Path(file).name))
        return None if by_name is None else by_name.value in (suggestion.value, "Agreement")
    return None


def american(label: str) -> date | None:
    month, _, rest = label.partition("/")
    day, _, year = rest.partition("/")
    if not (month.isdigit() and day.isdigit() and year.isdigit()):
        return None
    century = 1900 if len(year) == 2 and int(year) > 50 else 2000 if len(year) == 2 else 0
    return date(century + int(year), int(month), int(day))
