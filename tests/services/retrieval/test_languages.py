from datetime import UTC, datetime

import pytest

from workbench.adapters.fakes.fixed_language import FixedLanguage
from workbench.domain.documents import Document
from workbench.domain.ids import ContainerId, DocumentId
from workbench.services.retrieval.languages import Languages

pytestmark = pytest.mark.req("FIND-3")
ENGLISH = frozenset({"en"})


def shelf(*languages: str | None) -> list[Document]:
    return [
        Document(
            id=DocumentId(str(number)),
            container_id=ContainerId("c"),
            name=f"{number}.pdf",
            language=language,
            uploaded_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        for number, language in enumerate(languages)
    ]


@pytest.mark.parametrize("query", ["срок оплаты", "契約期間", "مدة العقد"])
def test_a_query_in_another_script_is_told(query: str) -> None:
    assert "The query is in a language" in Languages(ENGLISH).foreign(query, shelf("en"))


def test_a_longer_query_is_judged_by_the_detector() -> None:
    query = "Welche Kündigungsfrist gilt für diesen Vertrag?"
    assert "The query is in a language" in Languages(ENGLISH, FixedLanguage("de")).foreign(query, shelf("en"))
    assert Languages(ENGLISH, FixedLanguage("en")).foreign("Which period of notice applies?", shelf("en")) == ""


def test_documents_are_told_where_most_are_of_another_language() -> None:
    remark = Languages(ENGLISH).foreign("Haftung", shelf("de", "de", "fr", "en", None))
    assert "Most documents in scope are (de, fr)" in remark
    assert "(en)" in remark
    assert Languages(ENGLISH).foreign("Haftung", shelf("de", "en", None, None)) == ""


def test_of_a_model_whose_languages_nobody_knows_nothing_is_said() -> None:
    assert Languages().foreign("срок оплаты", shelf("ru")) == ""


def test_a_query_without_letters_is_of_no_language() -> None:
    assert Languages(ENGLISH).foreign("12.3", shelf()) == ""
