"""The sandbox: programs that must run as CPython runs them, and attacks that must reach nothing.

What an attack reached is looked up from outside, in files, sockets and the table of processes; its own word counts for
nothing. The programs and attacks are outside material, in the folder ``sandbox`` beside the one named by PINCITE_CORPUS.
"""

import hashlib
import json
import os
import socket
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import psutil

from workbench.adapters.sandbox.bubblewrap import BubblewrapSandbox
from workbench.adapters.sandbox.wasm import WasmSandbox
from workbench.domain.calculations import RunLimits, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import Sandbox, SandboxInputs, SandboxTable

LIMITS = RunLimits(seconds=3.0, memory_mb=512)
PATIENT = RunLimits(seconds=20.0, memory_mb=512)
"""For programs that are to come to their end."""
MOST_TEXT = 1_500_000
MOST_SECONDS = 15.0
SECRET = "canary-environment-5f1c"
MARK = "DBMARK-77aa"


def material() -> Path | None:
    """Return the folder of programs and attacks, None where there is none on this machine."""
    corpus = os.environ.get("PINCITE_CORPUS")
    folder = Path(corpus).parent / "sandbox" if corpus else None
    return folder if folder is not None and folder.is_dir() else None


class Program(NamedTuple):
    name: str
    code: str
    inputs: SandboxInputs
    pandas: bool
    printed: str
    value: str | None
    error: str | None = None
    line: int | None = None

    def difference(self, given: SandboxResult) -> str:
        """Say in which the result is not what is expected; empty where it is."""
        if given.printed != self.printed:
            return f"printed {given.printed[:200]!r}, not {self.printed[:200]!r}"
        if given.value != self.value:
            return f"gave {str(given.value)[:200]!r}, not {str(self.value)[:200]!r}"
        if (given.error.type if given.error else None) != self.error:
            return f"ended with {given.error}, not {self.error}"
        if self.line is not None and (given.error is None or given.error.line != self.line):
            return f"blamed {given.error}, not line {self.line}"
        return ""


class Attack(NamedTuple):
    name: str
    code: str
    outcomes: tuple[str, ...]
    then: str | None = None


def programs(folder: Path) -> list[Program]:
    fixtures = json.loads((folder / "sandbox_battery_fixtures.json").read_text("utf-8"))
    found = json.loads((folder / "sandbox_battery_functional.json").read_text("utf-8"))
    return [_program(each, fixtures) for each in found]


def attacks(folder: Path) -> list[Attack]:
    found = json.loads((folder / "sandbox_battery_attacks.json").read_text("utf-8"))
    return [Attack(each["name"], each["code"], tuple(each["expected"]["outcomes"]), each["then"]) for each in found]


def _program(found: dict[str, Any], fixtures: dict[str, Any]) -> Program:
    def whole(value: Any) -> Any:
        if isinstance(value, dict) and "$fixture" in value:
            return fixtures[value["$fixture"]]
        return {key: whole(each) for key, each in value.items()} if isinstance(value, dict) else value

    given = whole(found["inputs"])
    tables = [
        SandboxTable(name, tuple(rows[0]), [tuple(row.values()) for row in rows])
        for name, rows in given.pop("tables", {}).items()
    ]
    expected = found["expected"]
    return Program(
        name=found["name"],
        code=found["code"],
        inputs=SandboxInputs(tables, given),
        pandas=bool(found["needs"]),
        printed=expected["stdout"],
        value=expected["result"],
        error=expected.get("error"),
        line=expected.get("error_line"),
    )


# --- what an attack may not reach --------------------------------------------------------------------------------------


