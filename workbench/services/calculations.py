"""Calculations: the runs of code behind an answer, had again by a reader on the same cells."""

from enum import StrEnum
from typing import NamedTuple

from workbench.domain.calculations import CodeRun, RunInput
from workbench.domain.documents import Document
from workbench.domain.errors import NotFound, SandboxUnavailable
from workbench.domain.events import CodeRan
from workbench.domain.ids import TurnId
from workbench.domain.scope import Access
from workbench.services.conversations import Conversations
from workbench.services.library import Library
from workbench.services.ports import ConversationStore, Sandbox, SandboxInputs, SandboxTable, TableStore
from workbench.services.tools.cells import Place
from workbench.services.tools.run_inputs import InputRows, run_input, sandbox_table

SWITCHED_OFF = "Calculations are switched off by the setting PINCITE_SANDBOX."


class Verdict(StrEnum):
    """What came of running code again."""

    SAME = "same"
    DIFFERENT = "different"
    CHANGED = "changed"
    """The cells are no longer those that the code was given."""
    GONE = "gone"
    """A document, or its table, is no longer there, or not the user's."""
    NOT_RUN = "not run"


class Repeat(NamedTuple):
    """The outcome in words for people, and the new run where there was one."""

    verdict: Verdict
    text: str
    run: CodeRun | None = None


class Engine(NamedTuple):
    """What runs code here. ``name`` is empty where nothing does, and then ``reason`` says why and what to do."""

    name: str
    reason: str


class Calculations:
    """Finds stored runs and repeats them, with the rights of the search. ``sandbox`` is None where no code runs here."""

    def __init__(
        self,
        conversations: Conversations,
        store: ConversationStore,
        library: Library,
        tables: TableStore,
        sandbox: Sandbox | None,
        instead: str = SWITCHED_OFF,
    ) -> None:
        """``instead`` says, where there is no sandbox, why."""
        self._conversations = conversations
        self._store = store
        self._library = library
        self._tables = tables
        self._sandbox = sandbox
        self._instead = instead

    @property
    def engine(self) -> Engine:
        """Tell what runs code here, and why it does or does not. May take a second, the first time."""
        if self._sandbox is None:
            return Engine("", self._instead)
        try:
            return Engine(self._sandbox.name, self._sandbox.reason)
        except SandboxUnavailable as error:
            return Engine("", str(error))

    def runs(self, access: Access, turn_id: TurnId) -> dict[str, CodeRun]:
        """Return the runs of a turn by the ids of their calls; raise NotFound where the turn is not the user's."""
        turn = self._conversations.turn(access, turn_id)
        return {event.call_id: event.run for event in self._store.events(turn.id) if isinstance(event, CodeRan)}

    def again(self, access: Access, turn_id: TurnId, call_id: str) -> Repeat:
        """Run the code of a call again on the same cells, and tell whether it gives the same.

        Raises NotFound where the turn is not the user's or has no such run.
        """
        run = self.runs(access, turn_id).get(call_id)
        if run is None:
            raise NotFound("This answer has no such calculation.", "Open its trace again.")
        if run.at_provider:
            return Repeat(Verdict.NOT_RUN, "It ran at the model's provider, where it cannot be run again from here.")
        if self._sandbox is None:
            return Repeat(Verdict.NOT_RUN, self._instead)
        given: list[tuple[RunInput, Place, SandboxTable, InputRows]] = []
        for each in run.inputs:
            place = self._place(access, each)
            if place is None:
                return Repeat(Verdict.GONE, f"{each.title} was deleted, or is no longer yours to read.")
            given.append((each, place, *self._table(each.name, place)))
        try:
            return self._compared(run, given, self._sandbox)
        except SandboxUnavailable as error:
            return Repeat(Verdict.NOT_RUN, str(error))
        except NotFound:
            return Repeat(Verdict.GONE, "A document was deleted while the code ran.")

    def _compared(
        self, run: CodeRun, given: list[tuple[RunInput, Place, SandboxTable, InputRows]], sandbox: Sandbox
    ) -> Repeat:
        result = sandbox.run(run.code, SandboxInputs([table for _, _, table, _ in given]), run.limits)
        inputs = tuple(
            run_input(hashed, place, table, rows.count, before.page, before.ref)
            for hashed, (before, place, table, rows) in zip(result.inputs, given, strict=True)
        )
        again = CodeRun(code=run.code, inputs=inputs, engine=sandbox.name, limits=run.limits, result=result)
        changed = [old.title for old, new in zip(run.inputs, inputs, strict=True) if old.sha256 != new.sha256]
        if changed:
            return Repeat(Verdict.CHANGED, f"The cells of {', '.join(changed)} have changed since.", again)
        if run.repeats(again):
            return Repeat(Verdict.SAME, "Run again on the same cells: exactly the same result.", again)
        other = "" if again.engine == run.engine else f" It ran in {run.engine} then, and in {again.engine} now."
        return Repeat(Verdict.DIFFERENT, f"Run again on the same cells, and the result differs.{other}", again)

    def _place(self, access: Access, given: RunInput) -> Place | None:
        """Return where the cells are, None where the user can no longer read them."""
        document = self._document(access, given)
        if document is None or given.cells is None:
            return None
        tables = self._tables.tables(document.id)
        table = next((each for each in tables if each.number == given.table), None)
        return None if table is None else Place(document, "", tables, table, given.cells)

    def _document(self, access: Access, given: RunInput) -> Document | None:
        if given.document_id is None:
            return None
        try:
            return self._library.document(access, given.document_id)
        except NotFound:
            return None

    def _table(self, name: str, place: Place) -> tuple[SandboxTable, InputRows]:
        return sandbox_table(name, place, lambda: self._tables.rows(place.document.id, place.table.number, place.asked))
