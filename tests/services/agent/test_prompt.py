"""The instructions of a turn: what the model is told of the day, the languages, the scope and its limits."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from tests.services.conftest import Bench
from tests.services.shelf import shelve
from workbench.adapters.fakes.memory_library import MemoryLibraryStore
from workbench.domain.budgets import DEFAULT_PROFILES, Limits, Profile
from workbench.domain.documents import Container, Document
from workbench.domain.ids import ContainerId
from workbench.domain.scope import Filters
from workbench.services.agent.prompt import LISTED, load_prompt

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)


def filled(
    now: datetime = NOW,
    filters: Filters | None = None,
    documents: tuple[Document, ...] = (),
    limits: Limits | None = None,
) -> str:
    return load_prompt().fill(now, ["Contracts"], filters or Filters(), documents, limits or Limits())


def documents(count: int) -> tuple[Document, ...]:
    store = MemoryLibraryStore()
    container = ContainerId("cont_contracts")
    store.add_container(Container(id=container, name="Contracts", created_at=NOW))
    for number in range(count):
        shelve(store, f"d{number:03d}.pdf", dated=date(2024, 3, 1), language="de", tags=["supplier=Halden"])
    return tuple(store.documents([container]))


@pytest.mark.req("ASK-9")
def test_the_date_and_the_zone_are_given() -> None:
    zone = timezone(timedelta(hours=5, minutes=30), "IST")
    text = filled(datetime(2026, 3, 1, 0, 30, tzinfo=zone))
    assert "Today is Sunday, 01 March 2026 (time zone IST, UTC+0530)." in text


@pytest.mark.req("ASK-10")
def test_the_language_of_the_answer_is_that_of_the_question_and_not_that_of_the_material() -> None:
    text = filled()
    assert "Answer in the language of the question, whatever language the documents are in" in text
    assert "pass language, and write the query in that language" in text


def test_every_tool_on_offer_is_explained(bench: Bench) -> None:
    text = filled()
    for spec in bench.registry.toolbelt().specs:
        assert spec.name in text


def test_the_limits_of_the_profile_are_told() -> None:
    text = filled(limits=DEFAULT_PROFILES[Profile.ROUTER].limits)
    assert "You may make 3 tool calls in this turn, at most 1 at a time." in text


def test_documents_are_named_with_what_is_known_of_them_and_the_rest_is_counted() -> None:
    text = filled(documents=documents(LISTED + 3))
    assert "Documents in scope (43):" in text
    assert "- doc_d000: d000.pdf (supplier: Halden, dated 2024-03-01, language de)" in text
    assert "- and 3 more, which find_documents lists" in text


def test_the_users_selections_are_told() -> None:
    chosen = Filters(tags={"region": ("EU", "US")}, language="de", date_from=date(2024, 1, 1))
    assert "Selections that already apply: region = EU or US; dated from 2024-01-01 to any; language de." in filled(
        filters=chosen
    )


def test_the_version_is_that_of_the_file() -> None:
    assert load_prompt().version == "agent-4"
    assert not load_prompt().template.startswith("version")
