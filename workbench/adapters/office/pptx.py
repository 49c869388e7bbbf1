"""Presentations: a slide a page, in the order of the show, with tables, groups, diagrams, charts and speaker notes."""

from collections.abc import Iterator

from workbench.adapters.office.markup import GridCell, counted, escaped, listed, table
from workbench.adapters.office.ooxml import Element, Package, Relation, attribute, child, descendants, local
from workbench.services.ports import Flow

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})


class PptxConverter:
    """Converter for .pptx and .pptm. Hidden slides keep their numbers and are marked as hidden."""

    def convert(self, data: bytes, name: str) -> Flow:
        package = Package(data, name)
        main = package.main_part("ppt/presentation.xml")
        relations = package.relations(main)
        show = child(package.xml(main), "sldIdLst")
        slides = [relations.get(_relation_id(each)) for each in show if show is not None] if show is not None else []
        sections: list[tuple[str, ...]] = []
        hidden: list[str] = []
        pictures = 0
        has_text = False
        for number, relation in enumerate((each for each in slides if each is not None), start=1):
            slide = _Slide(package, relation)
            blocks = list(slide.blocks())
            has_text = has_text or bool(blocks)
            pictures += slide.pictures
            if slide.hidden:
                hidden.append(str(number))
            sections.append((f"<p>Slide {number}{' (hidden)' if slide.hidden else ''}</p>", *blocks))
        notes = []
        if hidden:
            notes.append(f"Hidden in the show, but read: slide {listed(hidden)}.")
        if pictures:
            notes.append(f"{counted(pictures, 'picture')} on slides not read as text.")
        return Flow(
            media_type=MEDIA_TYPE,
            title=package.title(),
            sections=tuple(sections),
            notes=tuple(notes),
            slides=True,
            body_text=has_text,
        )


def _relation_id(element: Element) -> str:
    """Return the relation's id, which stands beside a number of the same local name."""
    return next((value for key, value in element.attrib.items() if key.startswith("{") and key.endswith("}id")), "")


class _Slide:
    def __init__(self, package: Package, relation: Relation) -> None:
        self.package = package
        self.root = package.xml(relation.target)
        self.relations = package.relations(relation.target)
        self.hidden = attribute(self.root, "show") in {"0", "false"}
        self.pictures = 0

    def blocks(self) -> Iterator[str]:
        tree = child(self.root, "cSld", "spTree")
        if tree is not None:
            yield from self._shapes(tree)
        yield from self._beside("notesSlide", "Speaker notes")
        yield from self._beside("comments", "Comments")

    def _shapes(self, container: Element) -> Iterator[str]:
        for shape in container:
            kind = local(shape)
            if kind in {"sp", "cxnSp"}:
                yield from _text_blocks(shape)
            elif kind == "grpSp":
                yield from self._shapes(shape)
            elif kind == "graphicFrame":
                yield from self._graphic(shape)
            elif kind == "AlternateContent":
                chosen = next((each for each in shape if local(each) == "Choice"), None)
                yield from self._shapes(chosen if chosen is not None else shape[0])
            elif kind == "pic":
                self.pictures += 1

    def _graphic(self, frame: Element) -> Iterator[str]:
        grid = next(descendants(frame, "tbl"), None)
        if grid is not None:
            yield from table(
                [GridCell(_cell(cell)) for cell in row if local(cell) == "tc"] for row in grid if local(row) == "tr"
            )
            return
        for kind, attribute_name in (("relIds", "dm"), ("chart", "id")):
            for reference in descendants(frame, kind):
                relation = self.relations.get(attribute(reference, attribute_name) or "")
                if relation is not None and not relation.external and self.package.has(relation.target):
                    yield from _figure(self.package.xml(relation.target), "Diagram" if kind == "relIds" else "Chart")

    def _beside(self, kind: str, title: str) -> Iterator[str]:
        for relation in self.relations.values():
            if relation.kind == kind and self.package.has(relation.target):
                root = self.package.xml(relation.target)
                blocks = [block for shape in descendants(root, "sp") for block in _text_blocks(shape)]
                if kind == "comments":
                    blocks = [f"<p>{escaped(each.text or '')}</p>" for each in descendants(root, "text") if each.text]
                if blocks:
                    yield f"<p><b>{title}:</b></p>"
                    yield from blocks


def _text_blocks(shape: Element) -> Iterator[str]:
    placeholder = next(descendants(shape, "ph"), None)
    kind = (attribute(placeholder, "type") or "") if placeholder is not None else ""
    body = child(shape, "txBody")
    if kind in _FURNITURE or body is None:
        return
    tag = "h2" if kind in {"title", "ctrTitle"} else "p"
    for each in body:
        text = _text(each).strip() if local(each) == "p" else ""
        if text:
            yield f"<{tag}>{text}</{tag}>"


def _cell(cell: Element) -> str:
    body = child(cell, "txBody")
    return "<br>".join(_text(each) for each in body if local(each) == "p") if body is not None else ""


def _text(paragraph: Element) -> str:
    return "".join(
        "<br>" if local(element) == "br" else escaped(element.text or "") for element in paragraph.iter("{*}t", "{*}br")
    )


def _figure(root: Element, title: str) -> Iterator[str]:
    """Yield the texts of a diagram or the titles, names and values of a chart."""
    texts = [" ".join((each.text or "").split()) for each in descendants(root, "t", "v")]
    texts = [escaped(text) for text in texts if text]
    if texts:
        yield f"<p>{title}: {'; '.join(texts)}</p>"
