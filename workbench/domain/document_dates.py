"""The date of a document: when it took effect or was made, as its first pages or its file's name say."""

import re
from datetime import date

from workbench.domain.dates import DateRefused, parse_period
from workbench.domain.openings import Found, Opening, Place, Source, quoted

_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_MONTH = r"[^\W\d_]{3,10}\.?"
_DATE = (
    rf"(?P<date>\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|{_DAY},?\s+(?:day\s+of\s+)?(?:of\s+)?{_MONTH},?\s+\d{{4}}|"
    rf"{_MONTH}\s+{_DAY},?\s+\d{{4}})"
)
_EFFECTIVE = rf"\beffective\s+(?:date\s*[:\t]?\s*|(?:as\s+)?(?:of|from|on)\s+|as\s+from\s+)?(?:this\s+|the\s+)?{_DATE}"
# "The RFI dated ..." is the date of another document.
_DATED = (
    rf"(?:^[ \t]*|[)”\",]\s*|\bis\s+|\bagreement\s+|\bvertrag\s+)"
    rf"dated?\s*[:\t]?\s*(?:as\s+of\s+)?(?:this\s+|the\s+)?{_DATE}"
)
_MADE = (
    rf"\b(?:as\s+of|entered(?:\s+into)?\s+on|is\s+made(?:\s+on)?|made\s+on|entered\s+into)\s+(?:this\s+|the\s+)?{_DATE}"
)
_THIS = rf"\bthis\s+{_DATE}"
_OTHER = rf"\b(?:datum|stand|vom|gültig\s+ab|дата|от)\s*[:\t]?\s*(?:den\s+)?{_DATE}"
_ALONE = rf"^[ \t]*{_DATE}[ \t]*$"
# In the order of trust; of those that say the same, the one that stands first counts.
_CUES = ((_EFFECTIVE,), (_DATED, _MADE, _THIS, _OTHER), (_ALONE,))
_PATTERNS = tuple(tuple(re.compile(cue, re.IGNORECASE | re.MULTILINE) for cue in cues) for cues in _CUES)
_IN_NAME = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})[-_. ]?(?P<month>[01]\d)[-_. ]?(?P<day>[0-3]\d)(?!\d)")
_IN_NAME_REVERSED = re.compile(r"(?<!\d)(?P<day>[0-3]?\d)\.(?P<month>[01]?\d)\.(?P<year>(?:19|20)\d{2})(?!\d)")
_DEFINED_AFTER = re.compile(r"\s*,?\s*\(\s*(?:the\s+)?[“\"]?effective\s+date", re.IGNORECASE)
_REACH = 3000
_OLDEST = 1900


def dated(opening: Opening) -> Found | None:
    """Return the document's date in ISO form, or None where none is said."""
    for place in opening.pages:
        found = _defined_effective(place) or _by_cue(place)
        if found is not None:
            return found
    return _in_name(opening.name)


def _defined_effective(place: Place) -> Found | None:
    """Read 'on 3 March 2024 (the "Effective Date")'."""
    for match in re.finditer(_DATE, place.text[:_REACH], re.IGNORECASE):
        if _DEFINED_AFTER.match(place.text, match.end()):
            found = _found(match, place)
            if found is not None:
                return found
    return None


def _by_cue(place: Place) -> Found | None:
    for patterns in _PATTERNS:
        matches = [match for pattern in patterns for match in pattern.finditer(place.text[:_REACH])]
        for match in sorted(matches, key=lambda match: match.start()):
            found = _found(match, place)
            if found is not None:
                return found
    return None


def _found(match: re.Match[str], place: Place) -> Found | None:
    day = _one_day(match["date"])
    if day is None:
        return None
    return Found(value=day.isoformat(), quote=quoted(place.text, match.start(), match.end()), page=place.page)


def _one_day(text: str) -> date | None:
    words = re.sub(r"\b(?:day\s+)?of\b", " ", text, flags=re.IGNORECASE)
    try:
        period = parse_period(" ".join(words.replace(".", ". ").split()) if words[:1].isalpha() else words, date.max)
    except DateRefused:
        return None
    if period.first is None or period.first != period.last or period.first.year < _OLDEST:
        return None
    return period.first


def _in_name(name: str) -> Found | None:
    for pattern in (_IN_NAME, _IN_NAME_REVERSED):
        for match in pattern.finditer(name):
            try:
                day = date(int(match["year"]), int(match["month"]), int(match["day"]))
            except ValueError:
                continue
            return Found(value=day.isoformat(), quote=name, source=Source.NAME)
    return None
