"""The query and what narrows it: containers, tags, dates, language and documents, and the order of the results."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

import streamlit as st

from workbench.domain.documents import Container, Document
from workbench.domain.ids import ContainerId
from workbench.domain.scope import Filters
from workbench.services.passages.query import LONGEST, Order
from workbench.ui.ask import scope_choice
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import counted
from workbench.ui.documents.wording import language_name
from workbench.ui.search.navigation import current_round, go
from workbench.ui.search.place import SearchPlace
from workbench.ui.session import Session

_ORDERS = {Order.RELEVANCE: "Most relevant", Order.NEWEST: "Newest first", Order.OLDEST: "Oldest first"}
_EARLIEST, _LATEST = date(1900, 1, 1), date(2199, 12, 31)


class Asked(NamedTuple):
    """The place after this run's choices, and whether Search was pressed."""

    place: SearchPlace
    pressed: bool


def show(session: Session, place: SearchPlace, offered: Sequence[Container], usual: Sequence[ContainerId]) -> Asked:
    """Draw the query and the choices, and return what is asked for now. ``usual`` is where to look by default."""
    text, pressed = _words(place)
    chosen = visible_ids(usual if place.containers is None else place.containers, offered)
    with st.container(key="search-options", horizontal=True, gap="xsmall", vertical_alignment="center"):
        owner = current_round()
        containers = scope_choice.containers(offered, chosen, "search", owner)
        filters = _filters(session, place.filters, containers, owner)
        order, grouped = _order(place, owner)
    changed = filters != place.filters or tuple(containers) != tuple(chosen)
    made = place._replace(order=order, grouped=grouped)
    if order is not place.order or grouped != place.grouped:
        made = made._replace(page=1)
    if changed or pressed or text != place.text:
        made = made.searching(text, tuple(containers), filters)
    if made != place:
        go(made)
    return Asked(made, pressed)


def _words(place: SearchPlace) -> tuple[str, bool]:
    """Draw the query. It is sent by Enter or the button, never while it is typed."""
    with (
        st.form(f"search-form-{current_round()}", border=False, enter_to_submit=True),
        st.container(key="search-form", horizontal=True, gap="small", vertical_alignment="center", wrap=False),
    ):
        text = st.text_input(
            "Search your documents",
            value=place.text,
            key=f"search-text-{current_round()}",
            placeholder="Search your documents: words, a clause number, a quoted phrase",
            icon=":material/search:",
            label_visibility="collapsed",
        )
        pressed = st.form_submit_button("Search", type="primary", key=f"search-submit-{current_round()}")
    return " ".join(text.split())[:LONGEST], pressed


def _filters(session: Session, before: Filters, containers: Sequence[ContainerId], owner: str) -> Filters:
    documents = [each for each in session.workbench.library.documents(session.access, containers) if each.searchable]
    tags = scope_choice.tag_keys(session, containers, before.tags)
    number = len(before.tags) + sum(
        value is not None for value in (before.language, before.date_from, before.date_to, before.document_ids)
    )
    label = counted(number, "filter") if number else "Filters"
    with st.popover(label, icon=":material/filter_list:", key=f"search-filters-{owner}"):
        chosen_tags = scope_choice.tags(tags, before.tags, "search", owner)
        first, last = st.columns(2)
        date_from = _day(first, "Dated from", before.date_from, f"search-from-{owner}")
        date_to = _day(last, "Dated to", before.date_to, f"search-to-{owner}")
        return Filters(
            tags={key: tuple(values) for key, values in chosen_tags.items() if values},
            language=_language(documents, before.language, owner),
            document_ids=_documents(documents, before, owner),
            date_from=date_from,
            date_to=date_to,
        )


def _day(place: st.delta_generator.DeltaGenerator, label: str, before: date | None, key: str) -> date | None:
    return place.date_input(label, value=before, key=key, min_value=_EARLIEST, max_value=_LATEST, format="YYYY-MM-DD")


def _language(documents: Sequence[Document], before: str | None, owner: str) -> str | None:
    known = sorted({each.language for each in documents if each.language} | ({before} if before else set()))
    return st.selectbox(
        "Language",
        known,
        index=known.index(before) if before else None,
        format_func=language_name,
        key=f"search-language-{owner}",
        placeholder="Any",
    )


def _documents(documents: Sequence[Document], before: Filters, owner: str) -> tuple[str, ...] | None:
    names: Mapping[str, str] = {each.id: one_line(each.display_name, 60) for each in documents}
    wanted = [each for each in before.document_ids or () if each in names]
    picked = st.multiselect(
        "Documents",
        list(names),
        default=wanted,
        format_func=lambda each: names[each],
        key=f"search-documents-{owner}",
        placeholder="Any",
    )
    lost = before.document_ids is not None and not wanted
    return tuple(picked) if picked else () if lost else None


def _order(place: SearchPlace, owner: str) -> tuple[Order, bool]:
    order = st.selectbox(
        "Order",
        list(Order),
        index=list(Order).index(place.order),
        format_func=_ORDERS.__getitem__,
        key=f"search-order-{owner}",
        label_visibility="collapsed",
        width=160,
    )
    grouped = st.toggle("By document", value=place.grouped, key=f"search-grouped-{owner}")
    return order or place.order, grouped


def visible_ids(chosen: Sequence[ContainerId], offered: Sequence[Container]) -> tuple[ContainerId, ...]:
    """Leave out containers that are gone or not the user's."""
    names = {container.id for container in offered}
    return tuple(each for each in chosen if each in names)
