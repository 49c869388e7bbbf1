import pytest

from tests.services.conftest import ACCESS, CONTRACTS, Bench
from workbench.domain.scope import build_scope
from workbench.services.retrieval.ledger import Ledger
from workbench.services.tools.search_documents import SearchArguments, SearchDocuments
from workbench.services.tools.tool import ToolContext


@pytest.mark.req("FIND-5")
@pytest.mark.parametrize(("share", "given"), [(1, 1), (2, 2), (None, 3)])
def test_a_search_gives_no_more_than_its_share_of_the_budget(bench: Bench, share: int | None, given: int) -> None:
    ledger = Ledger(24, lambda document, numbers: {})
    tool = SearchDocuments(bench.search, bench.clock)
    arguments = SearchArguments.model_validate(
        dict.fromkeys(SearchArguments.model_fields)
        | {"query": "payment liability definitions agreement", "document_ids": (bench.documents["orbex.pdf"],)}
    )
    context = ToolContext(build_scope(ACCESS, [CONTRACTS]), ledger, "question", "call", share=share)
    tool.settle(tool.fetch(arguments, context), arguments, context)
    assert ledger.given == given
