"""Parties: who made a contract, by what the document calls them, and which of them is the supplier.

Only what the document says decides. Where it leaves two parties equal, there is no answer rather than a guess.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from workbench.domain.openings import Found, Opening, Place, name_words, quoted
from workbench.domain.regions import is_place

_SELLERS = frozenset(
    """supplier vendor seller licensor provider contractor consultant caterer carrier manufacturer developer lessor landlord
    franchisor adviser advisor auditor processor agent auftragnehmer lieferant anbieter verkäufer lizenzgeber dienstleister
    поставщик исполнитель подрядчик продавец лицензиар""".split()
)
_BUYERS = frozenset(
    """customer client buyer purchaser licensee reseller distributor offtaker shipper principal lessee tenant franchisee
    recipient subscriber hospital employer controller auftraggeber kunde käufer lizenznehmer besteller
    покупатель заказчик клиент лицензиат""".split()
)
_ROLES = "|".join(sorted(_SELLERS | _BUYERS, key=len, reverse=True))
_SELLING = "|".join(sorted(_SELLERS - {"agent"}, key=len, reverse=True))

# Forms as companies write them; in small letters ("a Delaware limited liability company") they only describe.
_FORM = (
    r"(?:Inc|INC|Incorporated|INCORPORATED|LLC|L\.L\.C|LLP|L\.L\.P|LP|L\.P|Limited|LIMITED|Ltd|LTD|plc|PLC|Plc|Corporation|"
    r"CORPORATION|Corp|CORP|Designated Activity Company|Company|COMPANY|Co|CO|GmbH|GMBH|AG|KG|SE|AS|ASA|A/S|AB|Oyj?|OYJ?|ApS|"
    r"B\.?V|N\.V|S\.?p\.?A|S\.?P\.?A|S\.?r\.?l|S\.?A\.?S|S\.?A\.?R\.?L|SA|S\.A|S\.L|Pty|PTY|Pte|PTE|ООО|АО|ПАО)(?!\w)\.?"
)
_WORD = r"(?:[A-ZА-ЯЁ]\.|[A-ZÀ-ÞА-ЯЁ0-9][\w&’'/\-]*(?:\.\w+)*|&)"
_INNER = rf"(?:{_WORD}|of|the|and|for|de|di|und|et|y|in)"
_LEGAL = re.compile(rf"{_WORD}(?:[ \t]+{_INNER}){{0,8}}?,?[ \t]+{_FORM}(?:,?[ \t]+{_FORM})*")
_BETWEEN = re.compile(
    rf"\b(?i:between|among)\b:?\s+(?:\(\d\)\s*)?(?P<first>{_WORD}(?:[ \t]+{_INNER}){{0,7}}?)"
    r"(?=\s*(?:\(|,|\n|\s(?:and|AND|And)\s))"
)
_SECOND = re.compile(
    rf"\b(?i:and)\b:?\s+(?:\(\d\)\s*)?(?i:the\s+)?(?P<first>{_WORD}(?:[ \t]+{_INNER}){{0,7}}?)(?=\s*\(\s*(?:the\s+)?[“\"])"
)
_ROLE_LINE = re.compile(
    rf"^[ \t]*(?P<role>(?i:{_SELLING}))[ \t]*(?:\t|:[ \t]*)(?P<name>[^\t\n]{{3,90}})$", re.MULTILINE
)
_DEFINED = re.compile(rf"[(“\"‘][^()\n]{{0,60}}?\b(?P<role>(?i:{_ROLES}))\s*[”\"’)]", re.MULTILINE)
_TRAILING_FORM = re.compile(rf"[\s,]+{_FORM}$")
_LEADING = re.compile(r"^(?:(?:between|among|and|by|for|this|with|reference|initialed)\b\s*)+", re.IGNORECASE)
_NO_NAME = re.compile(r"\bthe (?:company|corporation)$", re.IGNORECASE)
_REACH = 420
"""How many characters after a party's name its role is looked for: an address and a register entry stand between."""
_PREAMBLE = 4000
_SMALL = frozenset("of the and for de di und et y in by".split())


class Party(NamedTuple):
    """A party: its name as written, what it is called, and where it is named."""

    name: str
    roles: frozenset[str]
    place: Place
    start: int

    @property
    def sells(self) -> bool:
        return bool(self.roles & _SELLERS)

    @property
    def buys(self) -> bool:
        return bool(self.roles & _BUYERS)


def supplier(opening: Opening, known: Iterable[str] = ()) -> Found | None:
    """Return the supplier that a document names, or None where it names none or does not tell which party it is.

    ``known`` are suppliers of other documents: a party of that name is taken, in the spelling that is in use.
    """
    spellings = {_key(value): value for value in known}
    by_line = _by_line(opening)
    if by_line is not None:
        return by_line.model_copy(update={"value": spellings.get(_key(by_line.value), by_line.value)})
    named = parties(opening)
    party = _chosen(named, spellings, name_words(opening.name))
    if party is None:
        return None
    value = trade_name(party.name)
    quote = quoted(party.place.text, party.start, party.start + len(party.name) + 80)
    return Found(value=spellings.get(_key(value), value), quote=quote, page=party.place.page)


