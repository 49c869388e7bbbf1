"""Detection of the language a document is written in, on this machine."""

from threading import Lock

from py3langid.langid import MODEL_FILE, LanguageIdentifier

MIN_LETTERS = 60
"""A text with fewer letters is a name or a number more often than a sentence."""
MIN_CONFIDENCE = 0.7
"""A page of a contract has 0.99 and more, a single sentence about 0.9; lines of names and numbers stay under 0.3."""
_ISO_639_1 = 2
"""Letters of a code of ISO 639-1. The model also knows languages that have only a longer one, and "zxx": no language."""


class LangidDetector:
    """A :class:`~workbench.services.ports.LanguageDetector`. The model is loaded at the first use, in about two seconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._identifier: LanguageIdentifier | None = None

    def detect(self, text: str) -> str | None:
        if sum(character.isalpha() for character in text) < MIN_LETTERS:
            return None
        code, confidence = self._loaded().classify(text)
        return str(code) if confidence >= MIN_CONFIDENCE and len(code) == _ISO_639_1 else None

    def _loaded(self) -> LanguageIdentifier:
        with self._lock:
            if self._identifier is None:
                self._identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
            return self._identifier
