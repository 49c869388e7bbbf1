"""Words of questions about tables: which of them name a column, which only ask, and which are left to name a value."""

import re
from collections.abc import Collection, Iterable

from workbench.adapters.extractive.calculating.views import Column, View, sheet_columns
from workbench.adapters.extractive.words import is_stop, stem
from workbench.domain.date_words import MONTHS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SAME = {
    stem(word): kind
    for kind, words in {
        "amount": "amount value spend spending spent paid pay money expenditure cost"
        " betrag betrags beträge beträgen wert werte bezahlt gezahlt zahlen ausgegeben ausgaben kosten ausgabe",
        "price": "price rate preis preise preises",
        "supplier": "supplier vendor merchant payee lieferant lieferanten anbieter händler",
        "quantity": "quantity pieces menge mengen stück stückzahl",
        "product": "product article produkt produkte artikel",
        "date": "date day datum tag",
        "discount": "discount rabatt rabatte",
    }.items()
    for word in words.split()
}
_ASKING = frozenset(
    """what which who how many much is are was were be been do does did has have had there it they them this these that those
    the a an of in on at to for from by with and or we our us i me my you please show give tell calculate compute find
    appear appears listed made single name names only where whose than all each every also say says exactly per
    was ist sind war waren wurde wurden wird werden die der das den dem des ein eine einen einer wir uns unser unsere unserem
    an für von vom bei mit im auf aus gibt es und bitte zeige berechne nenne welche welcher welches wie hoch viel viele nur
    an zu zum zur sie ihm haben hat wo deren denen""".split()
)
_ROWS = frozenset(
    """line lines row rows entry entries record records payment payments transaction transactions booking bookings item items
    zeile zeilen einträge eintrag buchung buchungen zahlung zahlungen posten position positionen""".split()
)
_FILES = frozenset(
    """file files sheet sheets table tables spreadsheet spreadsheets workbook csv xlsx xls column columns list document
    datei dateien blatt blätter tabelle tabellen spalte spalten liste dokument cover covers""".split()
)
_GENERIC = frozenset("name names no nr number id code ref reference total fin of the".split())
_LABELS = frozenset("id no nr number code ref reference postcode year jahr nummer".split())


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; "VendorID" and "unit_price" are two words each."""
    return [match.casefold() for match in _WORD.findall(_CAMEL.sub(" ", text))]


def kinds(text: str) -> list[str]:
    """Return the words as they compare: stems, and one name for what means the same in a table."""
    return [kind_of(word) for word in words(text)]


def kind_of(word: str) -> str:
    return _SAME.get(stem(word), stem(word))


def head(column: Column) -> list[str]:
    """Return what a column is about: its words without "name", "number" and the like, where there are others."""
    found = kinds(column.name)
    return [word for word in found if word not in _GENERIC and word not in _ROWS] or found


def labels(column: Column) -> bool:
    """Tell whether a column's numbers only name something, as account numbers do."""
    return not _LABELS.isdisjoint(words(column.name))


def named(column: Column, asked: Collection[str]) -> float:
    """Return how much of a column's name stands in a question: 0 where its last word does not."""
    about = head(column)
    if next((word for word in reversed(about) if not word.isdigit()), about[-1]) not in asked:
        return 0.0
    return sum(word in asked for word in about) / len(about)


def best(columns: Iterable[Column], asked: Collection[str]) -> list[Column]:
    """Return the columns that a question names best; several where it names them equally well."""
    scored = [(named(column, asked), -len(words(column.name)), column) for column in columns]
    scored = [each for each in scored if each[0] >= 0.5]
    top = max((score for score, _, _ in scored), default=0.0)
    kept = [each for each in scored if each[0] == top]
    shortest = max((length for _, length, _ in kept), default=0)
    return [column for _, length, column in kept if length == shortest]


def measures(view: View) -> list[Column]:
    """Return the columns that can be calculated with."""
    return [column for column in sheet_columns(view) if column.mostly("number") and not labels(column)]


def names_sheet(view: View, text: str) -> bool:
    """Tell whether a text names the view's sheet: by its words, or by a month of the year that the sheet is of."""
    wanted, given = words(view.sheet), words(text)
    if not wanted:
        return False
    months = {MONTHS[word] for word in given if word in MONTHS}
    return all(word in given or MONTHS.get(word) in months for word in wanted)


def names_month(view: View, month: int) -> bool:
    """Tell whether a view's sheet is of a month, whatever its year."""
    return month in (MONTHS.get(word) for word in words(view.sheet))


def left_over(text: str, passed: Collection[str]) -> list[str]:
    """Return the runs of words that are left to name a value, as written, without words that only ask and ``passed``."""
    runs: list[list[str]] = [[]]
    position = 0
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        apart = text[position : match.start()].strip() not in ("", "&", "-", ".", "/")
        position = match.end()
        if apart or word in _ROWS or word in _FILES or kind_of(word) in passed or word in passed:
            runs.append([])
        if not (word in _ROWS or word in _FILES or kind_of(word) in passed or word in passed):
            runs[-1].append(match[0])
    return [run for each in runs if (run := " ".join(_bare(each)))]


def _bare(run: list[str]) -> list[str]:
    """Return a run without the words at its ends that only ask."""
    while run and _asks(run[0]):
        run = run[1:]
    while run and _asks(run[-1]):
        run = run[:-1]
    return run


def _asks(word: str) -> bool:
    return word.casefold() in _ASKING or is_stop(word.casefold()) or _SAME.get(stem(word.casefold())) == "amount"
