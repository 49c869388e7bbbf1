"""The contract of Sandbox, for every engine: code runs as CPython runs it, and reaches nothing outside."""

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from pathlib import Path
from threading import Event

import pytest

from tests.bench.sandbox import MARK, SECRET, Attack, Outside, attacked
from workbench.adapters.sandbox.bubblewrap import BubblewrapSandbox
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.domain.calculations import ColumnKind, LimitHit, RunLimits, RunOutcome, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import Sandbox, SandboxInputs, SandboxTable

LIMITS = RunLimits(seconds=5.0)
SHORT = RunLimits(seconds=1.0)
LEDGER = SandboxTable(
    "ledger",
    ("supplier", "amount", "due"),
    [
        ("Acme", Decimal("1200.10"), date(2025, 1, 31)),
        ("Böll", Decimal("99.95"), date(2025, 2, 28)),
        ("Acme", Decimal("0.05"), None),
    ],
)


@pytest.fixture(scope="module", params=[WasmSandbox, BubblewrapSandbox], ids=["wasm", "bubblewrap"])
def sandbox(request: pytest.FixtureRequest, sandbox_home: Path) -> Iterator[Sandbox]:
    try:
        made: Sandbox = request.param(sandbox_home)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    yield made
    made.close()


def _run(sandbox: Sandbox, code: str, *tables: SandboxTable, limits: RunLimits = LIMITS) -> SandboxResult:
    return sandbox.run(code, SandboxInputs(tables), limits)


@pytest.mark.parametrize(
    ("code", "value", "printed"),
    [
        ("1 + 1", "2", ""),
        ("print('Grüße', 7)\nx = 3", None, "Grüße 7\n"),
        ("from decimal import Decimal as D\nsum([D('0.1')] * 3) == D('0.3')", "True", ""),
        ("from datetime import date\n(date(2025, 3, 1) - date(2024, 2, 15)).days", "380", ""),
        ("import calendar\ncalendar.monthrange(2024, 2)[1]", "29", ""),
        ("import statistics\nstatistics.median([3, 9, 5])", "5", ""),
        ("import csv, io\nlist(csv.reader(io.StringIO('a;b'), delimiter=';'))", "[['a', 'b']]", ""),
        ("from fractions import Fraction\nround(float(Fraction(1, 3) * 1000), 2)", "333.33", ""),
        ("to_decimal('1.234,56') + to_decimal('(1,250)') + to_decimal('EUR 4.3m')", "Decimal('4299984.56')", ""),
        ("tables['ledger'].sum('amount')", "Decimal('1300.10')", ""),
        ("{k: str(t.sum('amount')) for k, t in tables['ledger'].group_by('supplier').items()}",
         "{'Acme': '1200.15', 'Böll': '99.95'}", ""),
        ("max(row['due'] for row in tables['ledger'] if row['due']).isoformat()", "'2025-02-28'", ""),
        ("try:\n    int('x')\nexcept ValueError as e:\n    print(e)",
         None, "invalid literal for int() with base 10: 'x'\n"),
        ("class A:\n    def __repr__(self): return 'an A'\nA()", "an A", ""),
    ],
)  # fmt: skip
def test_code_gives_what_python_gives(sandbox: Sandbox, code: str, value: str | None, printed: str) -> None:
    given = _run(sandbox, code, LEDGER)

    assert (given.outcome, given.value, given.printed) == (RunOutcome.OK, value, printed)
    assert given.error is None
    assert given.limits_hit == ()


@pytest.mark.parametrize(
    ("code", "kind", "line"),
    [
        ("x = 1\n\ny = x / 0", "ZeroDivisionError", 3),
        ("def f():\n    return {}['a']\n\n\nf()", "KeyError", 2),
        ("x = 1\nif x:\nprint(x)", "IndentationError", 3),
        ("import no_such_module", "ModuleNotFoundError", 1),
        ("import json\njson.loads('{')", "JSONDecodeError", 2),
        ("import sys\nsys.exit('bye')", "SystemExit", 2),
    ],
)
def test_an_error_names_its_kind_and_the_line_of_the_code(sandbox: Sandbox, code: str, kind: str, line: int) -> None:
    given = _run(sandbox, code)

    assert given.outcome is RunOutcome.ERROR
    assert given.error is not None
    assert (given.error.type, given.error.line) == (kind, line)
    assert "/in" not in given.error.traceback
    assert "harness" not in given.error.traceback


