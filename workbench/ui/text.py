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


def literal(text: str) -> str:
    """Return Markdown that Streamlit shows as exactly ``text``, on one line; for labels, captions and messages.

    Every ASCII punctuation character is escaped. Streamlit reads some signs after Markdown has dropped the escapes; these
    are parted by an invisible word joiner. Prefer ``st.text``, or ``st.html`` with :func:`escaped`, for longer text.
    """
    return _PUNCTUATION.sub(r"\\\1", _SIGNS.sub(_JOINER, " ".join(text.split())))


def escaped(text: str) -> str:
    """Return ``text`` for use inside HTML, in an element or a quoted attribute."""
    return html.escape(text, quote=True)
