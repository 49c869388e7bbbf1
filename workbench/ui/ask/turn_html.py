"""The lines around an answer as HTML: the question as a heading, the line below it, the note about how it ended."""

from collections.abc import Sequence

from workbench.domain.conversations import Turn
from workbench.domain.events import Event, SearchFinished
from workbench.ui.ask.meters import budget
from workbench.ui.ask.trace_html import icon_html
from workbench.ui.ask.turn_note import Note
from workbench.ui.ask.visible_text import visible
from workbench.ui.ask.wording import counted, dollars, duration
from workbench.ui.text import escaped


def question_html(turn: Turn) -> str:
    """Return the question as a heading; the anchor is what the screen scrolls to."""
    return f'<h2 class="pc-question" id="{escaped(turn.id)}">{escaped(visible(turn.question))}</h2>'


def live_html(line: str) -> str:
    """Return the line of a running turn. Screen readers hear it politely."""
    return f'<div class="pc-live" role="status"><span class="pc-pulse" aria-hidden="true"></span>{escaped(line)}</div>'


def summary_html(turn: Turn, events: Sequence[Event]) -> str:
    """Return what a finished turn took, in one quiet line."""
    searches = sum(isinstance(event, SearchFinished) for event in events)
    parts = [turn.profile.value.capitalize(), duration(turn.spend.seconds)]
    if searches:
        parts.append(counted(searches, "search", "searches"))
    if turn.spend.chunks:
        parts.append(f"{counted(turn.spend.chunks, 'passage')} read")
    if budget(events).priced:
        parts.append(dollars(turn.spend.cost))
    return f'<div class="pc-summary">{" · ".join(parts)}</div>'


def note_html(note: Note) -> str:
    """Return the note: what happened, why, what to do."""
    kind = " pc-note-wrong" if note.wrong else ""
    return (
        f'<div class="pc-note{kind}">{icon_html(note.icon)}'
        f"<div><b>{escaped(note.label)}.</b> {escaped(visible(note.text))}</div></div>"
    )
