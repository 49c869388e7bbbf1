"""Gives up what the process in the namespace could still do, before the code of the model runs."""

import ctypes
import resource
import sys

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _NOT_DUMPABLE, _FILTER = 38, 22, 4, 2
_FILES = 64
_THREADS = 64
_WRITTEN = 32 << 20
_STACK = 16 << 20


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def confine(memory_bytes: int, seconds: int, steps: bytes) -> None:
    """Limit this process for good; raise OSError where the system does not take a limit."""
    for kind, value in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, _WRITTEN),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_NPROC, _THREADS),
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))
    system = ctypes.CDLL(None, use_errno=True)
    kept = ctypes.create_string_buffer(steps, len(steps))
    program = _Program(len(steps) // 8, ctypes.addressof(kept))
    for arguments in (
        (_NOT_DUMPABLE, 0, 0, 0, 0),
        (_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        (_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0),
    ):
        if system.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "the process cannot be confined")


def main() -> None:
    """Confine the process as its arguments say (bytes of memory, seconds, the filter in hexadecimal), then run the code."""
    memory, seconds, steps = int(sys.argv[1]), int(sys.argv[2]), bytes.fromhex(sys.argv[3])
    sys.argv[:] = ["main.py"]
    # Found and compiled now: what the code imports later is read as its limits let it.
    from workbench.adapters.sandbox.guest import harness  # noqa: PLC0415

    confine(memory, seconds, steps)
    harness.main("/in")
