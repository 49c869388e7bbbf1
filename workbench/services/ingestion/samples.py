"""The sample documents: a folder with a manifest that names their files, tags and dates."""

import datetime
import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ValidationError

from workbench.domain.errors import NotFound
from workbench.domain.tags import Tag
from workbench.services.ingestion.names import safe_name

CONTAINER = "Sample contracts"


class Sample(BaseModel):
    """One entry of ``manifest.json``; fields of the manifest that are for its readers only are passed over."""

    file: str
    tags: dict[str, str] = {}
    date: datetime.date | None = None
    language: str | None = None

    @property
    def labels(self) -> tuple[Tag, ...]:
        return tuple(Tag(key=key, value=value) for key, value in self.tags.items())


class _Manifest(BaseModel):
    files: list[Sample]


def samples(directory: Path) -> Iterator[tuple[Sample, bytes]]:
    """Yield the samples of a folder with their bytes; raise NotFound where the folder is not complete."""
    try:
        manifest = _Manifest.model_validate(json.loads((directory / "manifest.json").read_text(encoding="utf-8")))
        for sample in manifest.files:
            yield sample, (directory / safe_name(sample.file)).read_bytes()
    except (OSError, ValueError, ValidationError) as error:
        raise NotFound(
            f"The sample documents are not complete: {error}", "Install Pincite again, or upload documents of your own."
        ) from error
