"""How many files collections may hold open, of those the process may."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

OPEN_FILES = 4_096
"""What the process asks for; the usual limit of 1,024 is soon used up by databases, documents and sockets."""

FILES_OF_COLLECTIONS = 1_000
"""Every open collection holds five files, and about three megabytes: these are enough for two hundred. The one used least
recently is closed before another is opened, so there may be any number of containers."""


@contextmanager
def files_for_collections() -> Iterator[None]:
    """Let Chroma, opened inside of the block, keep at most its share of the files open; raise the process's limit after it.

    Chroma takes the limit that it finds when it opens for its own, and leaves nothing to anybody else.
    """
    if sys.platform == "win32":
        yield
        return
    import resource  # noqa: PLC0415 - there is no such module on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    unlimited = soft == resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES_OF_COLLECTIONS, allowed // 2), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft if unlimited else max(soft, allowed), hard))
