"""Web pages and Markdown: what a person reads of them, without scripts, styles and what is hidden."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from workbench.adapters.office.markup import GridCell, counted, escaped, table
from workbench.domain.errors import EmptyFile
from workbench.services.ingestion.encodings import decode
from workbench.services.ports import Flow

HTML = "text/html"
MARKDOWN = "text/markdown"
_CHARSET = re.compile(
    rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE
)
_DROPPED = frozenset(
    (
        "script style noscript template head iframe object embed applet svg math canvas audio video select datalist "
        "button"
    ).split()
)
_BLOCKS = {
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "pre",
    "blockquote",
    "dt",
    "dd",
    "figcaption",
    "caption",
    "td",
    "th",
}
_INLINE = {"b", "strong", "i", "em", "sup", "sub", "code", "u"}
_LISTS = {"ul", "ol"}
_BROKEN_LINE = re.compile(r"(?:<br>\s*){2,}")
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])", re.IGNORECASE
)


class HtmlConverter:
    """Converter for HTML. Nothing is loaded from anywhere: pictures are counted, not read."""

    def convert(self, data: bytes, name: str) -> Flow:
        declared = _CHARSET.search(data[:4096])
        charset = next((each for each in declared.groups() if each), b"").decode("ascii", "ignore") if declared else ""
        decoded = decode(data, name, "" if charset.lower().startswith(("utf-16", "utf16")) else charset)
        title, blocks, pictures, hidden = read_html(decoded.text)
        if not blocks:
            raise EmptyFile(f"{name} holds no readable text.", "Open it in a browser, save it as PDF, and upload that.")
        notes = [f"Read as {decoded.encoding.upper()} text, which the page does not say itself."] * decoded.guessed
        if pictures:
            notes.append(f"{counted(pictures, 'picture')} not read as text.")
        if hidden:
            notes.append(f"{counted(hidden, 'hidden part')} of the page left out.")
        return Flow(media_type=HTML, title=title, sections=(tuple(blocks),), notes=tuple(notes))


class MarkdownConverter:
    """Converter for Markdown. HTML inside it is read as HTML is: as text, without scripts and what is hidden."""

    def convert(self, data: bytes, name: str) -> Flow:
        from markdown_it import MarkdownIt  # noqa: PLC0415

        decoded = decode(data, name)
        rendered = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(decoded.text)
        _, blocks, pictures, _ = read_html(f"<body>{rendered}</body>")
        if not blocks:
            raise EmptyFile(f"{name} holds no text.", "Check the file where it came from and upload it again.")
        notes = [f"Read as {decoded.encoding.upper()} text, which the file does not say itself."] * decoded.guessed
        if pictures:
            notes.append(f"{counted(pictures, 'picture')} not read as text.")
        heading = next((block for block in blocks if block.startswith("<h1>")), "")
        title = " ".join(lxml_html.fromstring(heading).text_content().split()) if heading else ""
        return Flow(media_type=MARKDOWN, title=title, sections=(tuple(blocks),), notes=tuple(notes))


def read_html(text: str) -> tuple[str, list[str], int, int]:
    """Return a page's title, its blocks, and how many pictures and hidden parts were passed over."""
    parser = lxml_html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True
    )
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", text).replace("\x00", "").encode("utf-8", "replace")
    try:
        root = lxml_html.document_fromstring(source, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return "", [], 0, 0
    title = " ".join((root.findtext(".//title") or "").split())
    walker = _Walker()
    body = root.find("body")
    blocks = list(walker.blocks(body if body is not None else root))
    return title, blocks, walker.pictures, walker.hidden


class _Walker:
    """Rewrites a page into the few elements that pages are made of."""

    def __init__(self) -> None:
        self.pictures = 0
        self.hidden = 0

    def blocks(self, element: Any) -> Iterator[str]:
        """Yield the blocks of an element; text beside blocks becomes paragraphs."""
        line = escaped(element.text or "")
        for each in element:
            if not isinstance(each.tag, str):
                line += escaped(each.tail or "")
                continue
            if self._dropped(each):
                pass
            elif self._is_block(each):
                yield from _paragraph(line)
                line = ""
                yield from self._block(each)
            else:
                line += self._inline(each)
            line += escaped(each.tail or "")
        yield from _paragraph(line)

    def _block(self, element: Any) -> Iterator[str]:
        tag = element.tag.lower()
        if tag == "table":
            yield from self._table(element)
        elif tag == "pre":
            yield f"<pre>{escaped(element.text_content())}</pre>"
        elif tag in _LISTS:
            items = "".join(
                self._item(each) for each in element if isinstance(each.tag, str) and not self._dropped(each)
            )
            if items:
                yield f"<{tag}>{items}</{tag}>"
        elif tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            text = " ".join(block for block in self.blocks(element))
            text = re.sub(r"</?(?:p|h\d)>", " ", text).strip()
            if text:
                yield f"<{tag}>{text}</{tag}>"
        else:
            yield from self.blocks(element)

    def _item(self, element: Any) -> str:
        content = "".join(self.blocks(element))
        if content.startswith("<p>") and content.count("<p>") == 1 and content.endswith("</p>"):
            content = content[3:-4]
        return f"<li>{content}</li>" if content else ""

    def _table(self, element: Any) -> Iterator[str]:
        caption = element.find("caption")
        if caption is not None:
            yield from self.blocks(caption)
        yield from table(
            [self._cell(cell) for cell in row if cell.tag in {"td", "th"} and not self._dropped(cell)]
            for row in element.iter("tr")
            if next(row.iterancestors("table"), None) is element and not self._dropped(row)
        )

    def _cell(self, cell: Any) -> GridCell:
        span = cell.get("colspan", "")
        return GridCell("".join(self.blocks(cell)), int(span) if span.isdigit() else 1)

    def _inline(self, element: Any) -> str:
        tag = element.tag.lower()
        if tag == "br":
            return "<br>"
        if tag == "img":
            self.pictures += 1
            alternative = (element.get("alt") or "").strip()
            return f" [picture: {escaped(alternative)}] " if alternative else ""
        if tag == "input":
            return (
                f" {escaped(element.get('value') or '')} " if element.get("type") not in {"hidden", "password"} else ""
            )
        parts = [escaped(element.text or "")]
        for each in element:
            if isinstance(each.tag, str) and not self._dropped(each):
                parts.append(self._inline(each))
            parts.append(escaped(each.tail or ""))
        text = "".join(parts)
        return f"<{tag}>{text}</{tag}>" if tag in _INLINE and text.strip() else text

    def _dropped(self, element: Any) -> bool:
        if element.tag in _DROPPED:
            return True
        unseen = "hidden" in element.attrib or bool(_UNSEEN.search(element.get("style") or ""))
        if unseen and "".join(element.itertext()).strip():
            self.hidden += 1
        return unseen

    def _is_block(self, element: Any) -> bool:
        """Tell whether an element is a block, or holds one however deep, as careless pages nest them."""
        return element.tag in _BLOCK_TAGS or any(each.tag in _BLOCK_TAGS for each in element.iterdescendants())


_BLOCK_TAGS = (
    _BLOCKS
    | _LISTS
    | frozenset(
        (
            "div section article main header footer nav aside table tbody thead tr form fieldset dl figure hr center "
            "address"
        ).split()
    )
)


def _paragraph(line: str) -> Iterator[str]:
    for part in _BROKEN_LINE.split(line):
        text = re.sub(r"^(?:\s|<br>)+|(?:\s|<br>)+$", "", part)
        if text:
            yield f"<p>{text}</p>"
