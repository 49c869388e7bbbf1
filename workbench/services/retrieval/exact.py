"""What a query wants word for word: quoted phrases, and references such as clause numbers and the numbers of invoices."""

import re
import unicodedata
from typing import NamedTuple

_QUOTED = re.compile(r"\"([^\"\n]{2,200})\"|“([^“”\n]{2,200})”|„([^„“”\n]{2,200})[“”]|«([^«»\n]{2,200})»")
_NUMBER = r"\d+(?:\.\d+)*[a-z]?(?:\s?\(\w{1,4}\))*"
_REFERENCE = re.compile(
    rf"§+\s*{_NUMBER}(?:\s*(?:abs\.?|absatz|satz|nr\.?)\s*\d+\w?)*"
    rf"|\b(?:sections?|clauses?|articles?|annex|schedule|exhibit|ziffer|artikel|пункт|статья|статьи|п\.)\s*{_NUMBER}(?!\w)"
    r"|(?<![\w.,])\d+(?:\.\d+)+(?!\w)"
    r"|(?<!\w)(?=[\w/.-]*\d)(?=[\w/.-]*[^\W\d_])[^\W_]+(?:[-/._][^\W_]+)*(?!\w)",
    re.IGNORECASE,
)
_DASHES = str.maketrans({"‐": "-", "‑": "-", "–": "-", "−": "-", "’": "'", "“": '"', "”": '"', "\u00ad": None})


class Exact(NamedTuple):
    """What a query asks for word for word. ``text`` is the query without quotation marks."""

    text: str
    quoted: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def literals(self) -> tuple[str, ...]:
        return (*self.quoted, *self.references)


def exact(query: str) -> Exact:
    """Read the quoted phrases of ``query`` and the references outside of them."""
    quoted = tuple(dict.fromkeys(_inside(match).strip() for match in _QUOTED.finditer(query)))
    rest = _QUOTED.sub(" ", query)
    references = tuple(dict.fromkeys(match.group().strip() for match in _REFERENCE.finditer(rest)))
    text = _QUOTED.sub(lambda match: f" {_inside(match)} ", query) if quoted else query
    return Exact(" ".join(text.split()) if quoted else query, tuple(filter(None, quoted)), references)


def holds(text: str, literal: str) -> bool:
    """Tell whether ``literal`` stands in ``text`` as written, but for case, line breaks and the kinds of dash and quote."""
    wanted = re.escape(_plain(literal))
    return re.search(rf"(?<!\w){wanted}(?!\w)", _plain(text)) is not None


def _inside(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_DASHES).casefold().split())
