"""What must be there before the server has more than one thread."""

import subprocess
import sys

import pytest


@pytest.mark.req("ASK-11")
def test_numpy_is_imported_before_any_thread_can_race_for_it() -> None:
    """A tab that waits for a restarted server draws at once, while the workbench is built."""
    code = (
        "import sys, workbench.ui.lifespan; print('numpy.linalg' in sys.modules, 'workbench.bootstrap' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert printed.split() == ["True", "False"]
