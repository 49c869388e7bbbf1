"""``rewrite_query``: the model writes the user's whole question anew, without typos, before anything is searched."""

from pydantic import Field

from workbench.domain.events import QueryRewritten
from workbench.domain.values import Value
from workbench.services.tools.tool import ToolContext, ToolResult


class RewriteArguments(Value):
    query: str = Field(min_length=1, max_length=2000, description="The corrected whole question.")


class RewriteQuery:
    name = "rewrite_query"
    description = (
        "Correct the spelling, grammar and phrasing of the user's whole question before searching. "
        "At most once a turn; skip it when the wording is already clean."
    )
    arguments = RewriteArguments

    def __init__(self) -> None:
        self._rewritten: str | None = None

    def fetch(self, arguments: RewriteArguments, context: ToolContext) -> None:
        """Nothing to fetch: the rewriting is in the argument."""

    def settle(self, fetched: None, arguments: RewriteArguments, context: ToolContext) -> ToolResult:
        after = arguments.query.strip()
        if self._rewritten is not None:
            return ToolResult(
                f"The question was already rewritten in this turn as: {self._rewritten}. Search with that."
            )
        self._rewritten = after
        if after == context.question.strip():
            return ToolResult("The wording was already clean. Search with it.")
        event = QueryRewritten(call_id=context.call_id, before=context.question, after=after)
        return ToolResult(f"Rewritten: {after}", (event,))
