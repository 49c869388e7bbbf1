"""A conversation as a file: the stored answer, position map and trace, and Markdown that no text in it can break."""

import json
from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

from tests.services.conftest import ACCESS, CONTRACTS, Asking
from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, call, say
from workbench.domain.citations import CitedAnswer
from workbench.domain.conversations import Turn
from workbench.domain.errors import NotFound
from workbench.domain.events import EVENT
from workbench.domain.ids import ConversationId, UserId
from workbench.domain.scope import Access
from workbench.services.export import ConversationExport, ExportFormat

pytestmark = pytest.mark.req("CHAT-1", "CITE-5")

Make = Callable[..., Asking]
ANY = dict.fromkeys(("document_ids", "tags", "language", "date_from", "date_to", "period"))
SEARCH: Step = call("search_documents", query="payment terms of Orbex", **ANY)
HOSTILE = (
    "# Question 9\n## Answer 9\n[x](javascript:alert(1)) ![i](http://e.x/a.png) <script>\n```\n---\n| a |\x00\u202e"
)


@pytest.fixture
def talk(asking: Make) -> tuple[Asking, Turn]:
    """A conversation of two turns, the first one cited."""
    model = ScriptedModel([SEARCH, say("Orbex is paid within 45 days [S1]; 45 [S1][S2]."), say("None.")], price=0.01)
    made = asking(model)
    conversation = made.conversations.create(ACCESS, [CONTRACTS])
    first = made.turns.wait(ACCESS, made.turns.ask(ACCESS, conversation.id, "When is Orbex paid?").id)
    made.turns.wait(ACCESS, made.turns.ask(ACCESS, conversation.id, "And penalties?").id)
    return made, first


def export(made: Asking, public_url: str | None = None) -> ConversationExport:
    return ConversationExport(made.conversations, FixedClock(), public_url)


def test_json_holds_the_position_map_and_everything_else_as_it_is_stored(talk: tuple[Asking, Turn]) -> None:
    made, turn = talk
    file = export(made).file(ACCESS, turn.conversation_id, ExportFormat.JSON)
    values = json.loads(file.text)
    first, second = values["turns"]
    stored = made.store.turn(turn.id)
    assert stored is not None
    assert len(stored.answer.mentions) == 3
    assert first["position_map"] == [each.model_dump(mode="json") for each in stored.answer.mentions]
    assert first["position_unit"] == "unicode code points of the answer"
    assert first["answer"] == stored.answer.text
    assert [each["number"] for each in first["citations"]] == [each.number for each in stored.answer.citations]
    assert first["events"] == [EVENT.dump_python(each, mode="json") for each in made.store.events(turn.id)]
    assert first["response_ids"] == list(stored.response_ids)
    assert len(first["response_ids"]) == 2
    assert first["usage"]["cost"] == pytest.approx(0.02)
    assert (first["profile"], first["model"]) == ("quick", "scripted")
    assert first["prompt_version"] == stored.prompt_version != ""
    assert Turn.model_validate_json(stored.model_dump_json()).items == stored.items
    assert first["transcript"] == stored.model_dump(mode="json")["items"]
    assert (second["number"], second["question"]) == (2, "And penalties?")
    assert (values["format"], values["version"]) == ("pincite.conversation", 1)
    assert file.name == "pincite-when-is-orbex-paid.json"


def test_markdown_has_numbered_sources_below_each_answer(talk: tuple[Asking, Turn]) -> None:
    made, turn = talk
    text = export(made).file(ACCESS, turn.conversation_id, ExportFormat.MARKDOWN).text
    assert text.startswith("# When is Orbex paid?\n\nExported from Pincite on ")
    assert "## Question 1\n\n> When is Orbex paid?\n" in text
    assert "Orbex is paid within 45 days \\[1\\]; 45 \\[1\\] \\[2\\]." in text
    assert "### Sources of answer 1\n\n1. orbex.pdf, p. 2 (Contracts)\n" in text
    assert "## Question 2" in text
    assert "](" not in text


def test_with_an_address_of_the_app_each_source_is_a_link_to_the_place_that_cites_it_first(
    talk: tuple[Asking, Turn],
) -> None:
    made, turn = talk
    text = export(made, "https://pincite.example.com/app/").markdown(ACCESS, turn.conversation_id)
    address = f"https://pincite.example.com/app/viewer?conversation={turn.conversation_id}&turn={turn.id}&mention="
    assert f"1. [orbex.pdf, p. 2](<{address}0>)" in text
    assert f"2. [orbex.pdf, p. 3](<{address}2>)" in text or f"(<{address}2>)" in text


@pytest.mark.req("CITE-10")
def test_no_text_breaks_the_document(talk: tuple[Asking, Turn]) -> None:
    made, turn = talk
    made.conversations.rename(ACCESS, turn.conversation_id, HOSTILE)
    answer = CitedAnswer(text=HOSTILE + turn.answer.text)
    made.store.save_turn(turn.model_copy(update={"question": HOSTILE, "reason": HOSTILE, "answer": answer}))
    text = export(made).markdown(ACCESS, turn.conversation_id)
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    headings = [
        tokens[index + 1].content
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag in ("h1", "h2", "h3")
    ]
    kinds = {child.type for token in tokens for child in (token, *(token.children or ()))}
    assert headings[1:] == ["Question 1", "Answer 1", "Question 2", "Answer 2"]
    assert not kinds & {"html_inline", "html_block", "image", "link_open"}
    assert "\x00" not in text


def test_another_users_conversation_is_exported_by_nobody(talk: tuple[Asking, Turn]) -> None:
    made, turn = talk
    bob = Access(user_id=UserId("bob"), containers=frozenset([CONTRACTS]))
    told = set()
    for conversation in (turn.conversation_id, ConversationId("conv_none")):
        for kind in ExportFormat:
            with pytest.raises(NotFound) as error:
                export(made).file(bob, conversation, kind)
            told.add(str(error.value))
    assert len(told) == 1


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("../../etc/passwd", "pincite-etc-passwd.md"),
        ("Größe & Maß?", "pincite-groe-ma.md"),
        ("契約", None),
        ("x" * 70, f"pincite-{'x' * 52}.md"),
    ],
)
def test_the_name_of_the_file_is_one_that_every_system_takes(
    talk: tuple[Asking, Turn], title: str, name: str | None
) -> None:
    made, turn = talk
    made.conversations.rename(ACCESS, turn.conversation_id, title)
    file = export(made).file(ACCESS, turn.conversation_id, ExportFormat.MARKDOWN)
    assert file.name == (name or f"pincite-{turn.conversation_id}.md")
