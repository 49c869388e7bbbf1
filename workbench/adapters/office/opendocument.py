"""OpenDocument texts: headings, paragraphs, lists, tables and notes of .odt files."""

from collections.abc import Iterator

from workbench.adapters.office.markup import GridCell, counted, escaped, table
from workbench.adapters.office.ooxml import Element, Package, attribute, child, descendants, local
from workbench.domain.errors import DamagedFile
from workbench.services.ports import Flow

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_SKIPPED = frozenset(
    {"tracked-changes", "sequence-decls", "forms", "annotation-end", "change", "change-start", "change-end"}
)
_CONTAINERS = frozenset(
    {"section", "list", "list-item", "list-header", "index-body", "table-of-content", "text-box", "frame"}
)


class OdtConverter:
    """Converter for .odt. Tracked changes are read as accepted: deleted text is kept elsewhere in the file."""

    def convert(self, data: bytes, name: str) -> Flow:
        package = Package(data, name)
        root = package.xml("content.xml")
        text = child(root, "body", "text")
        if text is None:
            raise DamagedFile(f"{name} is damaged: it holds no text.", "Save it anew, or as .docx, and upload that.")
        notes: list[tuple[str, str]] = []
        blocks = list(_blocks(text, notes))
        has_body = bool(blocks)
        blocks += [f"<p>[{escaped(mark)}] {words}</p>" for mark, words in notes]
        deletions = sum(1 for _ in descendants(text, "deletion"))
        pictures = sum(1 for _ in descendants(text, "image"))
        remarks = []
        if deletions:
            remarks.append(f"Tracked changes are read as accepted: {counted(deletions, 'deletion')} left out.")
        if pictures:
            remarks.append(f"{counted(pictures, 'picture')} not read as text.")
        return Flow(MEDIA_TYPE, _title(package), (tuple(blocks),), tuple(remarks), body_text=has_body)


def _title(package: Package) -> str:
    if not package.has("meta.xml"):
        return ""
    found = next(descendants(package.xml("meta.xml"), "title"), None)
    return " ".join((found.text or "").split()) if found is not None else ""


def _blocks(container: Element, notes: list[tuple[str, str]]) -> Iterator[str]:
    for element in container:
        kind = local(element)
        if kind in {"p", "h"}:
            boxes: list[str] = []
            text = _inline(element, notes, boxes).strip()
            level = attribute(element, "outline-level") or "1"
            tag = f"h{min(int(level), 6) if level.isdigit() else 1}" if kind == "h" else "p"
            if text:
                yield f"<{tag}>{text}</{tag}>"
            yield from boxes
        elif kind == "table":
            yield from table(_row(row, notes) for row in descendants(element, "table-row") if _owner(row) is element)
        elif kind in _CONTAINERS:
            yield from _blocks(element, notes)


def _owner(row: Element) -> Element:
    return next(each for each in row.iterancestors() if local(each) == "table")


def _row(row: Element, notes: list[tuple[str, str]]) -> list[GridCell]:
    cells: list[GridCell] = []
    for cell in row:
        if local(cell) in {"table-cell", "covered-table-cell"}:
            repeated = attribute(cell, "number-columns-repeated") or "1"
            content = "".join(_blocks(cell, notes))
            cells += [GridCell(content)] * (min(int(repeated), 50) if content and repeated.isdigit() else 1)
    return cells


def _inline(element: Element, notes: list[tuple[str, str]], boxes: list[str]) -> str:
    parts = [escaped(element.text or "")]
    for each in element:
        kind = local(each)
        if kind == "note":
            mark = "".join(next(descendants(each, "note-citation")).itertext())
            body = child(each, "note-body")
            notes.append((mark, " ".join(escaped("".join(body.itertext())).split()) if body is not None else ""))
            parts.append(f" [{escaped(mark)}]")
        elif kind == "annotation":
            parts.append(f" [comment: {escaped(' '.join(''.join(p.itertext()) for p in descendants(each, 'p')))}]")
        elif kind in {"tab", "s"}:
            parts.append(" ")
        elif kind == "line-break":
            parts.append("<br>")
        elif kind == "frame":
            boxes.extend(_blocks(each, notes))
        elif kind not in _SKIPPED:
            parts.append(_inline(each, notes, boxes))
        parts.append(escaped(each.tail or ""))
    return "".join(parts)
