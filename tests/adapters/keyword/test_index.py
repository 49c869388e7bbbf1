"""What the index on a disk must do beyond the contract, and a second opinion on what it finds."""

import math
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.adapters.keyword.stems import Stemmer
from workbench.domain.errors import ConfigurationError, PinciteError
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import KeywordRow

pytestmark = pytest.mark.req("FIND-3")

LEGAL, SALES = ContainerId("ctr_legal"), ContainerId("ctr_sales")
A = DocumentId("doc_a")
WORDS = (
    "payment invoice liability supplier termination notice renewal governing law delivery penalty price index annex "
    "warranty audit insurance confidentiality assignment force majeure interest service level credit amendment"
).split()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "index" / "keywords.sqlite"


@pytest.fixture
def index(file: Path) -> Iterator[Fts5KeywordIndex]:
    opened = Fts5KeywordIndex(file)
    yield opened
    opened.close()


def row(document_id: str, number: int, text: str) -> KeywordRow:
    return KeywordRow(ChunkId(f"{document_id}:{number:05d}"), DocumentId(document_id), text)


# --- against brute force


class Oracle:
    """BM25 over every passage of one container, by the formula (FTS5's rarity: never below a millionth)."""

    def __init__(self, rows: list[KeywordRow]) -> None:
        stem = Stemmer().stem
        self._rows = [(held, Counter(stem(word) for word in held.text.split())) for held in rows]
        self._average = sum(counts.total() for _, counts in self._rows) / len(self._rows)
        self._stem = stem

    def query(self, text: str, documents: frozenset[DocumentId]) -> dict[str, float]:
        wanted = {self._stem(word) for word in text.split()}
        return {
            held.chunk_id: sum(self._weight(stem, counts) for stem in wanted)
            for held, counts in self._rows
            if held.document_id in documents and wanted & counts.keys()
        }

    def _weight(self, stem: str, counts: Counter[str]) -> float:
        holding = sum(stem in other for _, other in self._rows)
        rarity = max(math.log((len(self._rows) - holding + 0.5) / (holding + 0.5)), 1e-6)
        length = 1 - 0.75 + 0.75 * counts.total() / self._average
        return rarity * counts[stem] * 2.2 / (counts[stem] + 1.2 * length)


def generated(seed: int) -> list[KeywordRow]:
    numbers = random.Random(seed)
    return [
        row(f"doc_{document}", number, " ".join(numbers.choices(WORDS, k=numbers.randint(1, 30))))
        for document in range(12)
        for number in range(numbers.randint(1, 25))
    ]


@pytest.mark.req("FIND-1")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True), seed=st.integers(0, 10_000))
def test_hits_are_those_of_brute_force_within_the_allowed_documents(
    corpus: tuple[Fts5KeywordIndex, Oracle], query: list[str], seed: int
) -> None:
    index, oracle = corpus
    numbers = random.Random(seed)
    allowed = frozenset(DocumentId(f"doc_{n}") for n in numbers.sample(range(14), k=numbers.randint(0, 14)))
    expected = oracle.query(" ".join(query), allowed)

    hits = index.query(LEGAL, " ".join(query), 10_000, allowed)
    top = index.query(LEGAL, " ".join(query), 7, allowed)

    assert {hit.chunk_id for hit in hits} == expected.keys()
    assert [hit.score for hit in hits] == pytest.approx([expected[hit.chunk_id] for hit in hits], rel=1e-9)
    assert all(better.score >= worse.score for better, worse in pairwise(hits))
    assert top == hits[:7]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Fts5KeywordIndex, Oracle]]:
    """A container of generated passages, some replaced and some deleted, beside another that must not count."""
    opened = Fts5KeywordIndex(tmp_path_factory.mktemp("oracle") / "keywords.sqlite")
    rows = generated(1)
    opened.upsert(SALES, generated(2))
    opened.upsert(LEGAL, [*generated(3), row("doc_99", 0, "payment " * 50)])
    for document in {held.document_id for held in generated(3)} | {DocumentId("doc_99")}:
        opened.delete_document(LEGAL, document)
    opened.upsert(LEGAL, [held._replace(text="liability " * 9) for held in rows[::2]])
    opened.upsert(LEGAL, rows)
    yield opened, Oracle(rows)
    opened.close()


