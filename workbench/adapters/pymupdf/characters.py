"""Characters: how glyphs become plain text that can be searched and compared.

Composed form (NFC) everywhere. Ligatures, Arabic presentation forms and full-width letters are spelled out. Superscripts,
fractions and trade-mark signs stay as they are, although Unicode's compatibility form would spell them out as well: it
would turn a 10 with a footnote mark 2 into 102.
"""

import re
import unicodedata

SOFT_HYPHEN = "\u00ad"
HYPHENS = "-\u2010\u00ad"
"""What may part a word at the end of a line. The non-breaking hyphen never does."""

_PRESENTATION = re.compile("[\ufb00-\ufdfb\ufe70-\ufefc\uff01-\uff5e]+")
_NOT_PLAIN = re.compile(r"[^\x20-\x7e]")
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]")


def clean(text: str) -> str:
    """Return a word's text: composed, ligatures spelled out, control and invisible characters dropped.

    A soft hyphen at the end stays, because the line may break there (see hyphens.py); between two letters it is dropped,
    and elsewhere, where a font uses it as the printed hyphen, it becomes one.
    """
    if not _NOT_PLAIN.search(text):
        return text
    text = _PRESENTATION.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    text = text.replace("\u2011", "-").replace("\u00a0", " ")
    if SOFT_HYPHEN in text[:-1]:
        text = re.sub(f"(?<=[^\\W\\d_]){SOFT_HYPHEN}(?=[^\\W\\d_])", "", text[:-1]).replace(SOFT_HYPHEN, "-") + text[-1]
    return "".join(c for c in text if unicodedata.category(c) != "Cc").strip()


def unspaced(character: str) -> bool:
    """Tell whether ``character`` belongs to a script written without spaces (Han, Kana)."""
    return "\u3000" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"
