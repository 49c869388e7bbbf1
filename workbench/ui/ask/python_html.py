"""Python as HTML: numbered lines with coloured words. What the code holds is text, and never becomes an element."""

import io
import keyword
import tokenize
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from workbench.ui.ask.visible_text import visible


class _Word(NamedTuple):
    """Characters ``start`` to ``end`` of the code that are shown in a colour."""

    start: int
    end: int
    kind: str


def python_html(code: str, wrong_line: int | None = None) -> str:
    """Return the code, line by line; ``wrong_line`` (from 1) is the one to blame for an error."""
    code = visible(code).expandtabs(4)
    words = list(_words(code))
    rows = []
    start = 0
    for number, line in enumerate(code.split("\n"), start=1):
        wrong = ' class="pc-code-wrong" aria-label="The error is in this line"' if number == wrong_line else ""
        rows.append(f"<li{wrong}><code>{_line(code, start, start + len(line), words) or ' '}</code></li>")
        start += len(line) + 1
    return f'<ol class="pc-code">{"".join(rows)}</ol>'


def _line(code: str, start: int, end: int, words: list[_Word]) -> str:
    pieces: list[str] = []
    cursor = start
    for word in words:
        low, high = max(word.start, start), min(word.end, end)
        if low < high:
            pieces += (escape(code[cursor:low]), f'<span class="pc-py-{word.kind}">{escape(code[low:high])}</span>')
            cursor = high
    return "".join([*pieces, escape(code[cursor:end])])


def _words(code: str) -> Iterator[_Word]:
    """Yield the coloured words, as far as the code can be read: one that is broken keeps its colours up to there."""
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    try:
        for token in tokenize.generate_tokens(io.StringIO(code, newline="\n").readline):
            kind = _kind(token)
            if kind:
                (first, column), (last, end) = token.start, token.end
                yield _Word(starts[first - 1] + column, starts[last - 1] + end, kind)
    except (tokenize.TokenError, SyntaxError):
        return


def _kind(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return "keyword" if keyword.iskeyword(token.string) else ""
    if token.type == tokenize.NUMBER:
        return "number"
    if token.type == tokenize.COMMENT:
        return "comment"
    return "string" if token.type == tokenize.STRING or "FSTRING" in tokenize.tok_name[token.type] else ""
