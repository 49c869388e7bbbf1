"""The results: what was found, page by page, what was left out, and what to do with it."""

import streamlit as st

from workbench.domain.ids import ContainerId
from workbench.domain.scope import Filters
from workbench.services.passages.found import Found
from workbench.ui import pager, screens
from workbench.ui.ask import choices
from workbench.ui.ask.place import Place as AskPlace
from workbench.ui.ask.session_keys import AskKey
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import counted
from workbench.ui.search.navigation import go, jump
from workbench.ui.search.place import SearchPlace
from workbench.ui.search.results_html import cut_html, notes_html, results_html, summary_html
from workbench.ui.session import Session
from workbench.ui.text import literal


def show(session: Session, found: Found, place: SearchPlace) -> None:
    """Draw one page of results, or say why there are none and what may help."""
    if not found.total:
        _nothing(found, place)
        return
    with st.container(key="search-head", horizontal=True, gap="small", vertical_alignment="center", wrap=False):
        st.html(summary_html(found))
        _ask(session, found)
    _notes(found, place)
    if found.passages:
        st.html(results_html(found, place.opened))
    else:
        st.info(f"The results end before this page: they have {counted(found.pages, 'page')}.")
    pager.show("search", place.page, found.pages, lambda page: go(place._replace(page=page)), _where(found))
    _left_out(found)


def _where(found: Found) -> str:
    page = found.query.page
    text = f"Page {page:,} of {found.pages:,}" if found.passages else f"Past the last of {counted(found.pages, 'page')}"
    return f'<div class="pc-quiet">{text}</div>'


def _nothing(found: Found, place: SearchPlace) -> None:
    with st.container(key="search-nothing", gap="small"):
        st.html(f"<h2 class='pc-nothing'>Nothing found</h2>{notes_html(found.notes)}")
        if found.suggestions:
            st.html('<p class="pc-quiet">This may help:</p>')
        _suggestions(found, place)
        st.html('<p class="pc-quiet">What was looked for in vain is kept under Gaps.</p>')
        _left_out(found)


def _left_out(found: Found) -> None:
    html = cut_html(found)
    if html:
        st.html(html)


def _notes(found: Found, place: SearchPlace) -> None:
    if found.notes:
        st.html(notes_html(found.notes))
    _suggestions(found, place)


def _suggestions(found: Found, place: SearchPlace) -> None:
    if not found.suggestions:
        return
    with st.container(key="search-suggestions", horizontal=True, gap="xsmall"):
        for number, suggestion in enumerate(found.suggestions):
            st.button(
                literal(one_line(suggestion.text, 120)),
                key=f"search-suggestion-{number}",
                icon=":material/lightbulb:",
                on_click=jump,
                args=(place.of(suggestion.query),),
            )


def _ask(session: Session, found: Found) -> None:
    """Take the query and the documents found to Ask, as a draft that the reader can still change."""
    if not found.documents:
        return
    asked = st.button(
        "Ask about these documents",
        icon=":material/forum:",
        key="search-ask",
        help=f"Opens Ask with this query, narrowed to the {counted(len(found.documents), 'document')} found",
    )
    if asked:
        query = found.query
        draft(session, query.text, query.containers, query.filters.model_copy(update={"document_ids": found.documents}))
        st.switch_page(screens.ASK)


def draft(session: Session, text: str, containers: tuple[ContainerId, ...], filters: Filters) -> None:
    """Prepare a new conversation in Ask: its choices, and the question as far as it is written."""
    before = choices.read(None, session.workbench.library.containers(session.access))
    choices.remember(session, None, before._replace(containers=containers, filters=filters))
    st.session_state[AskKey.QUESTION] = text
    st.session_state[AskKey.PLACE] = AskPlace()
