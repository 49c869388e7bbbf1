"""A filter of system calls for code that only calculates: what reaches other processes, networks or the kernel is refused."""

import struct

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _NOT_PERMITTED, _NOT_IMPLEMENTED = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
_AUDIT_X86_64 = 0xC000003E
_X32 = 0x40000000
_CLONE, _CLONE3, _CLONE_THREAD = 56, 435, 0x10000
_ARCHITECTURE, _NUMBER, _FIRST_ARGUMENT = 4, 0, 16

REFUSED = {
    "network": (41, 42, 43, 44, 46, 49, 50, 53, 288, 307),
    "programs": (57, 58, 59, 322),
    "other processes": (62, 101, 129, 200, 297, 310, 311, 312, 424, 434, 438, 448),
    "mounts and namespaces": (155, 161, 165, 166, 272, 304, 308, 428, 429, 430, 431, 432, 433, 442),
    "kernel": (103, 134, 135, 163, 167, 168, 169, 175, 176, 179, 180, 212, 246, 248, 249, 250, 298, 313, 320, 321, 323),
    "users": (105, 106, 113, 114, 116, 117, 119, 122, 123, 126),
    "asynchronous input and output": (206, 209, 425, 426, 427),
    "memory of a kind": (237, 238, 256, 279, 317, 319, 447),
}
"""System calls by their numbers on x86-64."""


def program() -> bytes:
    """Return the filter as classic BPF. Threads may be started; any other clone, and numbers of 32 bits, may not."""
    steps: list[bytes] = []

    def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        steps.append(struct.pack("HBBI", code, if_true, if_false, value))

    step(_LOAD, _ARCHITECTURE)
    step(_EQUAL, _AUDIT_X86_64, 1, 0)
    step(_RETURN, _KILL)
    step(_LOAD, _NUMBER)
    step(_AT_LEAST, _X32, 0, 1)
    step(_RETURN, _KILL)
    # The flags of clone3 lie in memory, where a filter cannot look: without it, the C library falls back on clone.
    step(_EQUAL, _CLONE3, 0, 1)
    step(_RETURN, _NOT_IMPLEMENTED)
    step(_EQUAL, _CLONE, 0, 4)
    step(_LOAD, _FIRST_ARGUMENT)
    step(_ANY_BIT, _CLONE_THREAD, 1, 0)
    step(_RETURN, _NOT_PERMITTED)
    step(_RETURN, _ALLOW)
    for number in sorted({number for numbers in REFUSED.values() for number in numbers}):
        step(_EQUAL, number, 0, 1)
        step(_RETURN, _NOT_PERMITTED)
    step(_RETURN, _ALLOW)
    return b"".join(steps)
