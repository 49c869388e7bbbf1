"""The timeline of a turn as HTML: one line a step, durations at the right, details on demand, budgets as thin bars."""

from collections.abc import Sequence
from html import escape

from workbench.domain.citations import CitedAnswer
from workbench.domain.events import Hit, SearchFinished
from workbench.domain.sentences import sentences
from workbench.ui.ask.answer_html import TurnLinks
from workbench.ui.ask.document_names import full_name
from workbench.ui.ask.meters import Budget, Meter
from workbench.ui.ask.run_html import run_html
from workbench.ui.ask.trace_steps import TraceStep
from workbench.ui.ask.visible_text import one_line, visible
from workbench.ui.ask.wording import duration

_INSTANT = 0.05  # seconds under which a step took no time worth a number
_CLAIM = 180  # characters of a claim, as a reminder: the answer has it whole
_NEARLY = 0.8  # from here a bar says that its ceiling is close


def step_html(step: TraceStep, answer: CitedAnswer, links: TurnLinks) -> str:
    """Return one step: a line that opens where there is more to see."""
    time = "…" if step.running else duration(step.seconds) if step.seconds and step.seconds >= _INSTANT else ""
    line = (
        f'{icon_html(step.icon)}<span class="pc-step-title">{escape(visible(step.title))}{_fed(step, answer, links)}</span>'
        f'<span class="pc-step-time">{time}</span>'
    )
    details = _claims(step, answer, links) + _details(step)
    opened = step.key == links.step
    classes = f"pc-step pc-step-{step.tone}{' pc-step-running' if step.running else ''}"
    classes += " pc-step-opened" if opened else ""
    if not details:
        return f'<div class="{classes}"><div class="pc-step-line">{line}</div></div>'
    return (
        f'<details class="{classes}"{" open" if opened else ""}><summary class="pc-step-line">{line}</summary>'
        f'<div class="pc-step-details">{details}</div></details>'
    )


def meters_html(budget: Budget) -> str:
    """Return the budgets against their ceilings, one thin bar each."""
    return f'<div class="pc-meters">{"".join(_meter(meter) for meter in budget.meters())}</div>'


def gauge_html(meters: Sequence[Meter]) -> str:
    """Return a few budgets in one line, for the place above the composer."""
    return f'<div class="pc-gauge">{"".join(_meter(meter) for meter in meters)}</div>'


def icon_html(name: str) -> str:
    """Return a Material symbol, which screen readers pass over."""
    return f'<span class="pc-icon" aria-hidden="true">{escape(name)}</span>'


def _meter(meter: Meter) -> str:
    close = " pc-meter-close" if meter.share >= _NEARLY else ""
    return (
        f'<div class="pc-meter{close}"><span class="pc-meter-name">{escape(meter.name)}</span>'
        f'<span class="pc-meter-text">{escape(meter.text)}</span>'
        f'<span class="pc-bar"><i style="width:{meter.share * 100:.1f}%"></i></span></div>'
    )


def _fed(step: TraceStep, answer: CitedAnswer, links: TurnLinks) -> str:
    """Link the pages that this step found, as they are cited in the answer."""
    chips = []
    for number in step.fed:
        mention = next((i for i, mention in enumerate(answer.mentions) if mention.citation == number), None)
        if mention is not None:
            citation = answer.citation(number)
            label = f"{full_name(citation)} {citation.page_label}"
            chips.append(
                f'<a class="pc-number" href="{escape(links.href(mention))}" title="{escape(visible(label))}">{number}</a>'
            )
    return f' <span class="pc-fed">cited as {"".join(chips)}</span>' if chips else ""


def _claims(step: TraceStep, answer: CitedAnswer, links: TurnLinks) -> str:
    """List the claims of the answer that rest on what this step found, each with the place that cites it."""
    given = {hit.ref for hit in step.search.kept} if step.search else None
    rows = "".join(
        f'<li><a class="pc-number" href="{escape(links.href(index))}">{mention.citation}</a>'
        f"<span>{escape(one_line(claim_before(answer, index), _CLAIM))}</span></li>"
        for index, mention in enumerate(answer.mentions)
        if mention.citation in step.fed and (given is None or given.intersection(mention.refs))
    )
    return f'<p class="pc-quiet">Claims that rest on it:</p><ul class="pc-claims">{rows}</ul>' if rows else ""


def claim_before(answer: CitedAnswer, index: int) -> str:
    """Return the sentence, or the part of it, that stands before a mention, without the labels in it."""
    pieces: list[str] = []
    cursor = 0
    for earlier in answer.mentions[:index]:
        pieces.append(answer.text[cursor : earlier.start])
        cursor = earlier.end
    text = "".join([*pieces, answer.text[cursor : answer.mentions[index].start]])
    spoken = [text[start:end] for start, end in sentences(text) if any(map(str.isalnum, text[start:end]))]
    return spoken[-1].lstrip("-*+#> ") if spoken else ""


def _details(step: TraceStep) -> str:
    lines = "".join(f"<p>{escape(visible(line))}</p>" for line in step.lines)
    told = f'<p class="pc-quiet">The model was told:</p><pre>{escape(visible(step.told))}</pre>' if step.told else ""
    more = _hits(step.search) if step.search else run_html(step.run) if step.run else ""
    return lines + more + told


def _hits(search: SearchFinished) -> str:
    kept = "".join(_hit(hit, hit.ref or "") for hit in search.kept)
    cut = "".join(_hit(hit, "cut") for hit in search.cut)
    return f'<ul class="pc-hits">{kept}{cut}</ul>' if kept or cut else ""


def _hit(hit: Hit, mark: str) -> str:
    why = f'<span class="pc-reason">{escape(visible(hit.reason))}</span>' if hit.reason else ""
    snippet = f"<q>{escape(one_line(hit.snippet, 180))}</q>" if hit.snippet else ""
    return (
        f'<li class="{"pc-cut" if hit.ref is None else "pc-kept"}"><span class="pc-ref">{escape(mark)}</span>'
        f"<div><span>{escape(one_line(hit.title, 80))} {escape(visible(hit.pages))}</span>{why}{snippet}</div>"
        f'<span class="pc-step-time">{hit.score:.2f}</span></li>'
    )