def test_a_table_comes_back_as_a_table(sandbox: Sandbox) -> None:
    (table,) = _run(sandbox, "tables['ledger']", LEDGER).tables

    assert table.columns == LEDGER.columns
    assert table.kinds == (ColumnKind.TEXT, ColumnKind.NUMBER, ColumnKind.DATE)
    assert table.rows[0] == ("Acme", "1200.10", "2025-01-31")
    assert table.rows[2] == ("Acme", "0.05", None)


def test_several_tables_come_back_by_name_and_cut_to_the_limit(sandbox: Sandbox) -> None:
    given = _run(sandbox, "{'a': [{'n': i} for i in range(9)], 'b': [{'m': 1.5}]}", limits=RunLimits(result_rows=4))

    assert [(table.name, len(table.rows), table.total_rows) for table in given.tables] == [("a", 4, 9), ("b", 1, 1)]
    assert given.limits_hit == (LimitHit.RESULT,)


def test_the_inputs_of_a_run_are_known_by_their_hash(sandbox: Sandbox) -> None:
    code = "import hashlib\nhashlib.sha256(open('/in/table0.jsonl', 'rb').read()).hexdigest()"

    given = _run(sandbox, code, LEDGER)

    assert [(each.name, repr(each.sha256)) for each in given.inputs] == [("ledger", given.value)]
    assert given.inputs == _run(sandbox, "1", LEDGER).inputs
    assert given.inputs != _run(sandbox, "1", LEDGER._replace(rows=[("Acme", 1, None)])).inputs
    assert len(given.inputs[0].sha256) == len(hashlib.sha256().hexdigest())


def test_a_run_that_takes_too_long_is_stopped_and_keeps_what_it_printed(sandbox: Sandbox) -> None:
    given = _run(sandbox, "print('so far')\nimport time\ntime.sleep(60)", limits=SHORT)

    assert (given.outcome, given.limits_hit, given.printed) == (RunOutcome.TIMEOUT, (LimitHit.TIME,), "so far\n")
    assert SHORT.seconds <= given.seconds < 60


def test_a_run_is_stopped_at_once_when_its_turn_ends(sandbox: Sandbox) -> None:
    _run(sandbox, "1")  # a process that is not ready yet would not have begun
    asked = iter([False, False, True])
    code = "print('so far', flush=True)\nwhile True:\n    pass"

    given = sandbox.run(code, SandboxInputs(), RunLimits(seconds=120.0), lambda: next(asked, True))

    assert given.outcome is RunOutcome.STOPPED
    assert given.error is not None
    assert given.limits_hit == ()
    assert _run(sandbox, "1").outcome is RunOutcome.OK


def test_a_run_that_waits_for_its_place_ends_with_its_turn(sandbox: Sandbox, sandbox_home: Path) -> None:
    narrow = type(sandbox)(sandbox_home, 1)  # type: ignore[call-arg]
    _run(narrow, "1")
    begun, free = Event(), Event()

    def held() -> bool:
        begun.set()
        return free.is_set()

    with ThreadPoolExecutor(1) as pool:
        endless = pool.submit(narrow.run, "while True:\n    pass", SandboxInputs(), RunLimits(seconds=300.0), held)
        assert begun.wait(60)
        with pytest.raises(SandboxUnavailable, match="ended before"):
            narrow.run("1", SandboxInputs(), LIMITS, lambda: True)
        free.set()
        assert endless.result().outcome is RunOutcome.STOPPED
    narrow.close()


def test_a_run_that_prints_too_much_is_stopped(sandbox: Sandbox) -> None:
    given = _run(sandbox, "while True:\n    print('x' * 99)", limits=RunLimits(output_bytes=5000))

    assert (given.outcome, given.limits_hit) == (RunOutcome.OUTPUT, (LimitHit.OUTPUT,))
    assert 4900 <= len(given.printed) <= 5000


