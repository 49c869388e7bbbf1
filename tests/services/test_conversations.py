import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.memory_conversations import MemoryConversationStore
from workbench.domain.budgets import Profile
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.ids import ContainerId, ConversationId, UserId
from workbench.domain.scope import Access, Filters
from workbench.services.conversations import TITLE_LENGTH, Conversations

ANA = Access(user_id=UserId("ana"), containers=frozenset([ContainerId("c")]))
BOB = Access(user_id=UserId("bob"), containers=frozenset([ContainerId("c")]))

pytestmark = pytest.mark.req("CHAT-1")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def conversations(clock: FixedClock) -> Conversations:
    return Conversations(MemoryConversationStore(), clock)


def test_the_first_question_names_the_conversation_and_later_ones_do_not(conversations: Conversations) -> None:
    talk = conversations.create(ANA)
    conversations.touch(ANA, talk.id, "What are\nthe payment terms?")
    conversations.touch(ANA, talk.id, "And renewal?")
    assert conversations.get(ANA, talk.id).title == "What are the payment terms?"


def test_a_long_question_is_shortened_as_a_title(conversations: Conversations) -> None:
    talk = conversations.touch(ANA, conversations.create(ANA).id, "word " * 100)
    assert len(talk.title) <= TITLE_LENGTH
    assert talk.title.endswith("…")


def test_the_one_asked_last_is_listed_first(conversations: Conversations, clock: FixedClock) -> None:
    first, second = conversations.create(ANA), conversations.create(ANA)
    clock.advance(5)
    conversations.touch(ANA, first.id, "Hello?")
    assert [talk.id for talk in conversations.list(ANA)] == [first.id, second.id]


@pytest.mark.req("ASK-8")
def test_choices_are_remembered(conversations: Conversations) -> None:
    talk = conversations.create(ANA)
    filters = Filters(tags={"supplier": ("Orbex",)})
    conversations.choose(ANA, talk.id, [ContainerId("c")], filters, Profile.THOROUGH)
    stored = conversations.get(ANA, talk.id)
    assert (stored.containers, stored.filters, stored.profile) == ((ContainerId("c"),), filters, Profile.THOROUGH)


def test_another_users_conversation_looks_like_a_missing_one(conversations: Conversations) -> None:
    talk = conversations.create(ANA)
    told = set()
    for conversation_id in (talk.id, ConversationId("conv_none")):
        for use in (conversations.get, conversations.turns):
            with pytest.raises(NotFound) as error:
                use(BOB, conversation_id)
            told.add(str(error.value))
    assert len(told) == 1
    assert conversations.list(BOB) == []
    assert conversations.get(ANA, talk.id) == talk


def test_renaming(conversations: Conversations) -> None:
    talk = conversations.create(ANA)
    assert conversations.rename(ANA, talk.id, "  Supplier \n review ").title == "Supplier review"
    with pytest.raises(PinciteError, match="needs a name"):
        conversations.rename(ANA, talk.id, "   ")
