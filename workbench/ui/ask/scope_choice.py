"""Choosing where to look: containers and tags, the same on every screen that asks or searches."""

from collections.abc import Mapping, Sequence

import streamlit as st

from workbench.domain.documents import Container
from workbench.domain.ids import ContainerId
from workbench.ui.ask.visible_text import one_line
from workbench.ui.ask.wording import container_names
from workbench.ui.session import Session
from workbench.ui.text import literal


def containers(
    offered: Sequence[Container], chosen: Sequence[ContainerId], screen: str, owner: str
) -> tuple[ContainerId, ...]:
    """Draw the choice of containers and return it. ``screen`` and ``owner`` name the widget: each owner has its own."""
    names = {container.id: container.name for container in offered}
    key = f"{screen}-containers-{owner}"
    current = [each for each in st.session_state.get(key, chosen) if each in names]
    if len(current) == len(names) > 1:
        label = "All containers"
    else:
        label = container_names([names[each] for each in current]) if current else "No container"
    with st.popover(literal(label), icon=":material/folder_open:", key=f"{screen}-scope-{owner}"):
        picked = st.multiselect(
            "Search in",
            list(names),
            default=list(chosen),
            format_func=lambda each: one_line(names[each], 60),
            key=key,
            placeholder="Choose a container",
        )
    return tuple(picked)


def tag_keys(
    session: Session, chosen: Sequence[ContainerId], before: Mapping[str, Sequence[str]]
) -> Mapping[str, Sequence[str]]:
    """Return the tags to offer, each key with its values; those that were chosen and are gone stay, to be taken off."""
    offered = session.workbench.library.tag_values(session.access, chosen) if chosen else {}
    keys = [*offered, *(key for key in before if key not in offered)]
    return {key: list(dict.fromkeys((*offered.get(key, ()), *before.get(key, ())))) for key in keys}


def chosen_tags(
    offered: Mapping[str, Sequence[str]], before: Mapping[str, Sequence[str]], screen: str, owner: str
) -> int:
    """Count the tags that are chosen at this moment, before their widgets are drawn."""
    return sum(len(st.session_state.get(f"{screen}-tag-{owner}-{key}", before.get(key, ()))) for key in offered)


def tags(
    offered: Mapping[str, Sequence[str]], before: Mapping[str, Sequence[str]], screen: str, owner: str
) -> dict[str, Sequence[str]]:
    """Draw one choice for each key and return what is chosen."""
    return {
        key: st.multiselect(
            literal(key.capitalize()),
            list(values),
            default=list(before.get(key, ())),
            format_func=lambda value: one_line(value, 60),
            key=f"{screen}-tag-{owner}-{key}",
            placeholder="Any",
        )
        for key, values in offered.items()
    }