def parties(opening: Opening) -> list[Party]:
    """Return the parties that the first pages name, each once, in the order of the text."""
    found: list[Party] = []
    for place in opening.pages:
        for party in _named(place):
            same = next((index for index, each in enumerate(found) if _same(each.name, party.name)), None)
            if same is None:
                found.append(party)
            else:
                found[same] = _merged(found[same], party)
    return found


def _named(place: Place) -> Iterator[Party]:
    """Yield the companies that a page names, each time with what it is called there."""
    text = place.text[:_PREAMBLE]
    spans = _names(text)
    before = ""
    for index, (start, end) in enumerate(spans):
        until = spans[index + 1][0] if index + 1 < len(spans) else len(text)
        roles = {before} - {""}
        before = ""
        for match in _DEFINED.finditer(text, end, min(until, end + _REACH)):
            if index + 1 < len(spans) and not text[match.end() : until].strip():
                before = match["role"].casefold()  # "(Client) Acme Inc."
            else:
                roles.add(match["role"].casefold())
        lead = _LEADING.match(text[start:end])
        first = start + (lead.end() if lead else 0)
        name = " ".join(text[first:end].split())
        if not _described(name):
            yield Party(name, frozenset(roles), place, first)


def _described(name: str) -> bool:
    """Tell whether what looks like a name is a role, a place or a description instead."""
    words = _key(trade_name(name)).split()
    return (
        not words or bool((_SELLERS | _BUYERS) & set(words)) or is_place(" ".join(words)) or bool(_NO_NAME.search(name))
    )


def _same(name: str, other: str) -> bool:
    """Tell whether two names are one party's: "Reference 12 Acme Ltd" ends as "ACME LIMITED" without its form does."""
    shorter, longer = sorted((_key(trade_name(name)), _key(trade_name(other))), key=len)
    return longer == shorter or longer.endswith(f" {shorter}")


def _merged(first: Party, again: Party) -> Party:
    """Keep the first mention that says what a party is, and the spelling that is not all capitals."""
    kept = again if again.roles and not first.roles else first
    plain = [each for each in (first, again) if not each.name.isupper()]
    shortest = min(plain or [kept], key=lambda party: len(party.name))
    return kept._replace(name=shortest.name)


def trade_name(name: str) -> str:
    """Return a company's name without its legal form; one written in capitals is written as names are."""
    bare = " ".join(name.split())
    while True:
        shorter = _TRAILING_FORM.sub("", bare)
        if shorter == bare:
            break
        bare = shorter
    bare = bare.strip(" ,;")
    letters = [character for character in bare if character.isalpha()]
    if len(bare) > 5 and letters and all(character.isupper() for character in letters):
        bare = " ".join(_cased(word, first=index == 0) for index, word in enumerate(bare.split()))
    return bare


def _names(text: str) -> list[tuple[int, int]]:
    """Return where names of companies stand: those with a legal form, and those after "between" and "and"."""
    spans = [match.span() for match in _LEGAL.finditer(text)]
    for pattern in (_BETWEEN, _SECOND):
        spans += [match.span("first") for match in pattern.finditer(text)]
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _by_line(opening: Opening) -> Found | None:
    """Read a line such as "Supplier: Acme Ltd, Leeds"."""
    for place in opening.pages:
        for match in _ROLE_LINE.finditer(place.text[:_PREAMBLE]):
            written = match["name"]
            legal = _LEGAL.match(written)
            name = trade_name(legal[0] if legal else written.split(",")[0])
            if name[:1].isupper() and len(name) > 2 and not _DEFINED.fullmatch(f'"{name}"'):
                return Found(value=name, quote=quoted(match[0].replace("\t", ": ")), page=place.page)
    return None


def _chosen(named: Sequence[Party], spellings: dict[str, str], words: Sequence[str]) -> Party | None:
    sellers = [party for party in named if party.sells and not party.buys]
    if len(sellers) == 1:
        return sellers[0]
    if sellers:
        return None
    used = [party for party in named if _key(trade_name(party.name)) in spellings]
    if len(used) == 1:
        return used[0]
    others = [party for party in named[:2] if not party.buys]
    if len(named) > 1 and len(others) == 1:
        return others[0]
    in_name = [party for party in others if _first_word(party.name) in words]
    return in_name[0] if len(named) > 1 and len(in_name) == 1 else None


def _first_word(name: str) -> str:
    words = [word for word in re.split(r"[\W_]+", name.casefold()) if len(word) > 2 and word not in _SMALL]
    return words[0] if words else ""


def _key(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))


def _cased(word: str, first: bool) -> str:
    if word.casefold() in _SMALL and not first:
        return word.casefold()
    if len(word) <= 3 or "." in word:
        return word
    return "-".join(part[:1] + part[1:].casefold() for part in word.split("-"))
