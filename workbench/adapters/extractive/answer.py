"""The answer: quoted sentences with their markers, plainly laid out, and what was not found said as plainly."""

from collections.abc import Sequence

from workbench.adapters.extractive.findings import Finding
from workbench.adapters.extractive.naming import Group, Roster
from workbench.adapters.extractive.phrasing import beyond, current
from workbench.adapters.extractive.plan import Plan
from workbench.adapters.extractive.quoting import quoted
from workbench.adapters.extractive.words import one_line
from workbench.domain.sources import SourceBlock

HONEST = "*Quoted sentences chosen by the embedded extractive model; it does not write or reason.*"
NOTHING = "Nothing found."
UNREAD = "No passage of it was given: none came close, or the turn's budget was spent. Ask about it alone."
NO_DOCUMENTS = (
    "There is nothing to search: no document in this scope is ready. Upload documents, or choose another container."
)
NO_SEARCH = "This model can only quote what a search finds, and no search is offered to it here."
_BEYOND = "This model does not judge or calculate; the sentences are what there is to weigh."
_FOREIGN = "Quotes stay in the language of the documents."
_NAMED = 5
"""How many suppliers a sentence lists by name."""


def comparison(plan: Plan, groups: Sequence[Group], findings: Sequence[Finding], roster: Roster) -> str:
    """Return a table with one row a supplier, or a list where a quote would break a table."""
    if all(finding.empty for finding in findings):
        return refusal(plan, [group.label for group in groups])
    topics = plan.topics
    rows = [
        (group.label, [_cell(finding, plan) for finding in findings if finding.part.groups == (group,)])
        for group in groups
    ]
    if any("|" in cell for label, cells in rows for cell in (label, *cells)):
        body = _listed(rows, topics)
    else:
        body = _table(rows, topics)
    return _paragraphs(_compared(plan), body, _others(plan, groups, roster), _BEYOND if beyond(plan.question) else "")


def lookup(plan: Plan, findings: Sequence[Finding], roster: Roster) -> str:
    """Return the quoted sentences part by part; a part without any says so."""
    if all(finding.empty for finding in findings):
        return refusal(plan, [group.label for group in plan.groups])
    titled = len(findings) > 1
    parts = [_part(finding, plan, roster, titled=titled) for finding in findings]
    return _paragraphs(_introduction(plan, roster), *parts, _BEYOND if beyond(plan.question) else "")


def page(blocks: Sequence[SourceBlock], quotes: Sequence[str], note: str) -> str:
    """Return sentences of one page that was read, or the note that came instead of it."""
    if not blocks:
        return f"The page could not be read. {one_line(note.removeprefix('NOTE:'))}"
    if not quotes:
        return "The page holds no full sentence to quote."
    return _paragraphs(f"From page {blocks[0].page} of {blocks[0].title}:", "\n".join(f"- {quote}" for quote in quotes))


def refusal(plan: Plan, searched: Sequence[str]) -> str:
    """Say that nothing was found, for what was searched and where."""
    topics = " and ".join(f"“{topic.rstrip(' ?.!')}”" for topic in plan.topics)
    where = f"the documents of {_names(searched)}" if searched else "all documents in scope"
    return _paragraphs(
        "The documents in scope do not say, as far as the search shows.",
        f"Searched for {topics} and the usual wordings in {where}; no passage found answers it.",
    )


def question_back(plan: Plan, roster: Roster) -> str:
    """Return a question to the user that offers what the collection holds."""
    names = [group.label for group in roster.groups]
    topics = "payment terms, liability cap, renewal, termination, governing law or service levels"
    if plan.comparing or plan.named:
        subject = _names([group.label for group in plan.groups] or names)
        verb = "be compared" if plan.comparing else "be looked up"
        return f"On which topic shall {subject} {verb}? For example {topics}."
    return f"What would you like to know, and from whose contract: {_names(names)}? Topics can be {topics}."


def with_notes(text: str, *, first: bool, foreign: bool) -> str:
    """Add the lines that keep the answer honest: what this model is, once a talk, and that quotes are not translated."""
    return _paragraphs(text, _FOREIGN if foreign else "", HONEST if first else "")


def _introduction(plan: Plan, roster: Roster) -> str:
    if plan.groups:
        return f"From the documents of {_names([group.label for group in plan.groups])}:"
    if len(roster) == 1:
        return f"From {next(iter(roster.titles.values()))}:"
    return "From the documents in scope, closest first:"


def _part(finding: Finding, plan: Plan, roster: Roster, *, titled: bool) -> str:
    title = f"**{finding.part.topic.strip(' ?.!')}**\n\n" if titled else ""
    if finding.empty:
        return f"{title}{NOTHING if finding.read else UNREAD}"
    several = len(finding.part.groups) != 1 and len(roster.groups) > 1
    picks = [(pick, "") for pick in finding.picks]
    amended = [(pick, "Amended: ") for pick in finding.amended]
    lines = []
    for pick, word in [*amended, *picks] if current(plan.question) else [*picks, *amended]:
        group = roster.group_of(pick.block.document)
        label = f"**{group.label}:** " if several and group is not None else ""
        lines.append(f"- {label}{word}{quoted(pick, finding.part.topic)}")
    return _paragraphs(title + "\n".join(lines), _unchanged(finding, roster))


def _unchanged(finding: Finding, roster: Roster) -> str:
    """Say that amendments exist which were not found to touch the clause: the reader should look into them."""
    titles = [roster.titles[one] for group in finding.part.groups for one in sorted(group.amendments)]
    if finding.amended or not titles:
        return ""
    return f"No passage about this was found in {_and(titles)}; look there for a change before you rely on it."


def _cell(finding: Finding, plan: Plan) -> str:
    if finding.empty:
        return NOTHING if finding.read else UNREAD
    picks = [quoted(pick, finding.part.topic) for pick in finding.picks]
    amended = [f"Amended: {quoted(pick, finding.part.topic)}" for pick in finding.amended]
    return " ".join([*amended, *picks] if current(plan.question) else [*picks, *amended])


def _table(rows: Sequence[tuple[str, list[str]]], topics: Sequence[str]) -> str:
    heads = [topic.rstrip(" ?.!") for topic in topics] if len(topics) > 1 else ["What the document says"]
    lines = [["Supplier", *heads], ["---"] * (len(heads) + 1), *([label, *cells] for label, cells in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _listed(rows: Sequence[tuple[str, list[str]]], topics: Sequence[str]) -> str:
    several = len(topics) > 1
    return "\n".join(
        f"- **{label}**{f', {topic}' if several else ''}: {cell}"
        for label, cells in rows
        for topic, cell in zip(topics, cells, strict=True)
    )


def _compared(plan: Plan) -> str:
    topics = [topic.rstrip(" ?.!") for topic in plan.topics]
    return f"What each says about {_and([f'“{topic}”' for topic in topics])}:"


def _others(plan: Plan, groups: Sequence[Group], roster: Roster) -> str:
    others = [group.label for group in roster.groups if group not in groups]
    if not others or plan.named:
        return ""
    how = "the most recent by date" if plan.latest and roster.latest(1) is not None else "the closest to the question"
    undated = (
        " (the documents carry no dates, so the last ones are not known)"
        if plan.latest and roster.latest(1) is None
        else ""
    )
    return f"Compared are {how}{undated}. The collection also holds {_names(others)}: name them to compare others."


def _names(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} others"
    return _and(names)


def _and(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
