"""Gaps: what people looked for and the collection lacks."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from workbench.domain.gaps import Topic
from workbench.domain.ids import ContainerId
from workbench.ui import screens
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import container_names, counted, day
from workbench.ui.search.navigation import jump
from workbench.ui.search.place import SearchPlace
from workbench.ui.session import Session
from workbench.ui.state import Key

SHOWN = 50


def show(session: Session) -> None:
    """Draw the topics, the most asked first."""
    topics = session.workbench.gaps.topics(session.access)
    if not topics:
        _none()
        return
    names = {each.id: each.name for each in session.workbench.library.containers(session.access)}
    st.html(
        '<p class="pc-quiet pc-read">What was searched for and not found, here, at the command line and in conversations.'
        " What was asked in a conversation is removed together with it.</p>"
    )
    for number, topic in enumerate(topics[:SHOWN]):
        _topic(session, topic, names, number)
    if len(topics) > SHOWN:
        st.caption(f"and {len(topics) - SHOWN:,} more, asked less often")


def _none() -> None:
    st.html(
        '<h2 class="pc-nothing">No gaps</h2><p class="pc-quiet">When a search finds nothing, or the documents do not answer'
        " a question, the topic is listed here, so that you see what to add to the collection.</p>"
    )
    if st.button("Go to Documents", icon=":material/folder_open:", key="search.gaps.documents"):
        st.switch_page(screens.DOCUMENTS)


def _topic(session: Session, topic: Topic, names: Mapping[ContainerId, str], number: int) -> None:
    latest = topic.gaps[0]
    with st.container(key=f"search-topic-{number}", horizontal=True, gap="small", vertical_alignment="center"):
        st.html(topic_html(topic, names))
        st.button(
            "Search again",
            icon=":material/search:",
            type="tertiary",
            key=f"search-again-{number}",
            on_click=jump,
            args=(SearchPlace(text=latest.query, containers=latest.containers, filters=latest.filters),),
        )
        if st.button("Add documents", icon=":material/upload_file:", type="tertiary", key=f"search-upload-{number}"):
            st.session_state[Key.CONTAINER] = latest.containers[0]
            st.switch_page(screens.DOCUMENTS)
        st.button(
            "Dismiss",
            icon=":material/close:",
            type="tertiary",
            key=f"search-dismiss-{number}",
            help="Takes it off this list; it returns when it is asked for again",
            on_click=session.workbench.gaps.dismiss,
            args=(session.access, [gap.id for gap in topic.gaps]),
        )


def topic_html(topic: Topic, names: Mapping[ContainerId, str]) -> str:
    """Return a topic with how often and when it was asked, where, and in what other words."""
    where = container_names([names[each] for each in topic.containers if each in names]) or "containers that are gone"
    asked = f"asked {counted(topic.count, 'time')}, last on {day(topic.last_asked.date())}"
    others = [one_line(wording, 80) for wording in topic.wordings[1:4]]
    reasons = ", ".join(reason.value for reason in topic.reasons)
    also = f'<div class="pc-quiet">also: {escape(" · ".join(others))}</div>' if others else ""
    return (
        f'<div class="pc-topic"><b>{escape(one_line(topic.query, 200))}</b>'
        f'<div class="pc-quiet">{escape(f"{asked} · {where} · {reasons}")}</div>{also}</div>'
    )
