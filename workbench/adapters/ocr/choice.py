"""Which engine reads pictures of text on this machine."""

from workbench.adapters.ocr import rapid, tesseract
from workbench.services.ports import TextRecognizer


def recognizer(wanted: str, languages: str = "") -> TextRecognizer | None:
    """Return the engine of that name, for ``auto`` the package where it is installed, else Tesseract; None where none is.

    Who installed the package asked for it. ``languages`` are codes of Tesseract ("eng+deu"); the other engine reads all of
    its languages at once.
    """
    if wanted in ("auto", "rapidocr") and (engine := rapid.installed()) is not None:
        return engine
    return tesseract.installed(languages) if wanted in ("auto", "tesseract") else None
