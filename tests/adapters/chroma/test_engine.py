"""Many containers within the files that a process may open, in a process of its own with a low limit."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from workbench.adapters.chroma.engine import allow_open_files
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import VectorRow

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.req("FIND-1")

MANY = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.domain.ids import ChunkId, ContainerId, DocumentId
from workbench.services.ports import VectorRow

index = ChromaVectors(Path(sys.argv[1]), "model")
count = 400
most = 0
for n in range(count):
    rows = [VectorRow(ChunkId(f"d{n}:{i}"), DocumentId(f"d{n}"), (float(n), float(i), 1.0)) for i in range(1 + n % 3)]
    index.upsert(ContainerId(f"box{n}"), rows)
    most = max(most, len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0)
for n in range(count):
    hits = index.query(ContainerId(f"box{n}"), (float(n), 0.0, 1.0), 5, frozenset({DocumentId(f"d{n}")}))
    assert len(hits) == 1 + n % 3, (n, hits)
assert most < 1000, most
print("searched", count)
index.close()
"""


def test_four_hundred_containers_are_searched_within_the_usual_limit_of_files(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", MANY, str(tmp_path / "vectors")],
        check=False,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.split() == ["searched", "400"]


def test_threads_search_while_the_engine_is_opened_anew(tmp_path: Path) -> None:
    index = ChromaVectors(tmp_path, "model")
    index._engine.capacity = 2
    boxes = [ContainerId(f"box{n}") for n in range(6)]
    for box in boxes:
        index.upsert(box, [VectorRow(ChunkId(f"{box}:0"), DocumentId(box), (1.0, 0.0))])
    wrong: list[object] = []

    def search(offset: int) -> None:
        for step in range(12):
            box = boxes[(offset + step) % len(boxes)]
            hits = index.query(box, (1.0, 0.0), 3, frozenset({DocumentId(box)}))
            if [hit.chunk_id for hit in hits] != [f"{box}:0"]:
                wrong.append(hits)

    threads = [threading.Thread(target=search, args=(offset,)) for offset in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    index.close()
    assert wrong == []


def test_the_limit_of_files_is_raised_as_far_as_it_may_be() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
        allowed = allow_open_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (allowed, before[1])
        assert allowed > 512 or before[1] == 512
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
