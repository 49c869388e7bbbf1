"""The folder of a run."""

from pathlib import Path

from workbench.adapters.sandbox.folder import prepare, run_folder
from workbench.domain.calculations import RunLimits
from workbench.services.ports import SandboxInputs, SandboxTable


def test_what_a_process_that_died_left_behind_is_removed(tmp_path: Path) -> None:
    runs, _ = prepare(tmp_path)
    (runs / "run-1").mkdir()
    (runs / "run-1" / "table0.jsonl").write_text("confidential")

    prepare(tmp_path)

    assert list(runs.iterdir()) == []


def test_the_name_of_a_table_is_no_path(tmp_path: Path) -> None:
    table = SandboxTable("../../../evil", ("x",), [(1,)])

    runs, _ = prepare(tmp_path)
    with run_folder(runs, "", SandboxInputs([table]), RunLimits()) as run:
        assert sorted(path.name for path in run.path.iterdir()) == ["request.json", "table0.jsonl"]
    assert not list(tmp_path.glob("**/*evil*"))
