"""``ask_user``: end the turn with a question to the user."""

from pydantic import Field

from workbench.domain.results import ResultType
from workbench.domain.values import Value
from workbench.services.tools.tool import Ending, ToolContext, ToolResult


class AskUserArguments(Value):
    question: str = Field(min_length=1, max_length=1000, description="One short question in the user's language.")


class AskUser:
    name = "ask_user"
    description = (
        "Ask the user one question when the request cannot be understood or could mean several things. "
        "It ends the turn; the reply comes as the result of this call. Do not ask what a search could tell."
    )
    arguments = AskUserArguments

    def fetch(self, arguments: AskUserArguments, context: ToolContext) -> None:
        """Nothing to fetch: no data is touched."""

    def settle(self, fetched: None, arguments: AskUserArguments, context: ToolContext) -> ToolResult:
        return ToolResult("", ending=Ending(ResultType.CLARIFICATION, arguments.question.strip(), asks=True))
