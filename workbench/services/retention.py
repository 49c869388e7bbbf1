"""Retention: conversations that nobody has gone on with for so many days are deleted, each with a receipt."""

import logging
import threading
from datetime import timedelta

from workbench.domain.conversations import Conversation
from workbench.domain.errors import PinciteError
from workbench.domain.scope import Access
from workbench.services.deletion.deletion import Deletion
from workbench.services.ports import Clock, ConversationStore, Jobs, JobStep, Progress

log = logging.getLogger(__name__)

KIND = "retention"
LOOK_AGAIN = 3600.0
"""Seconds between two looks at the date; the job itself runs once a day and at each start."""


class Retention:
    """Deletes conversations whose last question is older than ``days``; 0 deletes none. Pinned ones are kept.

    It is a durable job: what it had not come to when the process ended is done at the next start. ``Jobs`` must not have been
    resumed when this is built.
    """

    def __init__(self, store: ConversationStore, deletion: Deletion, jobs: Jobs, clock: Clock, days: int) -> None:
        self._store = store
        self._deletion = deletion
        self._jobs = jobs
        self._clock = clock
        self._days = days
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        jobs.register(KIND, [JobStep("delete", lambda _, report: self._sweep(report))])

    def begin(self) -> None:
        """Queue the job now and then every day, until :meth:`close`. To be called once, after the jobs were resumed."""
        if not self._days:
            return
        held = self._jobs.status(self._today())
        if held is not None and held.state.ended:
            self._jobs.retry(held.job_id)
        self.look()
        self._thread = threading.Thread(target=self._watch, name="retention", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Queue today's job, where it has not been queued yet, and forget those of other days that have ended."""
        today = self._today()
        self._jobs.enqueue(KIND, today, "")
        for earlier in self._jobs.jobs(KIND):
            if earlier.job_id != today and earlier.state.ended:
                self._jobs.forget(earlier.job_id)

    def close(self) -> None:
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_AGAIN):
            try:
                self.look()
            except Exception:
                # The jobs' database may be away for a while; the next look comes within the hour.
                log.exception("the retention job could not be queued")

    def _today(self) -> str:
        return f"{KIND}:{self._clock.now():%Y-%m-%d}"

    def _sweep(self, report: Progress) -> None:
        if not self._days:
            return  # left by a run in which there was a time
        due = self._store.idle_conversations(self._clock.now() - timedelta(days=self._days))
        for number, conversation in enumerate(due):
            report(number, len(due))
            self._delete(conversation)
        report(len(due), len(due))

    def _delete(self, conversation: Conversation) -> None:
        now = self._store.conversation(conversation.id)
        if now is None or now.pinned or now.updated_at != conversation.updated_at:
            return  # somebody has gone on with it, or pinned it, since they were listed
        owner = Access(user_id=conversation.user_id, containers=frozenset())
        reason = f"retention time of {self._days:,} days"
        try:
            self._deletion.delete_conversation(owner, conversation.id, reason=reason, wait=False)
        except PinciteError as error:
            log.warning("conversation %s is not deleted yet: %s", conversation.id, error)
