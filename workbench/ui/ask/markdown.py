"""Markdown of a model's answer to HTML, from a short list of what is allowed.

The list is positive: paragraphs, headings, lists, tables, quotes, code, emphasis. There is no rule for links, images,
HTML, entities, strikethrough, math or icons, so whatever looks like one is shown as the text it is.
"""

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block.table import escapedSplit
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_HEADINGS_START_AT = 3  # h1 is the page's and h2 the question's
_KEEPS_ITS_BACKSLASH = "()[]"  # the delimiters of TeX math stay as they were written
_BLOCK_PREFIX = re.compile(r"^[\s>]*(?:[-*+]|\d+[.)])?\s*\|?")
_ESCAPABLE = re.compile(r"""[!"#$%&'*+,\-./:;<=>?@\\^_`{|}~]""")


def render(text: str) -> str:
    """Return the HTML of ``text``. Its only attributes are our own classes, a cell's ``text-align``, a list's ``start``."""
    tokens = _MARKDOWN.parse(text)
    if _loses_cells(tokens, text):
        return str(_WITHOUT_TABLES.render(text))
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _loses_cells(tokens: list[Token], text: str) -> bool:
    """Tell whether a row has more cells than its table's head. Markdown drops those; an answer may lose nothing."""
    lines = text.split("\n")
    columns = 0
    for token in tokens:
        if token.type == "thead_open":
            columns = 0
        elif token.type == "th_open":
            columns += 1
        elif token.type == "tr_open" and token.map and columns:
            row = _BLOCK_PREFIX.sub("", lines[token.map[0]]).strip().removesuffix("|")
            if len(escapedSplit(row)) > columns:
                return True
    return False


def _escape(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "\\" or state.pos + 1 >= state.posMax:
        return False
    following = state.src[state.pos + 1]
    if following in _KEEPS_ITS_BACKSLASH:
        following = "\\" + following
    elif not _ESCAPABLE.match(following):
        return False
    if not silent:
        state.pending += following
    state.pos += 2
    return True


def _code_block(_renderer: RendererHTML, tokens: list[Token], index: int, *_: object) -> str:
    """Show the language as text: markdown-it would put it into an attribute, words of the text as they are."""
    language = tokens[index].info.strip()
    caption = f'<div class="pc-language">{escape(language)}</div>' if language else ""
    return f"{caption}<pre><code>{escape(tokens[index].content)}</code></pre>\n"


def _heading(_renderer: RendererHTML, tokens: list[Token], index: int, *_: object) -> str:
    token = tokens[index]
    level = min(6, int(token.tag[1]) + _HEADINGS_START_AT - 1)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"


def _table_open(*_: object) -> str:
    return '<div class="pc-table"><table>\n'


def _table_close(*_: object) -> str:
    return "</table></div>\n"


def _build(*rules: str) -> MarkdownIt:
    markdown = MarkdownIt("zero", {"html": False, "linkify": False, "typographer": False})
    markdown.enable(["fence", "blockquote", "hr", "list", "heading", "newline", "backticks", "emphasis", *rules])
    markdown.inline.ruler.before("backticks", "pincite_escape", _escape)
    markdown.add_render_rule("fence", _code_block)
    markdown.add_render_rule("heading_open", _heading)
    markdown.add_render_rule("heading_close", _heading)
    markdown.add_render_rule("table_open", _table_open)
    markdown.add_render_rule("table_close", _table_close)
    return markdown


_MARKDOWN = _build("table")
_WITHOUT_TABLES = _build()