@dataclass
class Outside:
    """Files, a database, listening sockets and a secret of the app; and whether any of them was touched."""

    folder: Path
    port: int = 0
    reached: list[str] = field(default_factory=list)

    def __enter__(self) -> "Outside":
        (self.folder / "keep.txt").write_text("to be kept")
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(f"create table t as select '{MARK}' as mark")
        self._before = self._files()
        os.environ["CANARY_SECRET"] = SECRET
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._sockets = [self._tcp, self._udp]
        if sys.platform == "linux":
            local = socket.socket(socket.AF_UNIX)
            local.bind(f"\0{self._local}")
            local.listen()
            self._sockets.append(local)
        for each in self._sockets:
            each.setblocking(False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        del os.environ["CANARY_SECRET"]
        for each in self._sockets:
            each.close()

    @property
    def database(self) -> Path:
        return self.folder / "app.db"

    @property
    def _local(self) -> str:
        """The name of a local socket, which is one for the whole machine."""
        return f"canary-{os.getpid()}"

    def aimed(self, code: str) -> str:
        """Put the real targets into the code of an attack: it knows all there is to know."""
        for name, value in (
            ("DB_PATH", self.database),
            ("CANARY_DIR", self.folder),
            ("PORT", self.port),
            ("SECRET", SECRET),
            ("DBMARK", MARK),
        ):
            code = code.replace("{{" + name + "}}", str(value))
        return code.replace("canary-abstract", self._local)

    def touched(self) -> list[str]:
        """Return what was reached since the last look."""
        found = [f"a socket: {each.getsockname()!r}" for each in self._sockets if _was_reached(each)]
        if self._files() != self._before:
            found.append("files")
            self._before = self._files()
        return found

    def _files(self) -> dict[str, str]:
        # Other programs write into these folders, too: only what the attacks would leave there counts.
        shared = (Path.cwd(), Path(tempfile.gettempdir()), Path("/"), Path("/srv"))
        near = [path for folder in shared for name in ("pwned*", "left.txt", "fill.bin") for path in folder.glob(name)]
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in [*self.folder.rglob("*"), *near]
            if path.is_file()
        }


def _was_reached(listening: socket.socket) -> bool:
    try:
        if listening.type == socket.SOCK_DGRAM:
            listening.recvfrom(1)
        else:
            listening.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@contextmanager
def watched_memory() -> Iterator[list[int]]:
    """Measure the most memory that this process and all below it take together, in bytes over what they took before."""
    me = psutil.Process()
    most, end = [0], threading.Event()
    before = _memory(me)

    def watch() -> None:
        while not end.wait(0.1):
            most[0] = max(most[0], _memory(me) - before)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        end.set()
        watcher.join()


def _memory(me: psutil.Process) -> int:
    total = 0
    for process in [me, *me.children(recursive=True)]:
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def attacked(sandbox: Sandbox, attack: Attack, outside: Outside) -> list[str]:
    """Run an attack; return what is wrong with how it ended, nothing where it was contained."""
    started = time.monotonic()
    with watched_memory() as most:
        given = sandbox.run(outside.aimed(attack.code), SandboxInputs(), LIMITS)
    took = time.monotonic() - started
    results = [given]
    if attack.then:
        results.append(sandbox.run(outside.aimed(attack.then), SandboxInputs(), LIMITS))
    wrong = [f"reached {each}" for each in outside.touched()]
    for text in (each.model_dump_json() for each in results):
        wrong += [f"told {word}" for word in ("PWNED", SECRET, MARK) if word in text]
        wrong += [f"gave {len(text):,} characters"] if len(text) > MOST_TEXT else []
    if {given.outcome.value, "blocked" if given.ok else ""}.isdisjoint(attack.outcomes):
        wrong.append(f"ended as {given.outcome}, not as one of {', '.join(attack.outcomes)}")
    if took > MOST_SECONDS:
        wrong.append(f"took {took:.1f} s")
    if most[0] > 1_400_000_000:
        wrong.append(f"took {most[0] / 1e6:,.0f} MB")
    wrong += [f"left {name} running" for name in strangers()]
    if sandbox.run("6 * 7", SandboxInputs(), PATIENT).value != "42":
        wrong.append("the next run fails")
    return wrong


def strangers() -> list[str]:
    """Return the processes below this one that are no engine at rest: what an attack left."""
    left = []
    for process in psutil.Process().children(recursive=True):
        try:
            command = " ".join(process.cmdline())
            if process.status() == psutil.STATUS_ZOMBIE or "wasm_child.py" in command:
                continue
            if "bwrap" in command or "/py/bin/python" in command or process.name() in ("sh", "id"):
                left.append(command[:80])
        except psutil.NoSuchProcess:
            continue
    return left


