"""A language detector that always says the same."""


class FixedLanguage:
    """A :class:`~workbench.services.ports.LanguageDetector` for tests; None says that it is never sure."""

    def __init__(self, language: str | None = None) -> None:
        self.language = language
        self.texts: list[str] = []

    def detect(self, text: str) -> str | None:
        self.texts.append(text)
        return self.language
