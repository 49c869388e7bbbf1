"""Regions, told by the law that governs a document."""

import re
from collections.abc import Iterable

from workbench.domain.openings import Found, Opening, quoted

_REGIONS = {  # default name; wider and other names under which the same may be in use; places and their adjectives
    "Nordics": (
        ("Scandinavia", "Europe", "EMEA"),
        "Norway Norwegian Sweden Swedish Denmark Danish Finland Finnish Iceland Icelandic Norwegen Schweden Dänemark",
    ),
    "UK and Ireland": (
        ("UK", "UK & Ireland", "United Kingdom", "Europe", "EMEA"),
        "England English Wales Scotland Scottish Ireland Irish United_Kingdom Northern_Ireland",
    ),
    "Germany": (("DACH", "Central Europe", "Europe", "EMEA"), "Germany German Deutschland deutsches deutschem"),
    "Austria and Switzerland": (
        ("DACH", "Central Europe", "Europe", "EMEA"),
        "Austria Austrian Switzerland Swiss Österreich Schweiz österreichisches schweizerisches",
    ),
    "Benelux and France": (
        ("Benelux", "France", "Western Europe", "Europe", "EMEA"),
        "Netherlands Dutch Belgium Belgian Luxembourg France French",
    ),
    "Southern Europe": (
        ("Europe", "EMEA"),
        "Italy Italian Spain Spanish Portugal Portuguese Greece Greek Malta Cyprus",
    ),
    "Central and Eastern Europe": (
        ("Eastern Europe", "Europe", "EMEA"),
        "Poland Polish Czech Slovakia Hungary Hungarian Romania Bulgaria Croatia Slovenia Estonia Latvia Lithuania Ukraine",
    ),
    "North America": (
        ("Americas", "US", "USA", "United States"),
        """United_States Canada Canadian Ontario Quebec Alberta British_Columbia Alabama Alaska Arizona Arkansas California
        Colorado Connecticut Delaware Florida Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland
        Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico
        New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina South_Dakota
        Tennessee Texas Utah Vermont Virginia Washington Wisconsin Wyoming State_of_Georgia""",
    ),
    "Latin America": (("Americas",), "Mexico Mexican Brazil Brazilian Argentina Chile Colombia Peru"),
    "Asia Pacific": (
        ("APAC", "Asia"),
        """China Chinese Hong_Kong Japan Japanese Korea Korean India Indian Singapore Australia Australian New_Zealand
        Malaysia Indonesia Thailand Vietnam Taiwan Philippines PRC""",
    ),
    "Middle East and Africa": (
        ("Middle East", "Africa", "EMEA"),
        "Israel Israeli Emirates Dubai Saudi_Arabia Qatar Egypt South_Africa Nigeria Kenya Turkey Turkish",
    ),
    "Russia and CIS": (
        ("Russia", "CIS"),
        "Russia Russian России Российской Kazakhstan",
    ),
}
_BY_PLACE = {
    place.replace("_", " ").casefold(): region for region, (_, places) in _REGIONS.items() for place in places.split()
}
_PLACE = re.compile(
    rf"\b(?:{'|'.join(re.escape(place) for place in sorted(_BY_PLACE, key=len, reverse=True))})\b", re.IGNORECASE
)
_LAW = re.compile(
    r"\bgovern(?:ed|ing)\b|\bconstrued\b|\binterpreted in accordance\b|\b\w+ law (?:applies|shall apply)\b|"
    r"geltendes recht|anwendbares recht|gilt (?:\w+ )?recht|unterliegt|применимое право",
    re.IGNORECASE,
)
_NAMING = re.compile(r"\blaws?\b|\brecht\b|\bправ", re.IGNORECASE)
_REACH = 180
_END = re.compile(r"[.;](?=\s+[A-Z(\d])|\n\n")


def is_place(text: str) -> bool:
    """Tell whether a text is the name of a country or state, or its adjective, and nothing more."""
    return text.casefold() in _BY_PLACE


def region(opening: Opening, known: Iterable[str] = ()) -> Found | None:
    """Return the region whose law governs a document. ``known`` are the regions in use; their name is taken if it fits."""
    for place in opening.laws:
        for match in _LAW.finditer(place.text):
            found = _place_after(place.text, match.start(), match.end())
            if found is not None:
                named, end = found
                start = place.text.rfind("\n", 0, match.start()) + 1
                quote = quoted(place.text, max(start, match.start() - 60), end + 1)
                return Found(value=_spelled(_BY_PLACE[named], known), quote=quote, page=place.page)
    return None


def _place_after(text: str, start: int, after: int) -> tuple[str, int] | None:
    """Return the place that a sentence on the governing law names, and where it ends; None where it names no law."""
    stop = _END.search(text, after, after + _REACH)
    end = stop.start() if stop else min(len(text), after + _REACH)
    if stop and end - start < 40:  # a heading: the sentence follows it
        further = _END.search(text, stop.end(), stop.end() + _REACH)
        end = further.start() if further else min(len(text), stop.end() + _REACH)
    place = _PLACE.search(text, start, end)
    if place is None or not _NAMING.search(text, start, min(end, place.end() + 12)):
        return None
    return place[0].casefold(), place.end()


def _spelled(name: str, known: Iterable[str]) -> str:
    in_use = {value.casefold(): value for value in known}
    return next((in_use[each.casefold()] for each in (name, *_REGIONS[name][0]) if each.casefold() in in_use), name)
