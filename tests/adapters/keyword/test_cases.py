"""What people type: numbers of clauses and invoices, phrases, and words of many languages, through the real index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import KeywordRow

pytestmark = pytest.mark.req("FIND-3")

BOX, A = ContainerId("box"), DocumentId("doc_a")
TEXTS = {
    "clause": "12.3 The Supplier shall keep records for six years.",
    "paragraph": "Der Widerruf richtet sich nach § 5 Abs. 2 dieses Vertrags.",
    "other_paragraph": "Abs. 5 gilt, 2 Wochen später auch § 7.",
    "invoice": "Invoice INV-2024/0017 was paid on time.",
    "other_invoice": "Invoice INV-2023/0017 and INV-2024/0018 remain open.",
    "street": "Lieferung an die Hauptstraße 7, Größe XL",
    "name": "Geschäftsführer ist Jürgen Müller-Lüdenscheidt.",
    "cyrillic": "Договоры поставки вступают в силу со дня подписания.",
    "japanese": "契約期間は三年です",
    "thai": "สัญญามีอายุสามปี",
    "mixed": "ERP导出报错 E-1042",
    "codes": "QuayLedgerService QX17B ISO-27001 §12(b) Größe",
    "essence": "Time is of the essence of this agreement.",
    "scattered": "The essence of the agreement is that time passes.",
    "german": "Die Haftung der Verkäufer ist auf Verträge beschränkt.",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fts5KeywordIndex]:
    path: Path = tmp_path_factory.mktemp("cases") / "keywords.db"
    opened = Fts5KeywordIndex(path)
    opened.upsert(BOX, [KeywordRow(ChunkId(name), A, text) for name, text in TEXTS.items()])
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("12.3", "clause"),
        ("clause 12.3", "clause"),
        ("INV-2024/0017", "invoice"),
        ("inv-2024/0017", "invoice"),
        ("Hauptstrasse", "street"),
        ("HAUPTSTRAẞE", "street"),
        ("Mueller-Luedenscheidt", "name"),
        ("Jürgen Müller", "name"),
        ("Ju\u0308rgen Mu\u0308ller", "name"),
        ("jurgen muller", "name"),
        ("договор поставки", "cyrillic"),
        ("ДОГОВОРА", "cyrillic"),
        ("契約期間", "japanese"),
        ("三年", "japanese"),
        ("สัญญา", "thai"),
        ("ERP导出报错", "mixed"),
        ("导出", "mixed"),
        ("quayledgerservice", "codes"),
        ("qx17b", "codes"),
        ("iso-27001", "codes"),
        ("ISO 27001", "codes"),
        ("Vertrag Verkäufer", "german"),
    ],
)
def test_what_is_typed_finds_its_passage_first(index: Fts5KeywordIndex, query: str, first: str) -> None:
    hits = index.query(BOX, query, 10, frozenset({A}))
    assert hits
    assert hits[0].chunk_id == first


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("time is of the essence", ["essence"]),
        ("§ 5 Abs. 2", ["paragraph"]),
        ("INV-2024/0017", ["invoice"]),
        ("records for six years", ["clause"]),
        ("essence of time", []),
        ("期間", ["japanese"]),
        ("§", []),
        ("", []),
    ],
)
def test_a_phrase_is_found_where_its_words_stand_in_a_row(
    index: Fts5KeywordIndex, phrase: str, found: list[str]
) -> None:
    assert [hit.chunk_id for hit in index.phrase(BOX, phrase, 10, frozenset({A}))] == found
    assert index.holders(BOX, phrase, 10, frozenset({A})) == ([A] if found else [])


def test_signs_of_the_query_language_are_words_or_nothing(index: Fts5KeywordIndex) -> None:
    for hostile in ('"', "*", 'a" OR "b', "NEAR(time essence, 2)", "stems:time", "(((", "\x00", "^time", "-time"):
        assert isinstance(index.query(BOX, hostile, 5, frozenset({A})), list)
        assert isinstance(index.phrase(BOX, hostile, 5, frozenset({A})), list)
        assert index.phrase(BOX, hostile, 5, frozenset()) == []
