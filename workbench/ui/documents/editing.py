"""Editing what is known of documents: tags, date and language, of one or of many at once."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from workbench.domain.documents import Document
from workbench.domain.errors import PinciteError
from workbench.domain.tags import SUGGESTED_KEYS, Tag, parse_tag
from workbench.ui import session as door
from workbench.ui.documents import permitted, suggested
from workbench.ui.documents.dialogs import done, mark_closed, mark_open, names
from workbench.ui.documents.filtering import tag_values
from workbench.ui.documents.wording import LANGUAGES, language_name
from workbench.ui.text import escaped, literal, visible

_KEEP = "Leave as it is"
_NONE = "None"


@st.dialog("Edit documents", width="medium", on_dismiss=mark_closed)
def edit(documents: Sequence[Document], known: Sequence[Document]) -> None:
    """Change tags, date and language of several documents; ``known`` are those whose tags are offered."""
    mark_open()
    names(documents)
    values = tag_values(known)
    add = _new_tags(values)
    held = list(dict.fromkeys(tag for document in documents for tag in document.tags))
    remove = st.multiselect(
        "Tags to remove", held, format_func=lambda tag: f"{tag.key}: {tag.value}", placeholder="None", disabled=not held
    )
    left, right = st.columns(2)
    dated = _date(left, documents)
    language = _language(right)
    if st.button("Save", type="primary"):
        session = door.require()
        labels, ids = session.workbench.labels, [each.id for each in documents]
        try:
            free = [parse_tag(text) for text in add[1]]
            labels.retag(session.access, ids, [*add[0], *free], remove)
            if dated != _KEEP:
                labels.set_date(session.access, ids, dated if isinstance(dated, date) else None)
            if language != _KEEP:
                labels.set_language(session.access, ids, None if language == _NONE else language)
        except PinciteError as error:
            st.error(literal(str(error)))
            return
        done()


def _new_tags(values: dict[str, list[str]]) -> tuple[list[Tag], list[str]]:
    """Ask for a value of each usual key, and for free tags."""
    tags: list[Tag] = []
    for field, key in zip(st.columns(len(SUGGESTED_KEYS)), SUGGESTED_KEYS, strict=True):
        value = field.selectbox(
            key.capitalize(), values.get(key, []), index=None, accept_new_options=True, placeholder="Add"
        )
        if value and value.strip():
            tags.append(Tag(key=key, value=value))
    others = [f"{key}={value}" for key, held in values.items() if key not in SUGGESTED_KEYS for value in held]
    free = st.multiselect(
        "Other tags to add", others, accept_new_options=True, placeholder="key=value, for example project=Alba"
    )
    return tags, free


def _date(place: "st.delta_generator.DeltaGenerator", documents: Sequence[Document]) -> date | str:
    choice = place.selectbox("Date", [_KEEP, "Set", _NONE])
    if choice != "Set":
        return _NONE if choice == _NONE else _KEEP
    first = next((each.dated for each in documents if each.dated), None)
    return place.date_input("Date of the documents", first, min_value="1900-01-01", format="YYYY-MM-DD") or _NONE


def _language(place: "st.delta_generator.DeltaGenerator") -> str:
    return place.selectbox("Language", [_KEEP, _NONE, *LANGUAGES], format_func=lambda code: LANGUAGES.get(code, code))


def show_labels(session: door.Session, document: Document, key: str) -> None:
    """Show the labels of one document: to be read, and for an editor to be changed, with what is suggested."""
    if not permitted.with_documents(session.access, [document]).edit:
        tags = "".join(f"<li>{escaped(visible(tag_text(tag)))}</li>" for tag in document.tags)
        st.html(f'<ul class="pc-names">{tags}</ul>' if tags else '<p class="pc-quiet">No tags.</p>')
        return
    suggested.show_chips(document)
    _show_form(document, session.workbench.library.documents(session.access, [document.container_id]), key)


def _show_form(document: Document, known: Sequence[Document], key: str) -> None:
    """The labels of one document, to be changed in place."""
    with st.form(f"{key}.{document.id}", border=False):
        options = [tag_text(tag) for tag in document.tags]
        others = [f"{name}={value}" for name, held in tag_values(known).items() for value in held]
        tags = st.multiselect(
            "Tags",
            list(dict.fromkeys([*options, *others])),
            default=options,
            accept_new_options=True,
            placeholder="key=value, for example supplier=Acme",
        )
        left, right = st.columns(2)
        dated = left.date_input("Date", document.dated, min_value="1900-01-01", format="YYYY-MM-DD")
        codes = list(dict.fromkeys([*([document.language] if document.language else []), *LANGUAGES]))
        language = right.selectbox(
            "Language",
            codes,
            index=0 if document.language else None,
            format_func=language_name,
            placeholder="Not known",
        )
        if not st.form_submit_button("Save changes"):
            return
    session = door.require()
    labels = session.workbench.labels
    try:
        labels.replace_tags(session.access, document.id, [parse_tag(text) for text in tags])
        if dated != document.dated:
            labels.set_date(session.access, [document.id], dated)
        if language != document.language:
            labels.set_language(session.access, [document.id], language)
    except PinciteError as error:
        st.error(literal(str(error)))
        return
    st.rerun()


def tag_text(tag: Tag) -> str:
    return f"{tag.key}={tag.value}"