# --- measurements ------------------------------------------------------------------------------------------------------


def main() -> None:
    folder = material()
    with tempfile.TemporaryDirectory() as home:
        for engine in (WasmSandbox, BubblewrapSandbox):
            try:
                started = time.monotonic()
                sandbox: Sandbox = engine(Path(home) / engine.__name__)
                sandbox.run("1", SandboxInputs(), LIMITS)
            except SandboxUnavailable as error:
                print(f"{engine.__name__}: not here. {error}")
                continue
            print(f"{sandbox.name}\n  first start                       {time.monotonic() - started:8.2f} s")
            try:
                _speed(sandbox)
                if folder is None:
                    print("  PINCITE_CORPUS names no outside material: no programs, no attacks")
                else:
                    _battery(sandbox, folder)
            finally:
                sandbox.close()


def _speed(sandbox: Sandbox) -> None:
    took = sorted(
        sandbox.run("from decimal import Decimal\nDecimal('1.10') * 3", SandboxInputs(), LIMITS).seconds
        for _ in range(40)
    )
    print(f"  a run, p50 / p95                  {statistics.median(took):8.3f} s {took[37]:.3f} s")
    _growth(sandbox)
    for megabytes in (5, 25, 100):
        _grouping(sandbox, megabytes)


def _growth(sandbox: Sandbox, runs: int = 1_000) -> None:
    """Run many times, and tell how much memory the engine's processes hold after the first hundred and at the end."""
    me = psutil.Process()
    held = {}
    for number in range(1, runs + 1):
        sandbox.run("sum(range(100))", SandboxInputs(), LIMITS)
        if number in (100, runs):
            held[number] = _memory(me) / 1e6
    print(f"  memory after 100 and {runs:,} runs {held[100]:8.0f} MB {held[runs]:,.0f} MB, this process included")


GROUPING = "{name: each.sum('amount') for name, each in tables['ledger'].group_by('supplier').items()}"


def _grouping(sandbox: Sandbox, megabytes: int) -> None:
    """Group a file of so many megabytes by supplier; its total is known beforehand."""
    lines = megabytes * 1_000_000 // 43
    rows = (
        (number, f"Supplier {number % 997}", f"2024-{number % 12 + 1:02d}-01", Decimal(number % 9973).scaleb(-2))
        for number in range(lines)
    )
    table = SandboxTable("ledger", ("id", "supplier", "date", "amount"), rows)
    expected = sum((Decimal(number % 9973).scaleb(-2) for number in range(lines)), Decimal(0))
    limits = RunLimits(seconds=900, memory_mb=4_000)
    started = time.monotonic()
    with watched_memory() as most:
        given = sandbox.run(f"groups = {GROUPING}\n(len(groups), sum(groups.values()))", SandboxInputs([table]), limits)
    right = given.value == repr((min(997, lines), expected))
    ended = "right" if right else f"{given.outcome}: {given.error.message if given.error else given.value}"
    took = time.monotonic() - started
    print(
        f"  {megabytes} MB, {lines:,} rows grouped {took:12.1f} s {most[0] / 1e6:,.0f} MB more at the peak, {ended[:120]}"
    )


def _battery(sandbox: Sandbox, folder: Path) -> None:
    found = programs(folder)
    wrong = {each.name: each.difference(sandbox.run(each.code, each.inputs, PATIENT)) for each in found}
    _report("programs", len(found), {name: problem for name, problem in wrong.items() if problem})
    with tempfile.TemporaryDirectory() as place, Outside(Path(place)) as outside:
        tried = attacks(folder)
        broken = {each.name: "; ".join(attacked(sandbox, each, outside)) for each in tried}
    _report("attacks contained", len(tried), {name: problem for name, problem in broken.items() if problem})


def _report(what: str, total: int, wrong: dict[str, str]) -> None:
    print(f"  {what:<32} {total - len(wrong):8} of {total}")
    for name, problem in wrong.items():
        print(f"    {name}: {problem}")
