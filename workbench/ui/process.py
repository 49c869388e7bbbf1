"""The one workbench of this process, shared by every session and every HTTP route."""

import contextlib
import gc
import threading
from typing import TYPE_CHECKING

from workbench.domain.errors import ConfigurationError
from workbench.domain.scope import Access

if TYPE_CHECKING:
    from workbench.bootstrap import Workbench

_lock = threading.Lock()
_built: "Workbench | None" = None
_warm_up: threading.Thread | None = None


def workbench() -> "Workbench":
    """Return the workbench, built at the first call. Raises ConfigurationError; the next call tries again."""
    global _built  # noqa: PLW0603 - one process, one data directory, one workbench
    with _lock:
        if _built is None:
            # Imported late: the vendors behind it take seconds, and the server answers meanwhile.
            from workbench.bootstrap import build  # noqa: PLC0415
            from workbench.settings import load  # noqa: PLC0415

            _built = build(load())
        return _built


def prepare() -> None:
    """Begin to build the workbench in the background, so that it is there, or nearly, when the first page asks for it."""

    def attempt() -> None:
        # What is wrong is said on the first page, which tries again.
        with contextlib.suppress(ConfigurationError):
            workbench()

    threading.Thread(target=attempt, name="pincite-build", daemon=True).start()


def close() -> None:
    """End the workbench, if there is one: work in progress is left for the next start, the data directory is free."""
    global _built  # noqa: PLW0603
    with _lock:
        if _built is not None:
            _built.close()
        _built = None


def local_access() -> Access:
    """Return what the one user of an installation without sign-in may see, as it is at this moment."""
    library = workbench().library
    from workbench.bootstrap import LOCAL_USER  # noqa: PLC0415 - as above

    return library.access(LOCAL_USER)


def install(ready: "Workbench | None") -> None:
    """Use a workbench that is built already, or none; for tests and for embedding in another program."""
    global _built  # noqa: PLW0603
    with _lock:
        _built = ready


def warm_up() -> None:
    """Load the embedding model in the background, once, so that the first question need not wait for it.

    Called when a page is drawn: the first paint does not share the processor with it.
    """
    global _warm_up  # noqa: PLW0603
    with _lock:
        if _built is None or _warm_up is not None:
            return
        _warm_up = threading.Thread(target=_load, args=(_built,), name="pincite-warm-up", daemon=True)
        _warm_up.start()


def _load(ready: "Workbench") -> None:
    ready.warm_up()
    gc.collect()
    gc.freeze()  # as at the start of the server: what is loaded stays loaded
