"""A workbench of real parts for the Ask screen, whose model is a script, and short ways to ask and to look."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from workbench import bootstrap
from workbench.adapters.fakes.steps import Step, call
from workbench.domain.conversations import Conversation, Turn
from workbench.domain.scope import Access
from workbench.services.ingestion.jobs import Upload
from workbench.services.tools.find_documents import FindArguments
from workbench.services.tools.search_documents import SearchArguments

QUESTION = "When is payment due?"
Open = Callable[..., AppTest]


class Desk:
    """A workbench with one document, and short ways to ask."""

    def __init__(self, workbench: bootstrap.Workbench) -> None:
        self.workbench = workbench

    @property
    def access(self) -> Access:
        return self.workbench.library.access(bootstrap.LOCAL_USER)

    def add(self, name: str, data: bytes) -> None:
        container = self.workbench.library.ensure_container(self.access, "Contracts")
        (outcome,) = self.workbench.ingestion.submit(self.access, container.id, [Upload(name, data, ())])
        assert outcome.document_id is not None
        self.workbench.ingestion.wait([outcome.document_id], timeout=60)

    def conversation(self) -> Conversation:
        containers = [container.id for container in self.workbench.library.containers(self.access)]
        return self.workbench.conversations.create(self.access, containers)

    def asked(self, question: str = QUESTION) -> Turn:
        """Ask in a new conversation and wait for the end."""
        turn = self.workbench.turns.ask(self.access, self.conversation().id, question)
        return self.workbench.turns.wait(self.access, turn.id)


def search(query: str) -> Step:
    """Search without any narrowing."""
    return call("search_documents", **dict.fromkeys(SearchArguments.model_fields) | {"query": query})


def find(**arguments: object) -> Step:
    """List documents by these arguments alone."""
    return call("find_documents", **dict.fromkeys(FindArguments.model_fields) | arguments)


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def shown_turn(open_screen: Open, asked: Turn, **query: str) -> AppTest:
    return open_screen("ask", conversation=asked.conversation_id, **query)
