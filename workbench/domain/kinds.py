"""Kinds of documents, told by the words of a heading or of the file's name."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from workbench.domain.openings import Found, Opening, Place, Source, name_words, quoted

_SERVICES = "Services agreement"  # said of many agreements that are about something nearer
_AGREEMENTS = {
    "Reseller agreement": "reseller",
    "Distribution agreement": "distributor distribution",
    "Licence agreement": "licence license licensing",
    _SERVICES: "service services",
    "Hosting agreement": "hosting",
    "Outsourcing agreement": "outsourcing",
    "Maintenance agreement": "maintenance",
    "Support agreement": "support",
    "Supply agreement": "supply",
    "Consulting agreement": "consulting consultancy",
    "Franchise agreement": "franchise",
    "Joint venture agreement": "venture",
    "Sponsorship agreement": "sponsorship",
    "Agency agreement": "agency",
    "Development agreement": "development",
    "Cooperation agreement": "cooperation collaboration",
    "Endorsement agreement": "endorsement",
    "Marketing agreement": "marketing promotion",
    "Manufacturing agreement": "manufacturing",
    "Affiliate agreement": "affiliate",
    "Co-branding agreement": "branding",
    "Intellectual property agreement": "property",
    "Transportation agreement": "transportation transport",
    "Logistics agreement": "logistics",
    "Employment agreement": "employment",
    "Non-disclosure agreement": "disclosure confidentiality nda",
    "Data processing agreement": "processing dpa",
    "Purchase agreement": "purchase",
    "Lease": "lease rental",
    "Loan agreement": "loan credit",
    "Catering agreement": "catering",
    "Cleaning agreement": "cleaning",
}
_BY_WORD = {word: kind for kind, words in _AGREEMENTS.items() for word in words.split()}
_OTHER = {  # in the order of trust: an amendment names the agreement that it amends
    "Amendment": r"amendments?|addendum|nachtrag|variation agreement|side letter|дополнительное соглашение",
    "Statement of work": r"statement of work|performance work statement|leistungsbeschreibung|sow",
    "Request for quotation": r"request for (?:quotation|proposals?|tender)|rfq|rfp",
    "Purchase order": r"purchase order|bestellung",
    "Price list": r"price ?lists?|preislisten?|tariff|прайс-лист",
    "Invoice": r"invoice|rechnung|счет-фактура",
    "Quotation": r"quotation|quote|angebot",
    "Minutes": r"minutes|protokoll|протокол",
    "Memo": r"memorandum|memo|vermerk",
    "Policy": r"policy|policies|richtlinie|политика",
    "Certificate": r"certificate|zertifikat",
    "Report": r"report|bericht|отч[её]т",
    "Letter": r"letter",
}
_NEEDS_NUMBER = frozenset({"Invoice", "Quotation", "Letter", "Report", "Certificate", "Policy", "Minutes", "Memo"})
"""Kinds whose word is common: it counts in a short heading only."""
_AGREEMENT = re.compile(
    r"\b(?:agreements?|contracts?|vertrag|\w+vertrag|договор|msa|terms and conditions)\b", re.IGNORECASE
)
_LEASE = re.compile(r"\blease\b", re.IGNORECASE)
_LINES, _WORDS_OF_HEADING, _WORDS_OF_SHORT = 14, 12, 5
_MAIL = re.compile(r"\.(?:eml|msg)$", re.IGNORECASE)
_COARSE = ("Agreement", "Contract")


class Line(NamedTuple):
    """A line that may be a heading, and where it stands."""

    text: str
    page: int | None = None
    source: Source = Source.PAGE


def kind(opening: Opening, known: Iterable[str] = ()) -> Found | None:
    """Return what kind of document this is. ``known`` are the kinds in use, of which a wider one that fits is taken."""
    if _MAIL.search(opening.name):
        return Found(value=_spelled(("E-mail",), known), quote=opening.name, source=Source.NAME)
    title = Line(opening.title, source=Source.TITLE)
    name = Line(" ".join(name_words(opening.name)), source=Source.NAME)
    for line in (*_headings(opening.pages[:1]), title, name):
        kinds = _kinds(line.text)
        if kinds:
            quote = opening.name if line.source is Source.NAME else quoted(line.text)
            return Found(value=_spelled(kinds, known), quote=quote, page=line.page, source=line.source)
    return None


def _headings(pages: Iterable[Place]) -> list[Line]:
    """Return the first lines that are short enough to be headings, those in capitals first."""
    lines: list[Line] = []
    for place in pages:
        found = [" ".join(line.strip(" -_*#\t").split()) for line in place.text.splitlines()]
        lines += [Line(text, place.page) for text in found if text][:_LINES]
    short = [line for line in lines if len(line.text.split()) <= _WORDS_OF_HEADING and not line.text.endswith(",")]
    return sorted(short, key=lambda line: not line.text.isupper())


def _kinds(text: str) -> tuple[str, ...]:
    """Return the kinds that a heading names, the nearest first."""
    words = text.split()
    for name, pattern in _OTHER.items():
        match = re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.IGNORECASE)
        if match is None or (name in _NEEDS_NUMBER and len(words) > _WORDS_OF_SHORT):
            continue
        if name == "Amendment" and match.start() > 0 and _AGREEMENT.search(text, 0, match.start()):
            continue  # "Agreement (as amended by Amendment 2)" is the agreement
        return (name,)
    match = _AGREEMENT.search(text)
    if match is None:
        return ("Lease", *_COARSE) if _LEASE.search(text) and len(words) <= _WORDS_OF_SHORT else ()
    word = _subject(text[: match.start()]) or _subject(text[match.end() :])
    return (_BY_WORD[word], *_COARSE) if word else _COARSE


def _subject(text: str) -> str:
    """Return the word that says what an agreement is about: the one next to it, of "licence and maintenance" the first."""
    words = re.split(r"[\W_]+", text.casefold())
    places = [index for index, word in enumerate(words) if word in _BY_WORD]
    telling = [index for index in places if _BY_WORD[words[index]] != _SERVICES] or places
    if not telling:
        return ""
    last = telling[-1]
    joined = last >= 2 and words[last - 1] == "and" and last - 2 in telling
    return words[last - 2 if joined else last]


def _spelled(kinds: tuple[str, ...], known: Iterable[str]) -> str:
    """Return the spelling in use of the first kind that is in use, or the nearest kind where none is."""
    in_use = {value.casefold(): value for value in known}
    return next((in_use[each.casefold()] for each in kinds if each.casefold() in in_use), kinds[0])
