"""The registry: every tool a turn may use, made fresh for each turn, and the check of what a model asks of them."""

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pydantic import ValidationError

from workbench.domain.errors import SandboxUnavailable
from workbench.domain.items import FunctionCall
from workbench.domain.values import Value
from workbench.services.listing import Listings
from workbench.services.ports import Clock, LibraryStore, Sandbox, TableStore, ToolSpec
from workbench.services.retrieval.search import Search
from workbench.services.tools.ask_user import AskUser
from workbench.services.tools.draw_chart import DrawChart
from workbench.services.tools.find_documents import FindDocuments
from workbench.services.tools.get_document import GetDocument
from workbench.services.tools.read_page import ReadPage
from workbench.services.tools.read_table import ReadTable
from workbench.services.tools.recommend import Recommend
from workbench.services.tools.rewrite_query import RewriteQuery
from workbench.services.tools.run_code import RunCode
from workbench.services.tools.search_documents import SearchDocuments
from workbench.services.tools.tool import Tool, spec

log = logging.getLogger(__name__)


WITHIN_A_TURN = frozenset({"rewrite_query", "ask_user", "recommend", "draw_chart"})
"""Tools that mean something only to a model that is in the middle of a turn; all others can be called by themselves."""
CALLABLE = tuple(each.name for each in (SearchDocuments, FindDocuments, GetDocument, ReadPage, ReadTable, RunCode))
"""The names of those others, for whoever allows some of them; a test compares them with the registry."""


class Accepted(NamedTuple):
    """A call that may run."""

    call: FunctionCall
    tool: Tool
    arguments: Value


class Rejected(NamedTuple):
    """A call that may not run, and what the model is told."""

    call: FunctionCall
    message: str


class Toolbelt:
    """The tools of one turn, by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(spec(tool) for tool in self._tools.values())

    def check(self, call: FunctionCall) -> Accepted | Rejected:
        """Match a call to its tool and its arguments to the tool's model. Nothing is coerced and nothing defaulted."""
        tool = self._tools.get(call.name)
        if tool is None:
            return Rejected(call, f"There is no tool named {call.name!r}. The tools are: {', '.join(self._tools)}.")
        try:
            arguments = tool.arguments.model_validate_json(call.arguments, strict=True)
        except ValidationError as error:
            return Rejected(
                call, f"The arguments of {call.name} were rejected, and the call did not run: {_why(error)}"
            )
        return Accepted(call, tool, arguments)


def _why(error: ValidationError) -> str:
    problems = []
    for problem in error.errors(include_url=False, include_input=False, include_context=False):
        place = ".".join(str(part) for part in problem["loc"])
        problems.append(f"{place}: {problem['msg']}" if place else problem["msg"])
    return "; ".join(problems)


class ToolRegistry:
    """Where a new tool is registered: one line here, one module beside this one.

    Without a ``sandbox``, or where it does not work, there are no calculations.
    """

    def __init__(
        self, search: Search, store: LibraryStore, clock: Clock, tables: TableStore, sandbox: Sandbox | None = None
    ) -> None:
        listings = Listings(store)
        self._factories: tuple[Callable[[], Tool | None], ...] = (
            RewriteQuery,
            lambda: SearchDocuments(search, clock),
            lambda: FindDocuments(listings, clock),
            lambda: GetDocument(store, tables),
            lambda: ReadPage(store),
            lambda: ReadTable(store, tables),
            lambda: None if sandbox is None else RunCode(store, tables, sandbox),
            DrawChart,
            AskUser,
            lambda: Recommend(store),
        )

    def toolbelt(self, *, within_a_turn: bool = True) -> Toolbelt:
        """Return the tools for one turn; what they remember ends with it. One that does not work here is left out.

        Not ``within_a_turn`` are those that can be called by themselves.
        """
        tools: list[Tool] = []
        for factory in self._factories:
            try:
                tool = factory()
            except SandboxUnavailable as error:
                log.warning("This turn has no calculations. %s", error)
                continue
            if tool is not None and (within_a_turn or tool.name not in WITHIN_A_TURN):
                tools.append(tool)
        return Toolbelt(tools)
