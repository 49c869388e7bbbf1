"""Suites as files: what is read, what is refused and in which words, and samples written back."""

from pathlib import Path

import pytest

from workbench import bootstrap
from workbench.domain.budgets import LimitName, Profile
from workbench.domain.errors import NotFound
from workbench.domain.evals import Enough, Expectations, Place, Sample
from workbench.domain.ids import UserId
from workbench.domain.results import ResultType
from workbench.services.evals.datasets import BadSuite, Suites, append_sample, read_dataset

pytestmark = pytest.mark.req("EVAL-1")

GOOD = """
description = "Leases."
containers = ["Leases"]

[[sample]]
id = "notice"
question = "How long is the notice period?"
earlier = ["Which leases are there?"]
user = "ana"
limits = { tool_calls = 3 }

[sample.expect]
contains = ["three months"]
cites = [{ document = "lease.pdf", pages = [4] }]
one_rewrite = false
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "leases.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_suite_is_read_with_its_samples(tmp_path: Path) -> None:
    dataset = read_dataset(written(tmp_path, GOOD))
    (sample,) = dataset.sample
    assert (dataset.name, dataset.containers, len(dataset.hash)) == ("leases", ("Leases",), 64)
    assert (sample.user, sample.earlier) == ("ana", ("Which leases are there?",))
    assert sample.limits == {LimitName.TOOL_CALLS: 3}
    assert sample.expect.cites == (Place(document="lease.pdf", pages=(4,)),)
    assert not sample.expect.one_rewrite


def test_any_change_of_the_file_changes_the_hash(tmp_path: Path) -> None:
    first = read_dataset(written(tmp_path, GOOD)).hash
    assert read_dataset(written(tmp_path, GOOD + "# checked\n")).hash != first


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("contain = ['x']", ["sample 1 (notice)", "expect.contain", "Extra inputs"]),
        ("figures = ['no number']", ["expect.figures.0", "'no number' holds no figure"]),
        ("matches = ['(open']", ["expect.matches.0", "no regular expression"]),
        ("status = 'finished'", ["expect.status", "answered"]),
        ("cites_only = 'lease.pdf'", ["expect.cites_only", "tuple"]),
        ("calls_at_most = -1", ["expect.calls_at_most"]),
    ],
)
def test_a_mistake_is_told_with_file_block_and_key(tmp_path: Path, line: str, told: list[str]) -> None:
    with pytest.raises(BadSuite) as caught:
        read_dataset(written(tmp_path, f"{GOOD}{line}\n"))
    for part in ["leases.toml", *told]:
        assert part in caught.value.message


def test_a_mistake_in_a_later_block_names_that_block(tmp_path: Path) -> None:
    text = GOOD + '[[sample]]\nid = "second"\nquestion = "x"\nprofile = "slow"\n'
    with pytest.raises(BadSuite, match=r"leases.toml, sample 2 \(second\), key profile"):
        read_dataset(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[sample]\nid = 1", "line 1"),
        (GOOD + GOOD.partition("[[sample]]")[1] + '\nid = "notice"\nquestion = "again"\n', "two samples have the id"),
        ('description = "nothing to ask"', "key sample"),
        ("sample = []", "key sample"),
    ],
)
def test_a_file_that_is_no_suite_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadSuite, match=told):
        read_dataset(written(tmp_path, text))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "leases.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(BadSuite, match="not valid TOML"):
        read_dataset(path)


def test_suites_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert Suites(tmp_path).read("leases") == Suites(tmp_path / "other").read(str(path))
    for unknown in ("lease", "../leases", "/etc/passwd"):
        with pytest.raises(NotFound, match=r"Those there are: leases\."):
            Suites(tmp_path).path(unknown)


def test_a_sample_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "reviewed.toml"
    whole = Sample(
        id="turn_1",
        question='A "quoted"\nquestion \\ with\ttabs, \x7f and 契約?',
        earlier=("First.",),
        user=UserId("ana"),
        containers=("Leases, old",),
        filters={"document type": ("Lease", "Annex")},
        profile=Profile.THOROUGH,
        limits={LimitName.COST: 0.5},
        pinned={"lease 1.pdf": "ab" * 32},
        expect=Expectations(
            result=ResultType.ANSWER,
            cites=(Place(document="lease 1.pdf", pages=(4, 5)),),
            counts={"search_documents": 2},
            enough=Enough(searches=2),
            grounded=True,
            one_rewrite=False,
        ),
    )
    append_sample(path, whole)
    append_sample(path, Sample(id="turn_2", question="Another?"))
    first, second = read_dataset(path).sample
    assert first == whole
    assert second.question == "Another?"


def test_a_sample_whose_id_is_taken_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    with pytest.raises(BadSuite, match=r"^leases\.toml: two samples have the id 'notice'"):
        append_sample(path, Sample(id="notice", question="Another?"))
    assert path.read_text(encoding="utf-8") == GOOD
    assert list(tmp_path.iterdir()) == [path]


def test_the_shipped_suites_are_whole() -> None:
    suites = Suites(bootstrap.SUITES)
    assert suites.names() == ["budgets", "grounding", "routing", "safety"]
    for name in suites.names():
        dataset = suites.read(name)
        assert dataset.description
        for document in dataset.document:
            assert (suites.directory / document.file).is_file()
