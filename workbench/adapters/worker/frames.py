"""Messages between the app and a reading process: pickled values, each after its length, over a pipe.

A file may be made to take over the process that reads it. So what comes back is taken as data only: nothing but plain values
and the domain's own classes can be in a message, and none of these runs anything when it is made.
"""

import io
import pickle
import struct
from typing import IO, Any

_LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], message: Any) -> None:
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Return the next message; raise EOFError where the other end is gone, ValueError for what is no message of ours."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    try:
        return _Plain(io.BytesIO(_exactly(stream, length))).load()
    except pickle.UnpicklingError as error:
        raise ValueError(f"not a message of a reading process: {error}") from error


class _Plain(pickle.Unpickler):
    """Makes nothing but plain values and classes of the domain."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith("workbench.domain.") else None
        if not isinstance(found, type):
            raise pickle.UnpicklingError(f"a message may not hold {module}.{name}")
        return found


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the other end closed the pipe")
    return data
