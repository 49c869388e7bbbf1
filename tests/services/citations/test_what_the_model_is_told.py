"""What the model is told of markers is what the writer understands: the same example, the same REFs, the same passages."""

import re
from collections.abc import Callable

import pytest

from tests.services.conftest import CONTRACTS, Bench, Stores, put
from tests.ui.ask.desk import search
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, say
from workbench.domain.budgets import DEFAULT_PROFILES, Profile
from workbench.domain.items import FunctionCallOutput
from workbench.domain.markers import Marker, MarkerParser
from workbench.domain.sources import SourceBlock, parse_blocks
from workbench.services.agent.prompt import load_prompt
from workbench.services.ports import ModelRequest

pytestmark = pytest.mark.req("CITE-1")


class Told:
    """The passages that tool results gave to the model, by their refs."""

    def __init__(self) -> None:
        self.blocks: dict[str, SourceBlock] = {}

    def read(self, request: ModelRequest) -> None:
        for item in request.input:
            if isinstance(item, FunctionCallOutput):
                self.blocks |= {str(block.ref): block for block in parse_blocks(item.output)}

    def then(self, step: Callable[[], Step]) -> Callable[[ModelRequest], Step]:
        def read_first(request: ModelRequest) -> Step:
            self.read(request)
            return step()

        return read_first

    def say_all(self) -> Step:
        """Say what each passage says, marked as the prompt asks."""
        return say(" ".join(f"It says: {block.content} [{ref}]." for ref, block in self.blocks.items()))


def test_the_prompts_own_example_is_understood() -> None:
    parser = MarkerParser()
    parts = [*parser.feed(load_prompt().template), *parser.finish()]
    assert [part.refs for part in parts if isinstance(part, Marker)] == [("S3",), ("S3",), ("S7",)]


def test_every_ref_of_two_searches_opens_the_passage_it_was_given_with(bench: Bench) -> None:
    told = Told()
    script = [
        search("payment terms invoice"),
        told.then(lambda: search("liability cap of either party")),
        told.then(told.say_all),
    ]
    answer = bench.run(ScriptedModel(script)).end.answer
    assert len(told.blocks) >= 4
    assert answer.unknown_refs == ()
    assert {ref for mention in answer.mentions for ref in mention.refs} == set(told.blocks)
    for mention in answer.mentions:
        citation = answer.citation(mention.citation)
        (block,) = [told.blocks[ref] for ref in mention.refs]
        assert (citation.document_id, citation.page_label) == (block.document, f"p. {block.page}")
        assert mention.quote in block.content


@pytest.mark.parametrize("chunks", [3, 10, 40])
def test_among_many_files_each_ref_opens_its_own_file_however_many_passages_are_kept(
    bench: Bench, stores: Stores, chunks: int
) -> None:
    for number in range(1, 11):
        texts = (
            f"The code of locker {number} is {number * 111}.",
            f"The code of locker {number} hangs in hall {number}.",
        )
        put(stores, CONTRACTS, f"locker_{number}.pdf", texts)
    told = Told()
    limits = DEFAULT_PROFILES[Profile.QUICK].limits.model_copy(update={"chunks": chunks})
    model = ScriptedModel([search("What is the code of locker 7?"), told.then(told.say_all)])
    answer = bench.run(model, "What is the code of locker 7?", limits=limits).end.answer
    assert "locker_7.pdf" in {block.title for block in told.blocks.values()}
    assert len(answer.mentions) == len(told.blocks) <= chunks
    for mention in answer.mentions:
        number = re.search(r"locker (\d+)", mention.quote)
        assert number is not None
        assert answer.citation(mention.citation).document == f"locker_{number[1]}.pdf"


def test_a_source_is_listed_once_for_each_page_in_the_order_of_its_first_mark(bench: Bench) -> None:
    told = Told()

    def twice() -> Step:
        return say(" ".join(f"It says: {block.content} [{ref}][{ref}]." for ref, block in [*told.blocks.items()] * 2))

    answer = bench.run(ScriptedModel([search("payment invoices agreement"), told.then(twice)])).end.answer
    pages = [(citation.document_id, citation.page) for citation in answer.citations]
    assert pages == [(block.document, int(block.page)) for block in told.blocks.values()]
    assert [citation.number for citation in answer.citations] == list(range(1, len(pages) + 1))
    assert len(answer.mentions) == 2 * len(pages)
