"""Sentences: where each sentence of a text starts and ends.

Made for contracts and for Markdown answers alike: a blank line, a bullet, a numbered clause and a table row each start a new
sentence; abbreviations, initials, decimals and clause numbers do not end one.
"""

import re

_BREAKS = re.compile(
    r"\n[ \t\r]*\n"  # a blank line
    r"|\n(?=[ \t]*(?:[-*+•▪◦●‣–—][ \t]|#{1,6}[ \t]|[>|]"  # bullets, headings, quotes, table rows
    r"|\(?[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}[.)]?[ \t]+\S"  # 7. 7.2 (3) 4)
    r"|\([a-zA-Z]{1,4}\)[ \t]))"  # (a) (iv)
    r"|(?<=\|)[ \t]*\n"  # the end of a table row
)
_ENDS = re.compile(r"(?:[.!?…]+|[。！？｡]+)[\"'”’»)\]）」』*_]*")
_WIDE = frozenset("。！？｡")
_LAST_WORD = re.compile(r"[^\s(\[\"“‘'/]*$")
_ABBREVIATIONS = frozenset(
    "nr arts sec secs cl cls para paras sch schs exh vol ch pp p pg ed eds rev approx est ca cf "
    "e.g i.e etc viz vs v al resp incl excl mr mrs ms dr prof hon st jr sr gen rep sen messrs jan feb mar apr jun jul aug "
    "sep sept oct nov dec mon tue wed thu fri dept univ tel ext bzw z.b d.h u.a ggf abs ziff vgl str bspw inkl "
    "т.е т.д т.п ст п г руб тыс млн".split()
)
_BEFORE_NUMBERS = frozenset("no nos art sat sun ex fig figs cent".split())
"""Abbreviations that are words as well ("per cent. (20%)"): only a number after them tells."""
_COMPANY_FORMS = frozenset("inc ltd co corp llc plc bros gmbh s.a b.v n.v u.s u.k a.m p.m".split())
_STARTERS = frozenset(
    "the this that these those it its if in on at any all each no neither such where when upon unless except for as "
    "a an and but however either both to by under".split()
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences in order, without white space around them. Every visible character is in one."""
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*_block_ends(text), len(text)]:
        spans.extend(_in_block(text, start, end))
        start = end
    return spans


def _block_ends(text: str) -> list[int]:
    return [match.end() for match in _BREAKS.finditer(text)]


def _in_block(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in _ENDS.finditer(text, start, end):
        if _ends_here(text, start, match):
            spans.append((start, match.end()))
            start = match.end()
    spans.append((start, end))
    trimmed = (_trimmed(text, low, high) for low, high in spans)
    return [(low, high) for low, high in trimmed if low < high]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _ends_here(text: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether the full stop (or question mark ...) found ends the sentence that began at ``start``."""
    if match[0][0] in _WIDE:
        return True
    if match.end() < len(text) and not text[match.end()].isspace():
        return False
    following = text[match.end() : match.end() + 40].lstrip(" \t\r\n*_\"'“‘«([")
    if following[:1].islower():
        return False
    before = text[max(start, match.start() - 40) : match.start()]
    return match[0][0] != "." or _full_stop_ends(before, following)


def _full_stop_ends(before: str, following: str) -> bool:
    found = _LAST_WORD.search(before)
    last = found[0].strip("*_").lower() if found else ""
    if len(last) == 1 and last.isalpha():
        return False  # an initial, or a lettered clause
    if last in _BEFORE_NUMBERS:
        return not following[:1].isdigit()
    if last in _COMPANY_FORMS:
        return not following or _first_word(following) in _STARTERS
    if last in _ABBREVIATIONS:
        return not following
    return not _is_clause_number(before)


def _first_word(text: str) -> str:
    match = re.match(r"[^\W\d_]+", text)
    return match[0].lower() if match else ""


def _is_clause_number(before: str) -> bool:
    """Tell whether a sentence so far is nothing but its number, such as "7" in "7. Payment"."""
    return re.fullmatch(r"[\s#>*_|+\-•]*\(?[0-9ivxlcIVXLC]{1,5}(?:\.[0-9]{1,3})*\)?", before) is not None
