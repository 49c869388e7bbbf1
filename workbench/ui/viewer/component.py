"""The viewer component: page images with selectable words and amber highlights, drawn in the browser."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.pages import Box
from workbench.ui.state import Key

_HERE = Path(__file__).parent


def _source(*names: str) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


_mount = st.components.v2.component(
    "pincite.viewer",
    html=_source("viewer.html"),
    css=_source("viewer.css"),
    js=_source("text_layer.js", "page_stack.js", "overview.js", "finder.js", "grid.js", "viewer.js"),
)


class Notice(NamedTuple):
    """A line above the page, with a link to another place of the app where ``link`` is its address."""

    text: str
    link: str = ""
    label: str = ""


class Highlight(NamedTuple):
    """A passage on one page. ``active`` is the one being looked at; the others of the same answer are paler."""

    page: int
    boxes: Sequence[Box]
    active: bool = True


class Cells(NamedTuple):
    """Cells of a sheet that are cited, each range as first row, first column, last row, last column, from 1."""

    sheet: str
    ranges: Sequence[Sequence[int]]
    active: bool = True


class Stop(NamedTuple):
    """Another piece of evidence in the same document, by its number from 0 and its address.

    The viewer goes there at once, while Python is still being told.
    """

    mention: int
    link: str
    page: int
    highlights: Sequence[Highlight]


@dataclass(frozen=True)
class Evidence:
    """The place in a list of evidence that Python keeps: ``index`` counts from 0. ``stops`` are others at hand."""

    index: int
    count: int
    stops: Sequence[Stop] = ()


def show(
    document: Document,
    page: int,
    highlights: Sequence[Highlight] = (),
    *,
    title: str = "",
    link: str = "",
    notices: Sequence[Notice] = (),
    cells: Sequence[Cells] | None = None,
    evidence: Evidence | None = None,
    on_evidence: Callable[[int], None] | None = None,
    on_close: Callable[[], None] | None = None,
    key: str = Key.VIEWER,
) -> None:
    """Show ``document`` at ``page`` (from 1) with ``highlights``.

    The viewer fills the window. ``title`` is a line above the controls. ``link`` is the address that *Copy link* copies, made
    absolute in the browser. ``cells`` is given for a spreadsheet whose cells are kept: it is shown as a grid with those
    marked, empty where nothing is cited. With ``evidence``, previous and next evidence call ``on_evidence`` with the wanted
    index; without it they step through the highlights at hand. ``on_close`` is called for Escape. The reader is moved when
    document, page, highlights or cells change, and is left alone otherwise.
    """

    followed = f"{key}.followed"

    def evidence_wanted() -> None:
        wish = st.session_state[key].get("evidence")
        if wish is None:
            return
        st.session_state[followed] = wish["number"]
        if on_evidence is not None and wish["index"] is not None:
            on_evidence(int(wish["index"]))

    def close_wanted() -> None:
        wish = st.session_state[key].get("close")
        if on_close is not None and wish is not None:
            st.session_state[followed] = wish["number"]
            on_close()

    marks = _written(highlights)
    _mount(
        key=key,
        data={
            "document": document.id,
            "page": page,
            "highlights": marks,
            "link": link,
            "title": title,
            "cells": None if cells is None else [each._asdict() for each in cells],
            "notices": [notice._asdict() for notice in notices],
            "evidence": None if evidence is None else {"index": evidence.index, "count": evidence.count},
            "stops": [
                {**each._asdict(), "highlights": _written(each.highlights)}
                for each in (evidence.stops if evidence is not None else ())
            ],
            # Readers press keys faster than screens are drawn: this tells which of their wishes the screen knows of.
            "followed": st.session_state.get(followed, 0),
            "closable": on_close is not None,
            "place": f"{document.id}:{page}:{hash(str((marks, cells)))}",
        },
        on_evidence_change=evidence_wanted,
        on_close_change=close_wanted,
    )


def _written(highlights: Sequence[Highlight]) -> list[dict[str, object]]:
    """Return highlights as the browser reads them."""
    return [
        {"page": each.page, "boxes": [list(box) for box in each.boxes], "active": each.active} for each in highlights
    ]
