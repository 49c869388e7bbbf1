"""The partial answer: composed in code from what a turn gathered, without another model call (requirement ASK-4)."""

import re
from collections.abc import Sequence

from workbench.domain.citations import Source
from workbench.domain.markers import neutral
from workbench.domain.sentences import sentences

QUOTED = 6
"""How many passages a partial answer quotes at most."""
SHORT = 5
"""A sentence of fewer words is a heading, or a number with a name."""
_WORD = re.compile(r"\w{3,}", re.UNICODE)


def partial_text(reason: str, question: str, sources: Sequence[Source]) -> str:
    """Return the text of a partial answer, with markers: why it is partial, then the sentence of each source that shares
    most words with the question. A source without a common word is quoted only where none has one."""
    head = f"**Partial answer.** {reason}"
    if not sources:
        return f"{head} Nothing had been found by then."
    wanted = set(_words(question))
    found = sorted((_best_sentence(source, wanted) for source in sources), key=lambda each: -each[0])
    best = [each for each in found if each[0] or not found[0][0]][:QUOTED]
    lines = [f"- “{neutral(sentence)}” [{source.ref}]" for _, sentence, source in best]
    return "\n".join([f"{head} Found so far, quoted word for word:", "", *lines])


def _best_sentence(source: Source, wanted: set[str]) -> tuple[int, str, Source]:
    """The sentence with most of the words wanted; a heading takes the sentence below it along, for it says nothing alone."""
    text = source.chunk.text
    spans = sentences(text) or [(0, len(text))]
    quotable = []
    for number, (start, end) in enumerate(spans):
        last = number
        while last + 1 < len(spans) and len(_words(text[start : spans[last][1]])) < SHORT:
            last += 1
        quotable.append((start, max(end, spans[last][1])))
    scored = [(len(wanted & set(_words(text[start:end]))), -start, text[start:end]) for start, end in quotable]
    shared, _, sentence = max(scored)
    return shared, " ".join(sentence.split()), source


def _words(text: str) -> list[str]:
    """The words of three letters on, singular and plural alike."""
    return [word.removesuffix("s") for word in _WORD.findall(text.casefold())]
