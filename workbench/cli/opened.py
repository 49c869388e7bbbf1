"""The workbench as the commands use it: opened for one command, as the one user of a shell."""

from collections.abc import Iterator
from contextlib import contextmanager

from workbench import bootstrap, settings
from workbench.domain.scope import Access


@contextmanager
def opened() -> Iterator[tuple[bootstrap.Workbench, Access]]:
    bench = bootstrap.build(settings.load())
    try:
        yield bench, bench.library.access(bootstrap.LOCAL_USER)
    finally:
        bench.close()
