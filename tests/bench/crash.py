"""Crashes: a process that takes files in is killed again and again; afterwards the library must be what the files say.

It dies right before and right after every step of ingestion, right before and after changes of a store, and at random
moments, with several files, new versions and deletions under way. At every start it is looked whether a search could find
anything that is not whole. Everything is real but the embedding model: SQLite, Chroma, FTS5, DBOS, files, PDFs.
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

STEPS = ("read", "chunk", "embed", "index", "publish", "retire")
BOUNDARIES = tuple(f"{moment} {step}" for step in STEPS for moment in ("before", "after"))
ROUNDS_A_LIBRARY = 25
KILLS = 125


class Zygote:
    """A process with every import done, from which the ones to be killed are forked."""

    def __enter__(self) -> "Zygote":
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.crash_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, **order: Any) -> dict[str, int]:
        """Fork a child for the order and return how it ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: dict[str, int] = json.loads(self._process.stdout.readline())
        return answer


@dataclass
class Totals:
    kills: Counter[str] = field(default_factory=Counter)
    survived: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    mended: int = 0
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0


def campaign(zygote: Zygote, folder: Path, kills: int, seed: int, totals: Totals) -> None:
    """Kill a library's process ``kills`` times, let the last one finish, and compare."""
    chance = random.Random(seed)
    folder.mkdir(parents=True)
    started = time.perf_counter()
    number = done = 0
    while done < kills:
        plan = _plan(number, chance)
        ended = zygote.run(do="work", folder=str(folder), seed=seed, kill=plan, finish=False)
        number += 1
        if ended["signal"] == signal.SIGKILL:
            done += 1
            totals.kills[plan["kind"]] += 1
        elif ended["code"] == 0:
            totals.survived += 1
        else:
            totals.problems.append(f"round {number} of seed {seed}, {plan}, ended with {ended}")
            break
    for order in ("work", "compare"):
        ended = zygote.run(do=order, folder=str(folder), seed=seed, kill={}, finish=True)
        if ended["code"]:
            totals.problems.append(f"the {order} after seed {seed} ended with {ended}")
    _take_in(folder, seed, totals)
    totals.seconds += time.perf_counter() - started


def _plan(number: int, chance: random.Random) -> dict[str, Any]:
    if number % 2 == 0:
        point = BOUNDARIES[number // 2 % len(BOUNDARIES)]
        return {"kind": "at a step's boundary", "point": point, "nth": chance.randint(1, 3)}
    if number % 4 == 1:
        return {"kind": "around a change", "point": "any change", "nth": chance.randint(1, 150)}
    return {"kind": "at a random moment", "seconds": chance.uniform(0.0, 2.0)}


def _take_in(folder: Path, seed: int, totals: Totals) -> None:
    for name in ("problems.txt", "log.txt", "counts.json"):
        file = folder / name
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        if name == "problems.txt":
            totals.problems += [f"seed {seed}: {line}" for line in text.splitlines()]
        elif name == "log.txt":
            totals.mended += text.count("WARNING workbench.services.ingestion.startup")
        elif text:
            totals.counts.update(json.loads(text))


def main() -> None:
    """Run campaigns until ``KILLS`` are reached, and print the totals."""
    totals = Totals()
    with tempfile.TemporaryDirectory(prefix="pincite-crash-") as place, Zygote() as zygote:
        for number in range(KILLS // ROUNDS_A_LIBRARY):
            campaign(zygote, Path(place) / str(number), ROUNDS_A_LIBRARY, number + 1, totals)
    kills = totals.kills.total()
    print(f"crash: {kills} kills ({', '.join(f'{count} {kind}' for kind, count in sorted(totals.kills.items()))})")
    print(f"  {totals.survived} rounds ended before their kill; {totals.seconds / max(kills, 1):.2f} s a kill")
    print(f"  then: {', '.join(f'{count} {name}' for name, count in sorted(totals.counts.items()))}")
    print(f"  the check at the start mended {totals.mended} times")
    print(f"  differences from the truth: {len(totals.problems)} (target 0)")
    for problem in totals.problems:
        print(f"    {problem}")
    if totals.problems:
        raise SystemExit(1)
