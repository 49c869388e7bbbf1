"""The words of dates in English, German and Russian, in lower case: names of months, units, numbers."""

from enum import StrEnum


class Unit(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


_NAMES = """
january jan januar jänner|january
february feb februar|february
march mar märz mrz|march
april apr|april
may mai|may
june jun juni|june
july jul juli|july
august aug|august
september sep sept|september
october oct oktober okt|october
november nov|november
december dec dezember dez|december
"""
_STEMS = "январ феврал март апрел ма июн июл август сентябр октябр ноябр декабр".split()
_ENDINGS = {
    "ма": ("й", "я", "е", "ю", "ем"),
    "март": ("", "а", "е", "у", "ом"),
    "август": ("", "а", "е", "у", "ом"),
}
_SOFT = ("ь", "я", "е", "ю", "ем")


def _months() -> dict[str, int]:
    latin = [line.partition("|")[0].split() for line in _NAMES.strip().splitlines()]
    words = {word: number for number, names in enumerate(latin, 1) for word in names}
    for number, stem in enumerate(_STEMS, 1):
        words |= {stem + ending: number for ending in _ENDINGS.get(stem, _SOFT)}
    return words


MONTHS = _months()
"""Every form of a month's name and its number."""

UNITS = {
    word: unit
    for unit, words in {
        Unit.DAY: "day days tag tage tagen день дня дней дню днях",
        Unit.WEEK: "week weeks woche wochen неделя неделе неделю недели недель",
        Unit.MONTH: "month months monat monate monaten monats месяц месяце месяца месяцев",
        Unit.QUARTER: "quarter quarters quartal quartale quartalen quartals квартал квартале квартала кварталов",
        Unit.YEAR: "year years jahr jahre jahren jahres год году года лет",
    }.items()
    for word in words.split()
}

NUMBERS = {
    word: number
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    )
    for number, word in enumerate(words.split(), 1)
}

ORDINALS = {
    word: number
    for words in (
        "first second third fourth",
        "erstes zweites drittes viertes",
        "erste zweite dritte vierte",
        "ersten zweiten dritten vierten",
        "первый второй третий четвертый",
        "первом втором третьем четвертом",
        "первое второе третье четвертое",
        "i ii iii iv",
    )
    for number, word in enumerate(words.split(), 1)
}

RELATIVE = {
    word: offset
    for offset, words in {
        0: "this current dieses diesem diesen dieser diese laufendes laufenden laufenden aktuelles aktuellen "
        "этот этом эта этой эту этого текущий текущем текущая текущей текущего",
        -1: "last previous past letztes letztem letzten letzter letzte vergangenes vergangenen vergangene voriges vorigen "
        "vorige прошлый прошлом прошлая прошлой прошлую прошлого предыдущий предыдущем предыдущая предыдущей предыдущего",
        1: "next nächstes nächstem nächsten nächster nächste следующий следующем следующая следующей следующую следующего",
    }.items()
    for word in words.split()
}
"""What stands before a unit, and how many units from the current one it means."""

RECENT = frozenset(
    "last past previous recent letzte letzten letzter vergangene vergangenen последние последних последний последнюю".split()
)
"""What stands before a number of units that end today."""

DAYS = {"today": 0, "heute": 0, "сегодня": 0, "yesterday": -1, "gestern": -1, "вчера": -1}

FILLERS = frozenset(
    """the in on of from during for within over im den dem der die das des am vom zum aus von für während
    в во за на от""".split()
)
"""Words before a date that say nothing more than that it is one."""

INCLUSIVE = frozenset("including inclusive einschließlich включительно".split())
"""Words that say what holds for every bound anyway."""

YEAR_WORDS = frozenset("year jahr jahre jahres год году года г г.".split())
"""Words beside the number of a year: the year 2024, im Jahr 2024, 2024 года."""
