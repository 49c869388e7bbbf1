"""The layers hold, the types hold and the style holds: the same checks that contributors run by hand."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHECKS = {
    "layers": [str(Path(sys.executable).with_name("lint-imports"))],
    "types": [sys.executable, "-m", "mypy"],
    "style": [sys.executable, "-m", "ruff", "check", "."],
    "format": [sys.executable, "-m", "ruff", "format", "--check", "."],
}


@pytest.mark.parametrize("check", CHECKS)
def test_check_passes(check: str) -> None:
    done = subprocess.run(CHECKS[check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
