"""Deleting conversations: our rows, and everything that the providers of their models keep of them."""

from typing import Any

import pytest

from tests.services.deletion.conftest import ANA, HERE, Killed, World
from workbench.domain.calculations import CodeRun, RunLimits, RunOutcome, SandboxResult
from workbench.domain.deletions import Fate, Receipt, What
from workbench.domain.errors import ModelError, ModelUnavailable, NotFound, RateLimited
from workbench.domain.events import CodeRan, ResponseCreated
from workbench.domain.gaps import Gap, GapOrigin, GapReason
from workbench.domain.ids import ContainerId, ConversationId, GapId, TurnId, UserId
from workbench.domain.items import OpaqueItem
from workbench.domain.scope import Access
from workbench.services.conversations import Conversations
from workbench.services.export import ConversationExport, ExportFormat

pytestmark = pytest.mark.req("CHAT-2")

BOB = Access(user_id=UserId("bob"), containers=frozenset([ContainerId("ctr_legal")]))
CODE = OpaqueItem(
    raw={
        "type": "code_interpreter_call",
        "container_id": "cntr_9",
        "outputs": [{"type": "image", "annotations": [{"container_id": "cntr_9", "file_id": "cfile_4"}]}],
    }
)


def outside(receipt: Receipt) -> dict[str, Fate]:
    return {item.subject: item.fate for item in receipt.items if item.at_provider is not None}


def test_every_response_goes_intermediate_ones_too_and_then_nothing_of_ours_is_left(world: World) -> None:
    talk = world.talk((["resp_1", "resp_2", "resp_3"], []), (["resp_4"], []))
    other = world.talk((["resp_5"], []))

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    assert outside(receipt) == dict.fromkeys(["resp_1", "resp_2", "resp_3", "resp_4"], Fate.DELETED)
    assert world.provider.held == {"resp_5"}
    ours = {item.what: (item.before, item.fate) for item in receipt.items if item.at_provider is None}
    assert ours == {
        What.RECORD: (1, Fate.DELETED),
        What.TURNS: (2, Fate.DELETED),
        What.TRACE: (4, Fate.DELETED),
        What.CODE_RUNS: (0, Fate.ALREADY_GONE),
        What.GAPS: (0, Fate.ALREADY_GONE),
    }
    assert not receipt.open
    assert world.talks.turns(other.id) != []


def test_gaps_and_code_runs_go_with_the_conversation_and_stand_on_the_receipt(world: World) -> None:
    talk, other = world.talk((["resp_1"], [])), world.talk((["resp_2"], []))
    (turn,) = world.talks.turns(talk.id)
    result = SandboxResult(outcome=RunOutcome.OK, value="3", seconds=0.1)
    run = CodeRun(code="1 + 2", engine="test", limits=RunLimits(), result=result)
    world.talks.append_events(turn.id, [CodeRan(seq=9, call_id="call_1", run=run)])
    for number, held in enumerate((talk, talk, other)):
        world.gaps.add_gap(
            Gap(
                id=GapId(f"gap_{number}"),
                user_id=ANA.user_id,
                containers=(ContainerId("ctr_legal"),),
                query="parking",
                origin=GapOrigin.ASSISTANT,
                reason=GapReason.NOTHING_FOUND,
                asked_at=world.clock.now(),
                conversation_id=held.id,
            )
        )

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    ours = {item.what: (item.before, item.fate) for item in receipt.items if item.at_provider is None}
    assert ours[What.GAPS] == (2, Fate.DELETED)
    assert ours[What.CODE_RUNS] == (1, Fate.DELETED)
    assert [gap.conversation_id for gap in world.gaps.gaps()] == [other.id]


def test_nothing_can_be_read_by_an_id_that_somebody_kept(world: World) -> None:
    talk = world.talk((["resp_1"], []))
    (turn,) = world.talks.turns(talk.id)
    world.deletion.delete_conversation(ANA, talk.id)

    assert world.talks.events(turn.id) == []
    assert world.talks.turn(turn.id) is None
    conversations = Conversations(world.talks, world.clock)
    for read in (conversations.get, conversations.turns):
        with pytest.raises(NotFound):
            read(ANA, talk.id)
    for read_turn in (conversations.turn, conversations.events):
        with pytest.raises(NotFound):
            read_turn(ANA, turn.id)
    for format_ in ExportFormat:
        with pytest.raises(NotFound):
            ConversationExport(conversations, world.clock).file(ANA, talk.id, format_)
    assert conversations.list(ANA) == []
    assert conversations.find(ANA, "rate", limit=5) == ([], 0)


def test_files_and_containers_of_code_go_before_the_responses(world: World) -> None:
    talk = world.talk((["resp_1"], [CODE]))
    world.provider.held |= {"cntr_9", "cfile_4"}

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    assert world.provider.asked == ["cfile_4", "cntr_9", "resp_1"]
    assert set(outside(receipt).values()) == {Fate.DELETED}
    (file,) = [item.at_provider for item in receipt.items if item.what is What.CODE_FILE]
    assert file is not None
    assert file.container == "cntr_9"


def test_an_object_that_the_provider_has_lost_already_is_said_to_be_gone(world: World) -> None:
    talk = world.talk((["resp_1", "resp_2"], []))
    world.provider.held.discard("resp_1")

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    assert outside(receipt) == {"resp_1": Fate.ALREADY_GONE, "resp_2": Fate.DELETED}
    assert not receipt.open


