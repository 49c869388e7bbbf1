"""The store of evaluation runs."""

from sqlalchemy import delete, select

from workbench.adapters.sql.engine import Database
from workbench.adapters.sql.records import put, read
from workbench.adapters.sql.tables import EVAL_RUNS
from workbench.domain.evals import EvalLog
from workbench.domain.ids import RunId


class SqlEvalStore:
    """An :class:`~workbench.services.ports.EvalStore` in a relational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_run(self, log: EvalLog) -> None:
        values = {"suite": log.suite, "started_at": log.started_at, "value": log.model_dump_json()}
        with self._database.writing() as connection:
            put(connection, EVAL_RUNS, {"id": log.id}, values)

    def run(self, run_id: RunId) -> EvalLog | None:
        with self._database.reading() as connection:
            value = connection.scalar(select(EVAL_RUNS.c.value).where(EVAL_RUNS.c.id == run_id))
        return None if value is None else read(EvalLog, value, f"run {run_id}")

    def runs(self, suite: str | None = None, limit: int = 100) -> list[EvalLog]:
        wanted = select(EVAL_RUNS.c.id, EVAL_RUNS.c.value).order_by(EVAL_RUNS.c.started_at.desc(), EVAL_RUNS.c.id)
        if suite is not None:
            wanted = wanted.where(EVAL_RUNS.c.suite == suite)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.limit(limit)).all()
        return [read(EvalLog, value, f"run {key}") for key, value in rows]

    def delete_run(self, run_id: RunId) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(EVAL_RUNS).where(EVAL_RUNS.c.id == run_id))
