"""Files made on the spot, and the reader that reads them in this process."""

from collections.abc import Callable

import pytest

from workbench.domain.pages import ReadDocument
from workbench.reading import reader
from workbench.services.ingestion.limits import Limits

Read = Callable[..., ReadDocument]


@pytest.fixture(scope="session")
def read() -> Read:
    def read(data: bytes, name: str, limits: Limits | None = None) -> ReadDocument:
        return reader(limits or Limits(libreoffice="never", ocr="never")).read(data, name, lambda done, total: None)

    return read