def test_what_the_provider_refuses_stays_open_and_is_tried_again_until_it_is_gone(world: World) -> None:
    talk = world.talk((["resp_1", "resp_2"], []))
    world.provider.refusing["resp_1"] = ModelError("The host failed at it (status 500).")

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    assert outside(receipt) == {"resp_1": Fate.UNCONFIRMED, "resp_2": Fate.DELETED}
    assert receipt.left[0].detail == "The host failed at it (status 500)."
    assert world.talks.conversation(talk.id) is None  # nothing can be read here any more all the same
    assert receipt.next_try_at is not None

    world.provider.refusing.clear()
    again = world.deletion.retry(ANA, receipt.id)
    assert (outside(again)["resp_1"], again.open) == (Fate.DELETED, False)


@pytest.mark.parametrize("error", [ModelUnavailable("The host could not be reached."), RateLimited("Slow down.")])
def test_a_provider_that_is_away_is_asked_once_for_all_of_its_objects(world: World, error: ModelError) -> None:
    talk = world.talk((["resp_1", "resp_2", "resp_3"], []))
    world.provider.refusing = dict.fromkeys(["resp_1", "resp_2", "resp_3"], error)

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    assert world.provider.asked == ["resp_1"]
    assert [item.detail for item in receipt.left] == [error.message] * 3


def test_what_another_provider_made_is_not_asked_of_this_one(world: World) -> None:
    talk = world.talk((["resp_1"], []), provider="https://other.example/v1#gpt-9#chain")

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    assert world.provider.asked == []
    (left,) = receipt.left
    assert left.fate is Fate.UNCONFIRMED
    assert left.detail.startswith("It was made by https://other.example/v1, which is not the provider that is set now.")
    assert world.talks.conversation(talk.id) is None


def test_what_has_no_provider_on_record_is_not_said_to_be_deleted(world: World) -> None:
    talk = world.talk((["resp_1"], []), provider="")
    (left,) = world.deletion.delete_conversation(ANA, talk.id).left
    assert left.detail.startswith("Which provider made it was not recorded.")


def test_a_turn_that_runs_is_ended_first_and_its_last_response_is_not_missed(world: World) -> None:
    talk = world.talk((["resp_1"], []))
    (turn,) = world.talks.turns(talk.id)

    def ending(conversation_id: ConversationId) -> None:
        if not world.ended:
            world.provider.held.add("resp_2")
            world.talks.append_events(turn.id, [ResponseCreated(seq=2, number=2, response_id="resp_2")])
        world.ended.append(conversation_id)

    world.when_ended = ending

    receipt = world.deletion.delete_conversation(ANA, talk.id)

    assert outside(receipt) == {"resp_1": Fate.DELETED, "resp_2": Fate.DELETED}
    assert world.provider.held == set()
    assert set(world.ended) == {talk.id}


def test_another_users_conversation_looks_like_a_missing_one(world: World) -> None:
    talk = world.talk((["resp_1"], []))
    told = set()
    for conversation_id in (talk.id, ConversationId("conv_none")):
        with pytest.raises(NotFound) as missing:
            world.deletion.delete_conversation(BOB, conversation_id)
        told.add(str(missing.value))
    assert len(told) == 1
    receipt = world.deletion.delete_conversation(ANA, talk.id)
    # Also one who shares all containers sees nothing of it.
    assert world.deletion.receipts(BOB) == []
    with pytest.raises(NotFound):
        world.deletion.receipt(BOB, receipt.id)


def test_the_receipt_keeps_no_word_of_what_was_said(world: World) -> None:
    talk = world.talk((["resp_1"], []))
    world.talks.save_conversation(talk.model_copy(update={"title": "What is the rate?"}))
    receipt = world.deletion.delete_conversation(ANA, talk.id)
    assert receipt.name == "Conversation of 4 May 2026"
    assert "rate" not in receipt.model_dump_json()


def test_deleting_again_gives_the_same_receipt(world: World) -> None:
    talk = world.talk((["resp_1"], []))
    assert world.deletion.delete_conversation(ANA, talk.id) == world.deletion.delete_conversation(ANA, talk.id)


# --- crashes

PARTS = [("receipts", "save_receipt"), ("talks", "delete_conversation"), ("provider", "delete")]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("call", range(1, 7))
@pytest.mark.parametrize(("part", "method"), PARTS, ids=[part for part, _ in PARTS])
def test_a_deletion_that_was_killed_is_finished_and_loses_no_object(
    world: World, part: str, method: str, call: int, after: bool
) -> None:
    talk = world.talk((["resp_1", "resp_2"], [CODE]))
    world.provider.held |= {"cntr_9", "cfile_4"}
    owner = getattr(world, part)
    work, calls = getattr(owner, method), 0

    def killed(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call and not after:
            raise Killed
        result = work(*args)
        if calls == call:
            raise Killed
        return result

    setattr(owner, method, killed)
    try:
        world.deletion.delete_conversation(ANA, talk.id)
    except Killed:
        setattr(owner, method, work)
        world.restart().resume()
    else:
        assert calls < call  # it has fewer such calls
    if part == "receipts" and call == 1 and not after:  # the wish was never written down
        assert world.talks.turn(TurnId(f"{talk.id}_1")) is not None
        return
    assert world.provider.held == set()
    assert world.talks.conversation(talk.id) is None
    assert world.talks.turns(talk.id) == []
    (receipt,) = world.deletion.receipts(ANA)
    assert not receipt.open
    assert set(outside(receipt)) == {"resp_1", "resp_2", "cntr_9", "cfile_4"}
    assert HERE in receipt.model_dump_json()
