"""Languages: where the embedding model was not made for them, words must carry the search."""

from collections import Counter
from collections.abc import Iterable

from workbench.domain.documents import Document
from workbench.services.ports import LanguageDetector

_LATIN_END = "\u024f"
_MOSTLY = 0.5


class Languages:
    """Tells what the embedding model does not know.

    ``known`` are the languages that it was made for, None where it knows many or nobody knows which. ``detector`` tells the
    language of longer queries; short ones are judged by their script.
    """

    def __init__(self, known: frozenset[str] | None = None, detector: LanguageDetector | None = None) -> None:
        self._known = known
        self._detector = detector

    def foreign(self, query: str, documents: Iterable[Document]) -> str:
        """Return a remark where the query, or most documents in scope, are of other languages; empty where not."""
        if self._known is None:
            return ""
        spoken = Counter(document.language for document in documents if document.language)
        others = {language: count for language, count in spoken.items() if language not in self._known}
        subject = ""
        if self._is_foreign(query):
            subject = "The query is"
        elif sum(others.values()) > _MOSTLY * spoken.total():
            subject = f"Most documents in scope are ({', '.join(sorted(others))})"
        if not subject:
            return ""
        return (
            f"{subject} in a language that the embedding model ({', '.join(sorted(self._known))}) was not made for: "
            "words count more than meaning here, so use the words that the documents use."
        )

    def _is_foreign(self, query: str) -> bool:
        letters = [character for character in query if character.isalpha()]
        if letters and sum(character > _LATIN_END for character in letters) > len(letters) / 2:
            return True
        detected = self._detector.detect(query) if self._detector is not None else None
        return detected is not None and self._known is not None and detected not in self._known
