"""Measurements, by one command: ``python -m tests.bench [name] ...``; without a name all of them, as listed in ``SUITES``.

Each figure is printed beside its peer or its target.

``quality``, ``tuning``, ``hard`` and the programs of ``sandbox`` need the outside material named by PINCITE_CORPUS, ``ir``
the collections named by PINCITE_IR.
PINCITE_BENCH_HOME keeps what was indexed between runs.
"""

import sys

from tests.bench import (
    big,
    conversations,
    crash,
    hard,
    ir,
    loop,
    mcp,
    quality,
    reading,
    sandbox,
    scale,
    speed,
    tuning,
    viewer,
)

SUITES = {
    "speed": speed.main,
    "loop": loop.main,
    "mcp": mcp.main,
    "quality": quality.main,
    "hard": hard.main,
    "reading": reading.main,
    "big": big.main,
    "conversations": conversations.main,
    "crash": crash.main,
    "ir": ir.main,
    "sandbox": sandbox.main,
    "scale": scale.main,
    "tuning": tuning.main,
    "viewer": viewer.main,
}


def main() -> None:
    chosen = sys.argv[1:] or list(SUITES)
    unknown = [name for name in chosen if name not in SUITES]
    if unknown:
        raise SystemExit(f"There is no measurement named {', '.join(unknown)}; there are {', '.join(SUITES)}.")
    for name in chosen:
        SUITES[name]()


if __name__ == "__main__":
    main()