# --- words of other scripts


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("売買契約書に署名した", "契約"),
        ("売買契約書に署名した", "書"),
        ("매매계약서", "계약"),
        ("สัญญาซื้อขาย", "ซื้อ"),
        ("Cap: 1.250.000,00 EUR", "1,250,000"),
        ("договоры поставки", "договору"),
        ("don't use it", "don't use"),
    ],
)
def test_part_of_an_expression_is_found(index: Fts5KeywordIndex, text: str, query: str) -> None:
    index.upsert(LEGAL, [row("doc_a", 0, text), row("doc_a", 1, "约束 other text")])

    assert [hit.chunk_id for hit in index.query(LEGAL, query, 10, frozenset({A}))] == ["doc_a:00000"]


def test_one_character_in_common_is_no_hit_for_a_longer_expression(index: Fts5KeywordIndex) -> None:
    index.upsert(LEGAL, [row("doc_a", 0, "約束")])

    assert index.query(LEGAL, "契約", 10, frozenset({A})) == []


def test_the_half_of_a_common_word_is_not_looked_for(index: Fts5KeywordIndex) -> None:
    index.upsert(LEGAL, [row("doc_a", 0, "Don Quixote"), row("doc_a", 1, "they sign")])

    assert [hit.chunk_id for hit in index.query(LEGAL, "don't they sign", 10, frozenset({A}))] == ["doc_a:00001"]


def test_another_languages_stems_and_words_are_used(file: Path) -> None:
    german = Fts5KeywordIndex(file, "german")
    german.upsert(LEGAL, [row("doc_a", 0, "die Verträge"), row("doc_a", 1, "is the")])

    assert [hit.chunk_id for hit in german.query(LEGAL, "Verträgen", 10, frozenset({A}))] == ["doc_a:00000"]
    assert [hit.chunk_id for hit in german.query(LEGAL, "the house", 10, frozenset({A}))] == ["doc_a:00001"]
    german.close()


# --- the file


def test_all_is_there_when_the_index_is_opened_again(index: Fts5KeywordIndex, file: Path) -> None:
    index.upsert(LEGAL, [row("doc_a", 0, "payment terms"), row("doc_a", 1, "governing law")])
    index.close()

    again = Fts5KeywordIndex(file)

    assert [hit.chunk_id for hit in again.query(LEGAL, "payments", 10, frozenset({A}))] == ["doc_a:00000"]
    assert again.vocabulary(LEGAL) == {"payment": 1, "terms": 1, "governing": 1, "law": 1}
    assert again.count(LEGAL, A) == 2
    again.close()


def test_an_index_of_another_language_is_refused_and_left_as_it_was(index: Fts5KeywordIndex, file: Path) -> None:
    index.upsert(LEGAL, [row("doc_a", 0, "payment terms")])

    with pytest.raises(ConfigurationError, match="german"):
        Fts5KeywordIndex(file, "german")

    assert index.count(LEGAL) == 1


def test_a_file_that_is_no_index_is_told(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(b"not a database, but long enough to look like one " * 100)

    with pytest.raises(PinciteError, match=r"notes\.txt"):
        Fts5KeywordIndex(file)


def test_a_write_that_fails_midway_changes_nothing(index: Fts5KeywordIndex, file: Path) -> None:
    index.upsert(LEGAL, [row("doc_a", 0, "payment terms")])
    other = sqlite3.connect(file)
    other.execute(
        """
        CREATE TRIGGER full AFTER INSERT ON passages WHEN new.chunk = 'doc_a:00009'
        BEGIN SELECT RAISE(ABORT, 'disk full'); END
        """
    )
    other.commit()
    other.close()

    with pytest.raises(PinciteError, match="disk full"):
        index.upsert(LEGAL, [row("doc_a", number, "new words") for number in range(10)])

    assert index.count(LEGAL) == 1
    assert index.vocabulary(LEGAL) == {"payment": 1, "terms": 1}
    assert [hit.chunk_id for hit in index.query(LEGAL, "payment new", 10, frozenset({A}))] == ["doc_a:00000"]


@pytest.mark.req("FIND-1")
def test_scores_do_not_depend_on_other_containers(index: Fts5KeywordIndex) -> None:
    index.upsert(LEGAL, [row("doc_a", 0, "payment terms"), row("doc_a", 1, "law"), row("doc_a", 2, "notice")])
    before = index.query(LEGAL, "payment", 10, frozenset({A}))

    index.upsert(SALES, [row("doc_b", number, "payment of the price") for number in range(50)])

    assert index.query(LEGAL, "payment", 10, frozenset({A})) == before
