"""Making Office files repeatable: the zip's time stamps, the modification date and the cached values of formulas."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from collections.abc import Mapping

# Without a zone, as both Office libraries want it.
STAMP = datetime.datetime(2025, 5, 12, 9, tzinfo=datetime.UTC).replace(tzinfo=None)
MODIFIED = re.compile(r"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")
FORMULA = re.compile(r'(<c r="([A-Z]+\d+)"[^>]*><f>[^<]*</f>)(?:<v\s*/>|<v></v>)')

Cached = Mapping[str, Mapping[str, float]]


def repack(data: bytes, cached: Cached | None = None) -> bytes:
    """The same package with fixed times; ``cached`` holds the values of formulas by part name and cell."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as packed:
        for name in sorted(source.namelist(), key=lambda part: (part != "[Content_Types].xml", part)):
            info = zipfile.ZipInfo(name, STAMP.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 0  # otherwise it names the system that built the file
            packed.writestr(info, _part(name, source.read(name), cached or {}))
    return target.getvalue()


def _part(name: str, content: bytes, cached: Cached) -> bytes:
    if name == "docProps/core.xml":
        text = MODIFIED.sub(rf"\g<1>{STAMP.isoformat()}Z\g<2>", content.decode("utf-8"))
        return text.encode("utf-8")
    if name in cached:
        return _with_values(content.decode("utf-8"), cached[name]).encode("utf-8")
    return content


def _with_values(sheet: str, values: Mapping[str, float]) -> str:
    """The sheet with a value beside each formula, so that readers which do not calculate see one."""

    def fill(match: re.Match[str]) -> str:
        return f"{match.group(1)}<v>{values[match.group(2)]!r}</v>"

    return FORMULA.sub(fill, sheet)
