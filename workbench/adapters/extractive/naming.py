"""The documents of the scope, grouped by supplier, and which of them a question names."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import DamerauLevenshtein

from workbench.adapters.extractive.words import Token, is_generic, tokens
from workbench.domain.documents import Document
from workbench.domain.ids import DocumentId

_FORMS = frozenset(
    """inc ltd limited llc llp plc corp corporation co gmbh ag sa sas bv nv oy ab kg lp the of and for pdf docx doc xlsx txt
    md eml html msa sow ex exh exhibit amendment amended amendments addendum annex appendix schedule signed final draft
    copy version master framework order form services service agreement contract letter deed side change variation restated
    no nr number""".split()
)
_COMMON = frozenset(
    """air american analytics bank business capital care central city cleaning cloud commercial consulting data delivery
    design development digital distribution distributor east electric energy engineering equipment europe european
    exclusive facilities facility finance financial first food foods freight general global green group health holding
    holdings home hosting hotel industrial industries information insurance integrated international it legal licence
    license life logistics maintenance management manufacturing marketing media medical mobile national network networks
    new north office offices online outsourcing partners partner payment payments platform power price product products
    professional property pacific purchase quality reseller sales security solutions solution software source south
    sponsorship staffing standard storage supply support system systems tech technical technologies technology telecom
    trade training transport transportation travel united urban waste water web west world year""".split()
)
_SHEETS = frozenset("xlsx xlsm xlsb xls ods csv tsv".split())
_AMENDING = re.compile(r"amend|addend|variation|side.?letter|change.?order|supplement", re.IGNORECASE)
_FORM = re.compile(r"(?:\s+(?:inc|ltd|limited|llc|plc|corp|gmbh|co|ag|ab|s\.a)\b\.?)+", re.IGNORECASE)
_HOLE = "\0"
"""Stands where a name was, until what hangs on it is gone too."""
_LISTED = re.compile(rf"{_HOLE}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|vs\.?|versus)\s+|\s+){_HOLE})*")
_HANGING = re.compile(
    r"(?:\b(?:in|of|for|with|by|under|from|to|at|between|on|about)\s+)?(?:\b(?:the|our|its|their)\s+)?"
    rf"{_HOLE}(?:['’]s?\b)?(?:\s+(?:agreements?|contracts?|documents?|msa)\b)?",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:\s*[,;&]|\s+(?:in|of|for|with|by|under|from|at|to|and|or|the|our|a|an|between|on|about))+\s*(?=[?.!,;]*\s*$)",
    re.IGNORECASE,
)


class Group(NamedTuple):
    """The documents of one supplier: its contracts and what amends them. A document without a supplier stands alone."""

    label: str
    documents: tuple[DocumentId, ...]
    amendments: frozenset[DocumentId] = frozenset()


class Naming(NamedTuple):
    """The groups a text names, in the order of the text, and the text without their names."""

    groups: tuple[Group, ...]
    rest: str


class Roster:
    """The searchable documents of the scope."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = sorted(documents, key=lambda document: (document.display_name.casefold(), document.id))
        members: dict[str, list[Document]] = defaultdict(list)
        for document in self._documents:
            members[document.tag("supplier").casefold() or document.id].append(document)
        self.groups = tuple(sorted((_group(group) for group in members.values()), key=lambda g: g.label.casefold()))
        self._of = {document: group for group in self.groups for document in group.documents}
        self._dated = {document.id: document.dated for document in self._documents}
        self.sheets = [document.id for document in self._documents if _is_sheet(document)]
        self.titles = {document.id: document.display_name for document in self._documents}
        self._strong = frozenset(word for group in members.values() for word in _strong_words(group))
        self._words = {
            group: _name_words([d for d in self._documents if d.id in group.documents]) for group in self.groups
        }
        spread = Counter(word for words in self._words.values() for word in words)
        self._owner = {word: group for group, words in self._words.items() for word in words if spread[word] == 1}

    def __len__(self) -> int:
        return len(self._documents)

    @property
    def words(self) -> frozenset[str]:
        """All words of the names, lower case."""
        return frozenset(word for words in self._words.values() for word in words)

    def group_of(self, document: DocumentId) -> Group | None:
        return self._of.get(document)

    def groups_of(self, documents: Sequence[DocumentId]) -> tuple[Group, ...]:
        """Return the groups of ``documents``, each once, in their order."""
        found = (self._of.get(document) for document in documents)
        return tuple(dict.fromkeys(group for group in found if group is not None))

    def latest(self, count: int) -> tuple[Group, ...] | None:
        """Return the ``count`` groups with the latest dates; None where any has no date."""
        dates = {}
        for group in self.groups:
            known = [dated for one in group.documents if (dated := self._dated[one]) is not None]
            if not known:
                return None
            dates[group] = max(known)
        return tuple(sorted(self.groups, key=lambda group: (-dates[group].toordinal(), group.label))[:count])

    def titled(self, text: str) -> tuple[list[DocumentId], str]:
        """Return the spreadsheets whose names stand in ``text``, with or without their numbers, and the text without them."""
        found = []
        for document in self.sheets:
            name = self.titles[document].rsplit(".", 1)[0].replace("_", " ")
            wanted = [re.escape(token.text) for token in tokens(name) if not token.text.isdigit()]
            words = r"[\s_]+".join(wanted)
            written = re.compile(rf"\b{words}(?:[\s_]+\d+)*(?:\.\w+)?\b", re.IGNORECASE)
            if len(wanted) > 1 and written.search(text):
                found.append(document)
                text = tidy(_HANGING.sub(" ", written.sub(_HOLE, text)))
        return found, text

    def with_tag(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return the tags, other than supplier and document type, that ``text`` restricts its question to."""
        held = {
            (tag.key, tag.value)
            for document in self._documents
            for tag in document.tags
            if tag.key not in ("supplier", "document type")
        }
        return tuple(sorted((key, value) for key, value in held if _restricts(text, key, value)))

    def find(self, text: str) -> Naming:
        """Find the groups that ``text`` names by words of their own; one common word alone names nothing."""
        if len(self.groups) < 2:
            return self._find_only(text)
        weight: Counter[Group] = Counter()
        places: dict[Group, list[Token]] = defaultdict(list)
        for token in tokens(text):
            for piece in _pieces(token):
                group = self._owner.get(piece.lower) or self._near(piece)
                if group is not None:
                    weight[group] += self._weight(piece)
                    places[group].append(piece)
        named = [group for group in places if weight[group] >= 2]
        spans = [place for group in named for place in places[group] if self._weight(place)]
        shared = [t for t in tokens(text) if named and any(t.lower in self._words[g] for g in named) and t.capitalised]
        return Naming(tuple(named), _without(text, [*spans, *shared]) if named else text)

    def _find_only(self, text: str) -> Naming:
        """With one group there is nothing to choose, but its name still blurs the query."""
        words = self.words
        spans = [t for t in tokens(text) if t.lower in words and t.lower not in _COMMON]
        return Naming((), _without(text, spans) if spans else text)

    def _weight(self, token: Token) -> int:
        """2 names its owner alone. A word of ordinary language needs company, and written small it names nobody; so does a
        word of a title, which often says what the contract is about."""
        word = token.lower
        if word in _COMMON or (len(word) < 4 and not token.text.isupper()):
            return 1 if token.capitalised else 0
        return 2 if token.capitalised or word in self._strong else 0

    def _near(self, token: Token) -> Group | None:
        """A misspelt name: capitalised, five letters at least, one slip."""
        word = token.lower
        if len(word) < 5 or not token.capitalised or is_generic(word):
            return None
        near = [
            n for n in self._owner if len(n) >= 5 and n not in _COMMON and DamerauLevenshtein.distance(word, n) == 1
        ]
        return self._owner[near[0]] if len(near) == 1 else None


def _is_sheet(document: Document) -> bool:
    """Tell whether a document is a spreadsheet or a file of separated values."""
    return document.display_name.rsplit(".", 1)[-1].casefold() in _SHEETS


def _group(documents: list[Document]) -> Group:
    first = documents[0]
    amending = frozenset(d.id for d in documents if _AMENDING.search(f"{d.tag('document type')} {d.name} {d.title}"))
    if len(amending) == len(documents):
        amending = frozenset()
    ordered = sorted(documents, key=lambda document: document.id in amending)
    return Group(first.tag("supplier") or first.display_name, tuple(d.id for d in ordered), amending)


def _name_words(documents: list[Document]) -> frozenset[str]:
    text = " ".join(f"{d.name.rsplit('.', 1)[0]} {d.title} {d.tag('supplier')}".replace("_", " ") for d in documents)
    words = {piece.lower for token in tokens(text) for piece in _pieces(token)}
    return frozenset(w for w in words if w not in _FORMS and not is_generic(w) and not w.isdigit() and len(w) > 1)


def _strong_words(documents: list[Document]) -> frozenset[str]:
    """The words that name a group even in small letters: of its supplier, or of its file where no supplier is known."""
    supplier = documents[0].tag("supplier")
    if not supplier:
        return _name_words(documents)
    return frozenset(piece.lower for token in tokens(supplier) for piece in _pieces(token))


def _pieces(token: Token) -> list[Token]:
    """A word, or the parts of one joined by hyphens; "M&I" and "O'Neill" stay whole."""
    if "-" not in token.text:
        return [token]
    return [Token(m.group(), token.start + m.start(), token.start + m.end()) for m in re.finditer(r"[^-]+", token.text)]


def _restricts(text: str, key: str, value: str) -> bool:
    if len(value) < 2:
        return False
    name = re.escape(value)
    return bool(
        re.search(rf"(?<!law )(?<!laws )\b(?:in|for|from)\s+(?:the\s+)?{name}(?!\w)", text, re.IGNORECASE)
        or re.search(rf"(?<!\w){name}\s+(?:{re.escape(key)}|suppliers?|contracts?|agreements?)\b", text, re.IGNORECASE)
    )


def _without(text: str, spans: Sequence[Token]) -> str:
    """Take names out of a question, with the prepositions, lists and words such as "contract" that hang on them."""
    for span in sorted(set(spans), key=lambda token: -token.start):
        forms = _FORM.match(text, span.end)
        end = forms.end() if forms else span.end
        text = text[: span.start] + _HOLE + text[end:]
    return tidy(_HANGING.sub(" ", _LISTED.sub(_HOLE, text)))


def tidy(text: str) -> str:
    """Remove dangling words at the end, blanks before punctuation, and doubled blanks."""
    text = re.sub(r"\s+([?.!,;])", r"\1", re.sub(r"\s+", " ", text))
    while (shorter := _DANGLING.sub("", text)) != text:
        text = shorter
    return text.strip(" ,;")