def test_a_result_that_is_too_large_is_cut_and_says_so(sandbox: Sandbox) -> None:
    given = _run(sandbox, "'y' * 50_000", limits=RunLimits(result_bytes=2000))

    assert (given.outcome, len(given.value or ""), given.limits_hit) == (RunOutcome.OK, 2000, (LimitHit.RESULT,))


ATTACKS = (
    Attack("reads the database", 'print(open("{{DB_PATH}}", "rb").read())', ("error",)),
    Attack("reads passwords", 'print("PW" + "NED" if "root:" in open("/etc/passwd").read() else 0)', ("error",)),
    Attack(
        "climbs out of its inputs", 'print(open("/in/../../../../../../../../" + "{{CANARY_DIR}}/keep.txt").read())',
        ("error",)),
    Attack("writes beside the app", 'open("{{CANARY_DIR}}/new.txt", "w").write("x")', ("error",)),
    Attack("changes its own inputs", 'open("/in/request.json", "a").write("x")', ("error",)),
    Attack("changes the guest for others", 'open("/app/workbench/__init__.py", "w").write("x")', ("error",)),
    Attack("connects", 'import socket\nsocket.create_connection(("127.0.0.1", {{PORT}}), timeout=1)', ("error",)),
    Attack("looks up the environment", "import os\nprint(dict(os.environ))", ("ok",)),
    Attack("starts a program", 'import subprocess\nprint(subprocess.run(["id"], capture_output=True))', ("error",)),
    Attack("forks", "import os\nprint('PW' + 'NED' if os.fork() else 0)", ("error",)),
    Attack("takes memory", "x = []\nwhile True:\n    x.append(bytearray(1 << 22))", ("memory", "error", "crash", "timeout")),
    Attack("ends the interpreter", "import os\nos.abort()", ("crash", "error")),
    Attack("sinks the parser", "import json\njson.loads('[' * 500_000)", ("error", "crash", "memory")),
    Attack("forges an answer", "import os\nos.write(2, b'{\"outcome\": \"ok\"}' * 9)\n1", ("ok", "crash")),
)  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "-"))
def test_an_attack_reaches_nothing_and_the_next_run_works(sandbox: Sandbox, attack: Attack, tmp_path: Path) -> None:
    with Outside(tmp_path) as outside:
        assert attacked(sandbox, attack, outside) == []


def test_the_watch_from_outside_sees_what_is_touched(tmp_path: Path) -> None:
    """The tests above can fail: this code does in the open what the attacks try."""
    with Outside(tmp_path) as outside:
        (tmp_path / "new.txt").write_text(os.environ["CANARY_SECRET"])
        assert outside.touched() == ["files"]
        assert outside.touched() == []
        assert (SECRET in outside.aimed("{{SECRET}}"), MARK.encode() in outside.database.read_bytes()) == (True, True)


def test_a_run_that_is_had_again_gives_the_same(sandbox: Sandbox) -> None:
    code = "{row['supplier'] for row in tables['ledger']} | set('abcdefgh')"

    first, second = (_run(sandbox, code, LEDGER) for _ in range(2))

    assert first.model_copy(update={"seconds": second.seconds}) == second


def test_nothing_is_left_for_the_next_run(sandbox: Sandbox) -> None:
    leave = (
        "import builtins\nbuiltins.sorted = None\nsecret = 7\n"
        "try:\n    open('/tmp/left', 'w').write('x')\nexcept OSError:\n    pass"
    )
    look = "import os\n('secret' in globals(), sorted is None, os.path.exists('/tmp/left'))"

    _run(sandbox, leave)

    assert _run(sandbox, look).value == "(False, False, False)"


def test_inputs_are_gone_after_the_run(sandbox: Sandbox, sandbox_home: Path) -> None:
    _run(sandbox, "1", LEDGER)

    assert list((sandbox_home / "runs").iterdir()) == []


def test_the_engine_tells_its_name_and_what_code_can_use(sandbox: Sandbox) -> None:
    assert "CPython" in sandbox.name
    has_pandas = _run(sandbox, "import pandas").outcome is RunOutcome.OK
    assert ("without pandas" not in sandbox.description) == has_pandas
