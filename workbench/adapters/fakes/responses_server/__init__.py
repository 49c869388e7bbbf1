"""A stateful fake of the Responses API, for tests and demos without a key: it keeps the rules a real provider enforces.

server = FakeResponsesServer([call("search_documents", query="late fee"), say("It is 5 % [S1].")])
with running(server) as base_url:
    model = OpenAIResponsesModel("gpt-5-mini", Connection("sk-test", base_url))
"""

from workbench.adapters.fakes.responses_server.app import FakeResponsesServer
from workbench.adapters.fakes.responses_server.faults import FAULTS
from workbench.adapters.fakes.responses_server.rules import ApiError
from workbench.adapters.fakes.responses_server.running import running
from workbench.adapters.fakes.responses_server.state import Exchange, Memory

__all__ = ["FAULTS", "ApiError", "Exchange", "FakeResponsesServer", "Memory", "running"]
