"""Quoting: a sentence in quotation marks with its marker; a very long one shortened at clause borders."""

import re

from workbench.adapters.extractive.concepts import asked, evidence
from workbench.adapters.extractive.selection import Pick
from workbench.adapters.extractive.words import stems

LONGEST = 60
GAP = " … "

_BORDER = re.compile(
    r"(?<=[;:])\s+|(?<=,)\s+(?=(?:provided|except|unless|which|and|or|but|nor|if|in the event|subject|however|whether"
    r"|including|without|notwithstanding|to the extent)\b)",
    re.IGNORECASE,
)


def quoted(pick: Pick, question: str) -> str:
    """Return the sentence in quotation marks, followed by its marker."""
    return f"“{shortened(pick.quote, question)}” [{pick.block.ref}]"


def shortened(sentence: str, question: str) -> str:
    """Return ``sentence``, or where it has more than 60 words its clauses that matter most to ``question``.

    What remains is verbatim and in order; each gap shows as " … ".
    """
    if len(sentence.split()) <= LONGEST:
        return sentence
    clauses = _BORDER.split(sentence)
    kept = _kept(clauses, question)
    text = ""
    for number in sorted(kept):
        joint = "" if not text and number == 0 else " " if number - 1 in kept else GAP
        text += joint + clauses[number]
    return (text if len(clauses) - 1 in kept else f"{text} …").strip()


def _kept(clauses: list[str], question: str) -> set[int]:
    """The numbers of the clauses to keep: the most telling ones, and the first, which holds the subject, where it fits."""
    concepts, keys = asked(question), stems(question)
    worth = [evidence(concepts, clause, "") + 0.2 * len(keys & stems(clause)) for clause in clauses]
    order = sorted(range(len(clauses)), key=lambda number: (-worth[number], number))
    kept, words = {order[0]}, len(clauses[order[0]].split())
    for number in [0, *order[1:]]:
        length = len(clauses[number].split())
        matters = number == 0 or worth[number] > 0
        if matters and number not in kept and words + length <= LONGEST:
            kept.add(number)
            words += length
    return kept
