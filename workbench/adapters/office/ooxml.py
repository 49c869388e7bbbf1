"""Office Open XML: the parts of a package, and the relations between them.

Elements are told by their local names, so that files of the strict and the usual dialect read alike.
"""

import io
import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from lxml import etree

from workbench.domain.errors import DamagedFile

Element = Any
"""An element of lxml, which has no types of its own."""

_UPLOAD_AGAIN = "Open it in its own program, save it anew, and upload that."


class Relation(NamedTuple):
    kind: str
    """The last part of the relation's type: "image", "footnotes"."""
    target: str
    external: bool


class Package:
    """A ZIP of XML parts. Entities are never resolved: a part that declares any is refused."""

    def __init__(self, data: bytes, name: str) -> None:
        self._name = name
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._names = {info.filename.lower().lstrip("/"): info.filename for info in self._archive.infolist()}

    @property
    def parts(self) -> list[str]:
        return list(self._names)

    def has(self, part: str) -> bool:
        return part.lower().lstrip("/") in self._names

    def xml(self, part: str) -> Element:
        """Return the root of a part; raise DamagedFile where it is missing or no XML."""
        return parsed(self.read(part), self._name)

    def read(self, part: str) -> bytes:
        """Return a part's bytes; raise DamagedFile where it is missing or cannot be unpacked."""
        try:
            return self._archive.read(self._names[part.lower().lstrip("/")])
        except KeyError as error:
            raise DamagedFile(f"{self._name} is damaged: its part {part} is missing.", _UPLOAD_AGAIN) from error
        except (zipfile.BadZipFile, OSError, RuntimeError, ValueError, NotImplementedError, EOFError) as error:
            raise DamagedFile(f"{self._name} is damaged: its part {part} cannot be unpacked.", _UPLOAD_AGAIN) from error
        except zipfile.zlib.error as error:  # type: ignore[attr-defined]
            raise DamagedFile(f"{self._name} is damaged: its part {part} cannot be unpacked.", _UPLOAD_AGAIN) from error

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the relations of a part by id; targets are part names. A part without any has none."""
        folder, base = posixpath.split(part)
        path = posixpath.join(folder, "_rels", f"{base}.rels")
        if not self.has(path):
            return {}
        found: dict[str, Relation] = {}
        for each in self.xml(path):
            target, external = each.get("Target", ""), each.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join(folder, target)) if target[:1] != "/" else target[1:]
            found[each.get("Id", "")] = Relation(each.get("Type", "").rpartition("/")[2], target, external)
        return found

    def main_part(self, usual: str) -> str:
        """Return the part that the package names as its document, or the usual one."""
        if self.has(usual):
            return usual
        root = self.relations("")
        return next((each.target for each in root.values() if each.kind == "officeDocument"), usual)

    def title(self) -> str:
        """Return the title in the package's properties, or an empty string."""
        if not self.has("docProps/core.xml"):
            return ""
        for element in self.xml("docProps/core.xml"):
            if local(element) == "title":
                return " ".join((element.text or "").split())
        return ""


def parsed(data: bytes, name: str) -> Element:
    """Return the root of XML; raise DamagedFile where it is none, or declares entities, which Office never does."""
    if b"<!DOCTYPE" in data[:4096].replace(b"\x00", b""):
        raise DamagedFile(f"{name} is refused: it declares XML entities, as no office program does.", _UPLOAD_AGAIN)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True, remove_comments=True)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise DamagedFile(f"{name} is damaged: its text is not well formed.", _UPLOAD_AGAIN) from error


def local(element: Element) -> str:
    """Return an element's name without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """Return an attribute by its local name."""
    value: str | None = element.get(name)
    if value is not None:
        return value
    return next((held for key, held in element.attrib.items() if key.rpartition("}")[2] == name), None)


def child(element: Element, *path: str) -> Element:
    """Return the first descendant along a path of local names, or None."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if local(each) == name), None)
    return element


def descendants(element: Element, *names: str) -> Iterator[Element]:
    """Yield the descendants of those local names in document order."""
    yield from element.iter(*(f"{{*}}{name}" for name in names))
