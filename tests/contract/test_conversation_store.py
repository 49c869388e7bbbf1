"""The contract of ConversationStore, for every implementation."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.adapters.sql.conversations import SqlConversationStore
from workbench.adapters.sql.engine import Database, open_database
from workbench.domain.budgets import Limits, Profile, Spend
from workbench.domain.chunks import ChunkKind, Segment
from workbench.domain.citations import Citation, CitedAnswer, Mention
from workbench.domain.conversations import Conversation, Thread, Turn, search_words
from workbench.domain.errors import NotFound, StaleConversation, TurnError
from workbench.domain.events import AnswerDelta, ModelCallStarted, ToolCallFinished, TurnFinished, TurnStarted
from workbench.domain.ids import ContainerId, ConversationId, DocumentId, Ref, TurnId, UserId
from workbench.domain.items import (
    AssistantMessage,
    FunctionCall,
    FunctionCallOutput,
    ModelResponse,
    OpaqueItem,
    UserMessage,
)
from workbench.domain.recordings import RecordedResponse, Recording
from workbench.domain.results import ResultType, TurnStatus
from workbench.domain.scope import Filters
from workbench.services.ports import ConversationStore

pytestmark = pytest.mark.req("CHAT-1")

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
TALK, TURN = ConversationId("cnv_1"), TurnId("trn_1")


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, open_store: Callable[[str], Database]) -> ConversationStore:
    return MemoryConversationStore() if request.param == "memory" else SqlConversationStore(open_store(request.param))


@pytest.fixture
def talk(store: ConversationStore) -> ConversationStore:
    """A store with one conversation."""
    store.save_conversation(conversation())
    return store


def conversation(number: int = 1, **values: Any) -> Conversation:
    values = {"user_id": UserId("ada"), "created_at": NOON, "updated_at": NOON} | values
    return Conversation(id=ConversationId(f"cnv_{number}"), **values)


def turn(number: int = 1, turn_id: str = "", **values: Any) -> Turn:
    values = {"conversation_id": TALK, "question": "When is payment due?", "started_at": NOON} | values
    return Turn(
        id=TurnId(turn_id or f"trn_{number}"),
        number=number,
        containers=(ContainerId("ctr_1"),),
        profile=Profile.QUICK,
        model="extractive",
        **values,
    )


def finished_turn(text: str) -> Turn:
    citation = Citation(
        number=1,
        document_id=DocumentId("doc_1"),
        container_id=ContainerId("ctr_1"),
        document="msa.pdf",
        container="Legal",
        kind=ChunkKind.TEXT,
        page=6,
        page_label="p. iv (PDF 6)",
        label="msa.pdf p. iv",
        quote=text,
        refs=(Ref("S1"), Ref("S2")),
        call_ids=("call_1",),
    )
    mention = Mention(
        start=0, end=3, citation=1, refs=(Ref("S1"),), quote=text, spans=(Segment(page=6, start=0, end=3),)
    )
    return turn(
        question=text,
        status=TurnStatus.ANSWERED,
        result_type=ResultType.ANSWER,
        answer=CitedAnswer(text=text, citations=(citation,), mentions=(mention,), unknown_refs=("S9",)),
        filters=Filters(tags={"supplier": ("Acme", text)}, document_ids=()),
        response_ids=("resp_1", "resp_2"),
        thread=Thread(response_id="resp_2", owed=(FunctionCallOutput(call_id="call_2", output=text),), asked="call_3"),
        items=(
            UserMessage(text=text),
            FunctionCall(call_id="call_1", name="search_documents", arguments='{"query": '),
            OpaqueItem(raw={"type": "reasoning", "summary": [text, None, 1.5]}),
            AssistantMessage(text=text),
        ),
        spend=Spend(model_calls=2, cost=0.0125, seconds=1.75),
        started_at=datetime(2026, 1, 5, 12, 0, 0, 654321, tzinfo=timezone(timedelta(hours=-8))),
        finished_at=NOON + timedelta(seconds=3),
    )


# --- conversations


def test_a_conversation_comes_back_as_it_was_saved(store: ConversationStore, hostile: str) -> None:
    saved = conversation(title=hostile, filters=Filters(tags={"supplier": (hostile,)}), profile=Profile.THOROUGH)

    store.save_conversation(saved)

    assert store.conversation(TALK) == saved
    assert store.conversation(ConversationId(hostile)) is None


def test_saving_again_replaces_the_conversation_and_keeps_its_turns(talk: ConversationStore) -> None:
    talk.add_turn(turn())

    talk.save_conversation(conversation(title="Renamed"))

    found = talk.conversation(TALK)
    assert found is not None
    assert found.title == "Renamed"
    assert talk.turns(TALK) == [turn()]


def test_a_users_conversations_come_last_changed_first_and_nobody_elses(store: ConversationStore) -> None:
    west = timezone(timedelta(hours=-8))
    store.save_conversation(conversation(1, updated_at=NOON))
    store.save_conversation(conversation(2, updated_at=datetime(2026, 1, 5, 5, 0, tzinfo=west)))  # 13:00 UTC
    store.save_conversation(conversation(3, updated_at=NOON))
    store.save_conversation(conversation(4, user_id=UserId("bob")))

    assert [held.id for held in store.conversations(UserId("ada"))] == ["cnv_2", "cnv_1", "cnv_3"]
    assert [held.id for held in store.conversations(UserId("bob"))] == ["cnv_4"]
    assert store.conversations(UserId("")) == []

    store.save_conversation(conversation(3, updated_at=NOON + timedelta(days=1)))

    assert [held.id for held in store.conversations(UserId("ada"))] == ["cnv_3", "cnv_2", "cnv_1"]


def test_deleting_a_conversation_takes_its_turns_and_events_and_nothing_else(talk: ConversationStore) -> None:
    talk.save_conversation(conversation(2))
    talk.add_turn(turn(1))
    talk.add_turn(turn(1, "trn_other", conversation_id=ConversationId("cnv_2")))
    for turn_id in ("trn_1", "trn_other"):
        talk.append_events(TurnId(turn_id), [ModelCallStarted(seq=1, number=1)])

    talk.delete_conversation(TALK)
    talk.delete_conversation(TALK)

    assert talk.conversation(TALK) is None
    assert talk.turn(TURN) is None
    assert talk.turns(TALK) == []
    assert talk.events(TURN) == []
    assert [held.id for held in talk.running_turns()] == ["trn_other"]
    assert len(talk.events(TurnId("trn_other"))) == 1


@pytest.mark.req("CHAT-4")
def test_changes_from_several_tabs_at_once_are_all_kept(
    talk: ConversationStore, together: Callable[..., list[Any]]
) -> None:
    def rename(index: int) -> None:
        talk.change_conversation(TALK, lambda held: held.model_copy(update={"title": f"{held.title}{index}"}))

    assert together(rename, 6) == [None] * 6
    found = talk.conversation(TALK)
    assert found is not None
    assert sorted(found.title) == list("012345")


@pytest.mark.req("CHAT-4")
def test_a_change_does_not_bring_a_deleted_conversation_back(talk: ConversationStore) -> None:
    talk.delete_conversation(TALK)

    assert talk.change_conversation(TALK, lambda held: held) is None
    assert talk.conversation(TALK) is None


def test_a_page_has_pinned_ones_first_then_those_used_last_and_nobody_elses(store: ConversationStore) -> None:
    for number in range(1, 6):
        store.save_conversation(conversation(number, updated_at=NOON + timedelta(hours=number), pinned=number == 2))
    store.save_conversation(conversation(9, user_id=UserId("bob"), pinned=True))

    first = store.find_conversations(UserId("ada"), (), 2)
    rest = store.find_conversations(UserId("ada"), (), 10, 2)

    assert [held.id for held in (*first.items, *rest.items)] == ["cnv_2", "cnv_5", "cnv_4", "cnv_3", "cnv_1"]
    assert (first.total, rest.total) == (5, 5)
    assert store.find_conversations(UserId("ada"), (), 10, 99) == ([], 5)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("haftung", ["cnv_1"]),  # a title
        ("MÜLLER rent", ["cnv_2"]),  # a word of a question, and one of an answer
        ("muller deposit", ["cnv_2"]),  # of two turns
        ("deposit", ["cnv_2"]),
        ("50%", ["cnv_1"]),
        ("5_%", []),
        ("a/b", ["cnv_1"]),
        ("rent haftung", []),
        ("", ["cnv_2", "cnv_1"]),
    ],
)
def test_conversations_are_found_by_every_word_of_titles_questions_and_answers(
    store: ConversationStore, query: str, found: list[str]
) -> None:
    store.save_conversation(conversation(1, title="Haftung a/b, 50% of fees"))
    store.save_conversation(conversation(2, title="5 0 other"))
    store.save_conversation(conversation(3, user_id=UserId("bob"), title="haftung rent muller deposit 50% a/b"))
    for number, question, answer in ((1, "What does Müller pay?", "The rent."), (2, "And before?", "A deposit.")):
        asked = turn(number, f"trn_{number}", conversation_id=ConversationId("cnv_2"), question=question)
        store.add_turn(asked)
        store.save_turn(asked.model_copy(update={"status": TurnStatus.STOPPED, "answer": CitedAnswer(text=answer)}))

    assert [held.id for held in store.find_conversations(UserId("ada"), search_words(query), 10).items] == found


def test_a_conversation_is_found_by_whatever_stands_in_it(talk: ConversationStore, hostile: str) -> None:
    talk.add_turn(turn(question=f"x{hostile}y"))

    assert talk.find_conversations(UserId("ada"), search_words(f"x{hostile}y"), 5).total == 1


def test_a_deleted_conversation_is_found_by_nothing(talk: ConversationStore) -> None:
    talk.add_turn(turn(question="Where is the quokka?"))
    talk.delete_conversation(TALK)
    talk.save_conversation(conversation())

    assert talk.find_conversations(UserId("ada"), ("quokka",), 5) == ([], 0)


def test_idle_conversations_are_those_last_used_before_and_neither_pinned_nor_at_work(
    store: ConversationStore,
) -> None:
    for number, hours, pinned in ((1, 0, False), (2, 1, False), (3, -1, True), (4, -2, False), (5, -3, False)):
        store.save_conversation(conversation(number, updated_at=NOON + timedelta(hours=hours), pinned=pinned))
    store.add_turn(turn(conversation_id=ConversationId("cnv_4")))
    store.save_conversation(conversation(6, user_id=UserId("bob"), updated_at=NOON - timedelta(seconds=1)))

    assert [held.id for held in store.idle_conversations(NOON)] == ["cnv_5", "cnv_6"]
    assert [held.id for held in store.idle_conversations(NOON + timedelta(microseconds=1))] == [
        "cnv_5",
        "cnv_6",
        "cnv_1",
    ]


# --- turns


def test_a_finished_turn_comes_back_as_it_was_saved(talk: ConversationStore, hostile: str) -> None:
    talk.add_turn(turn())

    talk.save_turn(finished_turn(hostile))

    assert talk.turn(TURN) == finished_turn(hostile)
    assert talk.turns(TALK) == [finished_turn(hostile)]


def test_turns_come_by_number(talk: ConversationStore) -> None:
    for number in range(1, 12):
        talk.add_turn(turn(number))

    assert [held.number for held in talk.turns(TALK)] == list(range(1, 12))
    assert talk.turns(ConversationId("cnv_gone")) == []


def test_a_second_turn_of_one_number_is_refused(talk: ConversationStore) -> None:
    talk.add_turn(turn(1))

    with pytest.raises(StaleConversation):
        talk.add_turn(turn(1, "trn_second", question="Another tab asks"))

    assert talk.turns(TALK) == [turn(1)]


@pytest.mark.req("CHAT-4")
def test_a_turn_that_leaves_out_a_number_is_refused(talk: ConversationStore) -> None:
    with pytest.raises(StaleConversation):
        talk.add_turn(turn(2))
    talk.add_turn(turn(1))
    with pytest.raises(StaleConversation):
        talk.add_turn(turn(3))

    assert talk.turns(TALK) == [turn(1)]


@pytest.mark.req("CHAT-4")
def test_of_many_tabs_asking_at_once_one_wins(talk: ConversationStore, together: Callable[..., list[Any]]) -> None:
    results = together(lambda index: talk.add_turn(turn(1, f"trn_{index}")), 8)

    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, StaleConversation) for result in results) == 7
    assert len(talk.turns(TALK)) == 1


def test_a_turn_needs_its_conversation(talk: ConversationStore) -> None:
    with pytest.raises(NotFound):
        talk.add_turn(turn(conversation_id=ConversationId("cnv_gone")))
    with pytest.raises(NotFound):
        talk.save_turn(turn())

    assert talk.turn(TURN) is None


def test_running_turns_are_those_of_any_conversation_that_did_not_end(talk: ConversationStore) -> None:
    talk.save_conversation(conversation(2))
    talk.add_turn(turn(1))
    talk.add_turn(turn(2))
    talk.add_turn(turn(1, "trn_other", conversation_id=ConversationId("cnv_2")))

    talk.save_turn(turn(1, status=TurnStatus.INTERRUPTED))

    assert {held.id for held in talk.running_turns()} == {"trn_2", "trn_other"}


@pytest.mark.req("ASK-14")
def test_what_a_user_has_used_counts_over_all_conversations_and_the_deleted_ones(store: ConversationStore) -> None:
    for number, user in ((1, "ada"), (2, "ada"), (3, "bob")):
        store.save_conversation(conversation(number, user_id=UserId(user)))
        for count, minutes in enumerate((0, 5), 1):
            asked = turn(count, f"trn_{number}_{count}", conversation_id=ConversationId(f"cnv_{number}"))
            asked = asked.model_copy(update={"started_at": NOON + timedelta(minutes=minutes + number)})
            store.add_turn(asked)
            spend = Spend(input_tokens=100 * number, output_tokens=count)
            store.save_turn(asked.model_copy(update={"spend": spend}))
    store.delete_conversation(ConversationId("cnv_2"))

    used = store.uses_since(UserId("ada"), NOON + timedelta(minutes=2))

    assert used == [
        (NOON + timedelta(minutes=2), 201),
        (NOON + timedelta(minutes=6), 102),
        (NOON + timedelta(minutes=7), 202),
    ]
    later = turn(3, "trn_later", started_at=NOON + timedelta(days=2, minutes=6))
    store.add_turn(later)
    assert store.uses_since(UserId("ada"), NOON - timedelta(days=9)) == [
        (NOON + timedelta(minutes=6), 102),
        (NOON + timedelta(minutes=7), 202),
        (later.started_at, 0),
    ]


# --- events


def test_events_of_every_kind_come_back_in_order(talk: ConversationStore, hostile: str) -> None:
    talk.add_turn(turn())
    events = [
        TurnStarted(
            seq=1,
            turn_id=TURN,
            conversation_id=TALK,
            question=hostile,
            containers=("Legal",),
            profile=Profile.QUICK,
            limits=Limits(),
            model="extractive",
            prompt_version="1",
        ),
        ToolCallFinished(seq=2, at=0.25, call_id="c", name="search", outcome="ok", output=hostile, seconds=0.1),
        AnswerDelta(seq=3, text=hostile),
        TurnFinished(
            seq=10,
            status=TurnStatus.ANSWERED,
            result_type=ResultType.ANSWER,
            answer=CitedAnswer(text=hostile),
            spend=Spend(),
        ),
    ]

    talk.append_events(TURN, events[2:])
    talk.append_events(TURN, events[:2])
    talk.append_events(TURN, [])

    assert talk.events(TURN) == events
    assert talk.events(TurnId("trn_gone")) == []


def test_an_event_recorded_twice_is_refused_with_all_that_came_with_it(talk: ConversationStore) -> None:
    talk.add_turn(turn())
    talk.append_events(TURN, [ModelCallStarted(seq=1, number=1)])

    with pytest.raises(TurnError):
        talk.append_events(TURN, [ModelCallStarted(seq=2, number=2), ModelCallStarted(seq=1, number=9)])
    with pytest.raises(TurnError):
        talk.append_events(TURN, [ModelCallStarted(seq=3, number=3), ModelCallStarted(seq=3, number=4)])

    assert talk.events(TURN) == [ModelCallStarted(seq=1, number=1)]


def test_events_need_their_turn(talk: ConversationStore) -> None:
    with pytest.raises(NotFound):
        talk.append_events(TURN, [ModelCallStarted(seq=1, number=1)])


def test_threads_append_to_one_turn_without_losing_events(
    talk: ConversationStore, together: Callable[..., list[Any]]
) -> None:
    talk.add_turn(turn())

    def work(index: int) -> None:
        for step in range(10):
            talk.append_events(TURN, [ModelCallStarted(seq=1 + index * 10 + step, number=index)])
            talk.events(TURN)

    assert together(work, 6) == [None] * 6
    assert [event.seq for event in talk.events(TURN)] == list(range(1, 61))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_of_before_the_search_finds_its_conversations_afterwards(
    tmp_path: Path, new_url: Callable[[], str], kind: str
) -> None:
    url = f"sqlite:///{tmp_path}/old.db" if kind == "sqlite" else new_url()
    database = open_database(url)
    store = SqlConversationStore(database)
    store.save_conversation(conversation(title="Der Mietvertrag"))
    store.add_turn(turn(question="Where is the quokka?", started_at=datetime.now(UTC)))
    with database.writing() as connection:
        connection.execute(text("DROP TABLE turn_texts"))
        connection.execute(text("DROP INDEX conversations_in_order"))
        connection.execute(text("DROP TABLE uses"))
        for column in ("pinned", "title_text"):
            connection.execute(text(f"ALTER TABLE conversations DROP COLUMN {column}"))
        connection.execute(text("DELETE FROM migrations WHERE name IN ('add_conversation_search', 'add_uses')"))
        connection.execute(
            text(
                "INSERT INTO conversations (id, user_id, updated_at, value) SELECT 'torn', user_id, "
                "updated_at, '{' FROM conversations"
            )
        )
    database.close()

    migrated = open_database(url)
    store = SqlConversationStore(migrated)
    found = [store.find_conversations(UserId("ada"), (word,), 5).total for word in ("mietvertrag", "quokka", "absent")]
    uses = store.uses_since(UserId("ada"), NOON)
    indexes = {index["name"] for index in inspect(migrated._engine).get_indexes("conversations")}
    migrated.close()
    open_database(url).close()

    assert found == [1, 1, 0]
    assert [use.tokens for use in uses] == [0]
    assert "conversations_in_order" in indexes


def test_a_recording_is_kept_with_its_turn_replaced_and_gone_with_the_conversation(talk: ConversationStore) -> None:
    talk.add_turn(turn())
    assert talk.recording(TURN) is None
    response = ModelResponse(id="resp_1", output=(AssistantMessage(text="45 days \x00 𝔘"),))
    kept = Recording(responses=(RecordedResponse(response_id="resp_1", response=response, seconds=0.5, cost=0.1),))
    talk.save_recording(TURN, Recording(whole=False))
    talk.save_recording(TURN, kept)
    assert talk.recording(TURN) == kept
    talk.delete_conversation(TALK)
    assert talk.recording(TURN) is None
    with pytest.raises(NotFound):
        talk.save_recording(TURN, kept)
