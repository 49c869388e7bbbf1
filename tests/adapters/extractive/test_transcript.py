"""Reading the turns of a transcript."""

from workbench.adapters.extractive.transcript import read_turns
from workbench.domain.items import AssistantMessage, FunctionCall, FunctionCallOutput, UserMessage


def call(number, name="search_documents", arguments='{"query": "q", "document_ids": null, "tags": null}'):
    return FunctionCall(call_id=f"c{number}", name=name, arguments=arguments)


def output(number, text="nothing"):
    return FunctionCallOutput(call_id=f"c{number}", output=text)


def test_calls_of_one_response_are_one_batch():
    items = [
        UserMessage(text="q"),
        call(1),
        call(2),
        output(1),
        output(2),
        call(3),
        output(3),
        AssistantMessage(text="a"),
    ]
    (turn,) = read_turns(items)
    assert [each.batch for each in turn.calls] == [1, 1, 2]
    assert turn.batches == 2
    assert turn.answer == "a"


def test_a_reply_starts_a_turn_and_sheds_the_words_of_the_loop():
    items = [
        UserMessage(text="help"),
        call(1, "ask_user", '{"question": "On what?"}'),
        output(1, "The user replied: caps"),
    ]
    first, second = read_turns(items)
    assert first.question == "help"
    assert second.question == "caps"
    assert second.replying


def test_arguments_that_are_not_json_are_read_as_none():
    (turn,) = read_turns([UserMessage(text="q"), call(1, arguments="{")])
    assert turn.calls[0].arguments == {}
    assert turn.calls[0].output is None


def test_a_transcript_without_a_question_has_no_turns():
    assert read_turns([AssistantMessage(text="hello"), call(1)]) == []
