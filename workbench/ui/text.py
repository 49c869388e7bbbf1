"""Text that a person or a document wrote, shown as text: never as Markdown, HTML, maths or an icon (CITE-10)."""

import html
import re

_JOINER = "\u2060"  # a word joiner: no width, no break; it parts characters that Streamlit would read as one sign

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_SIGNS = re.compile(
    r"(?<=:)(?=\S)"  # :material/x:  :red[x]  :tada:  https://
    r"|(?<=[<>=~-])(?=[<>=-])"  # --  ->  <=  drawn as one character
    r"|(?<=www)(?=\.)"  # made a link without being one
    r"|(?<=@)(?=\S)",
    re.IGNORECASE,
)

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NEVER_SHOWN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters other than tab and newline
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use: no agreed meaning, and our own placeholders live there
    "\U000e0000-\U000e007f"  # tag characters, which hide text from the reader and not from a model
    "\ud800-\udfff]"  # halves of surrogate pairs cannot be sent as UTF-8
)


_FORMULA = re.compile(r"(?=[\s\u2060]*[=+\-@＝＋－＠])")
_FIGURE = re.compile(r"[+-]?\d[\d.,\u00a0\u202f ]*%?")


def visible(text: str) -> str:
    """Return ``text`` with direction overrides spelled out ("[U+202E]") and characters without a glyph taken out.

    Nothing invisible may change what a reader believes to read. Overrides are shown rather than dropped, because their
    presence in a contract is itself worth seeing.
    """
    return _BIDI.sub(lambda found: f"[U+{ord(found.group()):04X}]", _NEVER_SHOWN.sub("", text))


def literal(text: str) -> str:
    """Return Markdown that Streamlit shows as exactly ``text``, on one line; for labels, captions and messages.

    Every ASCII punctuation character is escaped. Streamlit reads some signs after Markdown has dropped the escapes; these
    are parted by an invisible word joiner. Prefer ``st.text``, or ``st.html`` with :func:`escaped`, for longer text.
    """
    return _PUNCTUATION.sub(r"\\\1", _SIGNS.sub(_JOINER, " ".join(text.split())))


def cell(text: str) -> str:
    """Return ``text`` for a table, whose cells can be copied and exported: no spreadsheet takes it for a formula.

    It reads the same, but begins with an invisible word joiner where it would begin as formulas do. Figures stay figures.
    """
    shown = visible(text)
    return f"{_JOINER}{shown}" if _FORMULA.match(shown) and not _FIGURE.fullmatch(shown) else shown


def escaped(text: str) -> str:
    """Return ``text`` for use inside HTML, in an element or a quoted attribute."""
    return html.escape(text, quote=True)
