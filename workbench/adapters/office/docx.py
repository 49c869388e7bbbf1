"""Word documents: headings, numbers, lists, tables, notes, headers, text boxes and comments into marked-up text.

Tracked changes are read as accepted: inserted text is in, deleted text is out, and a note says so. Invisible text is left
out, because nobody who reads the document sees it, and a note quotes it.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from workbench.adapters.office.markup import GridCell, counted, escaped, shortened, table
from workbench.adapters.office.numbering import Numbering
from workbench.adapters.office.ooxml import Element, Package, attribute, child, descendants, local
from workbench.domain.errors import DamagedFile
from workbench.services.ports import Flow

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TRANSPARENT = frozenset(
    {"ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent", "hyperlink", "fldSimple", "dir", "bdo"}
)
_DELETED = frozenset({"del", "moveFrom"})
_BLANK = "<p>\u00a0</p>"
_REFERENCE = re.compile(r"\[(?:endnote |comment )?\d+\]")
_TINY = 4
"""In half-points: text of two points and less is there to be overlooked."""
_TAG = re.compile(r"<[^>]*>")
_OFF = frozenset({"0", "false", "off", "none"})


class DocxConverter:
    """Converter for .docx and .docm. Macros are not looked at."""

    def convert(self, data: bytes, name: str) -> Flow:
        package = Package(data, name)
        part = package.main_part("word/document.xml")
        body = child(package.xml(part), "body")
        if body is None:
            raise DamagedFile(f"{name} is damaged: it holds no document text.", "Open it in Word and save it anew.")
        return _Document(package, part).flow(body)


def _break(element: Element) -> str:
    return "<br>" if attribute(element, "type") not in {"page", "column"} else " "


def _reference(word: str) -> Callable[[Element], str]:
    return lambda element: f" [{word}{escaped(attribute(element, 'id') or '')}]"


_DRAWINGS = frozenset({"drawing", "pict", "object"})
_SHOWN: dict[str, Callable[[Element], str]] = {
    "t": lambda element: escaped(element.text or ""),
    "tab": lambda _: " ",
    "ptab": lambda _: " ",
    "br": _break,
    "cr": _break,
    "noBreakHyphen": lambda _: "-",
    "sym": lambda element: _symbol(attribute(element, "char") or ""),
    "footnoteReference": _reference(""),
    "endnoteReference": _reference("endnote "),
    "commentReference": _reference("comment "),
}
"""What the elements of a run show; others, such as deleted text and the codes of fields, show nothing."""


def _symbol(code: str) -> str:
    """Return a character of a symbol font, as a bullet where the font gives private codes a meaning of its own."""
    number = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,5}", code) else 0x2022
    return "•" if 0xE000 <= number <= 0xF8FF else escaped(chr(number))


class _Style(NamedTuple):
    heading: int
    number: tuple[str, int | None] | None
    based_on: str


class _Document:
    """One document on its way to marked-up text."""

    def __init__(self, package: Package, part: str) -> None:
        self.package = package
        self.relations = package.relations(part)
        self.styles = _styles(self._related("styles"))
        self.numbering = Numbering(self._related("numbering"))
        self.deletions = 0
        self.insertions = 0
        self.hidden: list[str] = []
        self.pictures = 0
        self.notes: list[tuple[str, str]] = []
        self.in_table = 0
        self.boxes: list[str] = []

    def _related(self, kind: str) -> Element | None:
        target = next((each.target for each in self.relations.values() if each.kind == kind and not each.external), "")
        return self.package.xml(target) if target and self.package.has(target) else None

    def flow(self, body: Element) -> Flow:
        main = list(self.blocks(body))
        has_body = any(_REFERENCE.sub("", _TAG.sub("", block)).strip() for block in main)
        title = self.package.title()
        head = [*self._margins(body, "header", "Header"), *main]
        rest = [
            *self._notes("footnotes", "footnote", "Footnotes"),
            *self._notes("endnotes", "endnote", "Endnotes"),
            *self._comments(),
            *self._margins(body, "footer", "Footer"),
        ]
        return Flow(
            media_type=MEDIA_TYPE,
            title=title,
            sections=((*head, *rest),),
            notes=tuple(self._remarks(has_body, bool(head or rest))),
            body_text=has_body,
        )

    def _remarks(self, has_body: bool, has_more: bool) -> Iterator[str]:
        if not has_body and has_more:
            yield "The body holds no text: only headers, footers, notes or comments do."
        if self.deletions or self.insertions:
            yield (
                f"Tracked changes are read as accepted: {counted(self.insertions, 'insertion')} in, "
                f"{counted(self.deletions, 'deletion')} left out."
            )
        if self.hidden:
            quoted = shortened(" ".join(self.hidden))
            yield f"Invisible text in {counted(len(self.hidden), 'place')} is left out: “{quoted}”."
        if self.pictures:
            yield f"{counted(self.pictures, 'picture')} not read as text."
        if any(each.kind == "aFChunk" for each in self.relations.values()):
            yield "A file embedded in the text is not read."

    # --- blocks ------------------------------------------------------------------------------------------------------

    def blocks(self, container: Element) -> Iterator[str]:
        """Yield the paragraphs and tables of a container."""
        for element in container:
            kind = local(element)
            if kind == "p":
                yield from self._paragraph(element)
            elif kind == "tbl":
                yield from self._table(element)
            elif kind in _DELETED:
                self.deletions += 1
            elif kind in _TRANSPARENT:
                yield from self.blocks(element)
            elif kind == "AlternateContent":
                yield from self.blocks(_chosen(element))

    def _paragraph(self, element: Element) -> Iterator[str]:
        properties = child(element, "pPr")
        outer, self.boxes = self.boxes, []
        text = self._inline(element).strip()
        boxes, self.boxes = self.boxes, outer
        style = self._style(properties)
        number = self._number(properties, style) if text else ""
        if text:
            content = f"{escaped(number)} {text}" if number else text
            yield f"<h{style.heading}>{content}</h{style.heading}>" if style.heading else f"<p>{content}</p>"
        elif self.in_table and not boxes:
            # Cells side by side keep their lines level by empty paragraphs.
            yield _BLANK
        yield from boxes

    def _style(self, properties: Element | None) -> _Style:
        named = child(properties, "pStyle") if properties is not None else None
        style = self.styles.get(attribute(named, "val") or "" if named is not None else "", _Style(0, None, ""))
        outline = child(properties, "outlineLvl") if properties is not None else None
        if outline is not None and (level := attribute(outline, "val") or "9").isdigit() and int(level) < 6:
            return style._replace(heading=int(level) + 1)
        return style

    def _number(self, properties: Element | None, style: _Style) -> str:
        """Count the paragraph if it belongs to a list, by itself or by its style."""
        number, level = style.number or ("", None)
        own = child(properties, "numPr") if properties is not None else None
        if own is not None:
            identity, depth = child(own, "numId"), child(own, "ilvl")
            number = (attribute(identity, "val") or "") if identity is not None else number
            level = int(attribute(depth, "val") or 0) if depth is not None else level
        if not number or number == "0":
            return ""
        if level is None:
            named = child(properties, "pStyle") if properties is not None else None
            tied = self.numbering.level_of_style(number, attribute(named, "val") or "") if named is not None else None
            level = tied or 0
        return self.numbering.next(number, level)

    def _table(self, element: Element) -> Iterator[str]:
        self.in_table += 1
        rows = [self._row(row) for row in _rows(element)]
        self.in_table -= 1
        yield from table(rows)

    def _row(self, row: Element) -> list[GridCell]:
        properties = child(row, "trPr")
        if properties is not None and child(properties, "del") is not None:
            self.deletions += 1
            return []
        cells: list[GridCell] = []
        for cell in _cells(row):
            span, merge = child(cell, "tcPr", "gridSpan"), child(cell, "tcPr", "vMerge")
            width = (attribute(span, "val") if span is not None else None) or "1"
            below = merge is not None and attribute(merge, "val") != "restart"
            blocks = [] if below else list(self.blocks(cell))
            content = "" if all(block == _BLANK for block in blocks) else "".join(blocks)
            cells.append(GridCell(content, int(width) if width.isdigit() else 1))
        return cells

    # --- text --------------------------------------------------------------------------------------------------------

    def _inline(self, container: Element) -> str:
        parts: list[str] = []
        for element in container:
            kind = local(element)
            if kind == "r":
                parts.append(self._run(element, container))
            elif kind in _DELETED:
                self.deletions += 1
            elif kind in _TRANSPARENT:
                self.insertions += kind == "ins"
                parts.append(self._inline(element))
            elif kind in {"oMath", "oMathPara"}:
                parts.append(escaped("".join(each.text or "" for each in descendants(element, "t"))))
        return "".join(parts)

    def _run(self, run: Element, paragraph: Element) -> str:
        text = "".join(self._piece(element) for element in run)
        if text.strip() and self._invisible(child(run, "rPr"), paragraph):
            self.hidden.append(text)
            return ""
        bold = child(run, "rPr", "b")
        if text.strip() and bold is not None and attribute(bold, "val") not in _OFF:
            return f"<b>{text}</b>"
        return text

    def _piece(self, element: Element) -> str:
        """Return what one element of a run shows."""
        kind = local(element)
        if kind in _DRAWINGS:
            self._drawing(element)
        if kind == "AlternateContent":
            return "".join(self._piece(each) for each in _chosen(element))
        shown = _SHOWN.get(kind)
        return shown(element) if shown is not None else ""

    def _drawing(self, element: Element) -> None:
        """Keep the text boxes of a drawing: they follow the paragraph that they are anchored in."""
        found = [each for each in descendants(element, "txbxContent") if not _inside_fallback(each, element)]
        for content in found:
            self.boxes.extend(self.blocks(content))
        if not found and next(descendants(element, "blip", "imagedata"), None) is not None:
            self.pictures += 1

    def _invisible(self, properties: Element | None, paragraph: Element) -> bool:
        if properties is None:
            return False
        values = {local(each): attribute(each, "val") or "" for each in properties}
        if "vanish" in values and values["vanish"] not in _OFF:
            return True
        if values.get("sz", "").isdigit() and int(values["sz"]) <= _TINY:
            return True
        # White text is seen where its ground is dark: in a shaded cell, paragraph or run, on a highlight.
        shaded = {"shd", "highlight"} & set(values) or child(paragraph, "pPr", "shd") is not None or self.in_table
        return values.get("color", "").upper() in {"FFFFFF", "FEFEFE"} and not shaded

    # --- what stands beside the text ---------------------------------------------------------------------------------

    def _margins(self, body: Element, kind: str, title: str) -> Iterator[str]:
        """Yield headers or footers, each text once, marked as such."""
        seen: set[str] = set()
        for reference in descendants(body, f"{kind}Reference"):
            relation = self.relations.get(attribute(reference, "id") or "")
            if relation is None or not self.package.has(relation.target):
                continue
            text = " ".join(self._plain(self.package.xml(relation.target)).split())
            if text and text not in seen:
                seen.add(text)
                yield f"<p>{title}: {text}</p>"

    def _plain(self, root: Element) -> str:
        return _TAG.sub(" ", " ".join(self.blocks(root)))

    def _notes(self, kind: str, each_kind: str, title: str) -> Iterator[str]:
        root = self._related(kind)
        texts = []
        for note in root if root is not None else ():
            if local(note) == each_kind and attribute(note, "type") in {None, "normal"}:
                text = " ".join(self._plain(note).split())
                mark = attribute(note, "id") or ""
                if text:
                    texts.append(f"<p>[{'endnote ' if kind == 'endnotes' else ''}{escaped(mark)}] {text}</p>")
        if texts:
            yield f"<h3>{title}</h3>"
            yield from texts

    def _comments(self) -> Iterator[str]:
        root = self._related("comments")
        texts = []
        for comment in root if root is not None else ():
            text = " ".join(self._plain(comment).split())
            if text:
                author = escaped(attribute(comment, "author") or "unknown")
                texts.append(f"<p>[comment {escaped(attribute(comment, 'id') or '')}] {author}: {text}</p>")
        if texts:
            yield "<h3>Comments</h3>"
            yield from texts


def _styles(root: Element | None) -> dict[str, _Style]:
    """Return the paragraph styles by id, with what they inherit."""
    found: dict[str, _Style] = {}
    for style in root if root is not None else ():
        if local(style) == "style" and attribute(style, "type") in {None, "paragraph"}:
            found[attribute(style, "styleId") or ""] = _style(style)
    for key, style in list(found.items()):
        seen = {key}
        parent = style.based_on
        while parent in found and parent not in seen:
            seen.add(parent)
            above = found[parent]
            found[key] = found[key]._replace(
                heading=found[key].heading or above.heading, number=found[key].number or above.number
            )
            parent = above.based_on
    return found


def _style(style: Element) -> _Style:
    name, base = child(style, "name"), child(style, "basedOn")
    called = (attribute(name, "val") or "").lower() if name is not None else ""
    heading = (
        int(called[8:]) if called.startswith("heading ") and called[8:].isdigit() else 1 if called == "title" else 0
    )
    numbered = child(style, "pPr", "numPr")
    number: tuple[str, int | None] | None = None
    if numbered is not None:
        identity, depth = child(numbered, "numId"), child(numbered, "ilvl")
        level = attribute(depth, "val") if depth is not None else None
        if identity is not None:
            number = (attribute(identity, "val") or "", int(level) if level else None)
    return _Style(min(heading, 6), number, (attribute(base, "val") or "") if base is not None else "")


def _chosen(alternatives: Element) -> Element:
    """Return the first of the alternatives that hold the same thing for newer and for older programs."""
    return next((each for each in alternatives if local(each) == "Choice"), next(iter(alternatives), ()))


def _inside_fallback(element: Element, within: Element) -> bool:
    """Tell whether an element repeats another for older programs, or stands inside another text box of the drawing."""
    parent = element.getparent()
    while parent is not None and parent is not within:
        if local(parent) in {"Fallback", "txbxContent"}:
            return True
        parent = parent.getparent()
    return False


def _rows(container: Element) -> Iterator[Element]:
    yield from _through(container, "tr")


def _cells(container: Element) -> Iterator[Element]:
    yield from _through(container, "tc")


def _through(container: Element, wanted: str) -> Iterator[Element]:
    """Yield children of a name, also those inside content controls and marks of insertion."""
    for element in container:
        kind = local(element)
        if kind == wanted:
            yield element
        elif kind in _TRANSPARENT:
            yield from _through(element, wanted)
