"""Adding documents: a drop zone with the labels they all get. It shrinks to a button once it was used."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import unquote

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime import get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from workbench.domain.documents import Container, Document
from workbench.domain.errors import PinciteError
from workbench.domain.ids import ContainerId
from workbench.domain.tags import SUGGESTED_KEYS, Tag, parse_tag
from workbench.services.ingestion.jobs import Upload, UploadOutcome, UploadStatus
from workbench.ui.documents.filtering import tag_values
from workbench.ui.documents.wording import LANGUAGES, count, shown_name
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import escaped, literal, visible


class Refused(NamedTuple):
    """A file that was not taken in, and why, in words."""

    name: str
    reason: str


class Labelled(NamedTuple):
    """What all files of an upload get."""

    tags: tuple[Tag, ...]
    dated: date | None
    language: str | None


def show(session: Session, containers: Sequence[Container], chosen: ContainerId) -> None:
    """Show the drop zone; ``chosen`` is the container offered first."""
    with st.container(border=True, key="pc-upload"):
        st.session_state.setdefault(Key.UPLOAD_ROUND, 0)
        files = st.file_uploader(
            "Drop files here, several at once",
            accept_multiple_files=True,
            key=f"{Key.UPLOAD_ROUND}.{st.session_state[Key.UPLOAD_ROUND]}",
            max_upload_size=session.workbench.settings.max_file_mb,
        )
        names = {container.id: container.name for container in containers}
        fields = st.columns([1] * (len(SUGGESTED_KEYS) + 1), vertical_alignment="bottom")
        container_id = fields[0].selectbox(
            "Container", list(names), index=list(names).index(chosen), format_func=names.__getitem__
        )
        known = tag_values(session.workbench.library.documents(session.access, [container_id]))
        tags = _tags(known, fields[1:])
        try:
            labelled = _more(known, tags, st.columns([1, 1, 2], vertical_alignment="bottom"))
        except PinciteError as error:
            st.error(literal(str(error)))
            return
        if st.button(
            f"Add {count(len(files), 'file')}" if files else "Add files",
            type="primary",
            disabled=not files,
            icon=":material/upload:",
        ):
            with st.spinner(f"Taking in {count(len(files), 'file')}"):
                _take_in(session, container_id, files, labelled)
            st.session_state[Key.CONTAINER] = container_id
            st.rerun()


def remember(outcomes: Sequence[UploadOutcome]) -> None:
    """Keep what :func:`show_outcome` shows."""
    st.session_state[Key.UPLOAD_REFUSED] = [Refused(each.name, _reason(each)) for each in outcomes if _reason(each)]
    taken = (UploadStatus.ALREADY_THERE, UploadStatus.REFUSED)
    st.session_state[Key.UPLOADED] = [each.document_id for each in outcomes if each.status not in taken]


def _reason(outcome: UploadOutcome) -> str:
    if outcome.status is UploadStatus.ALREADY_THERE:
        return "The same file is in this container already."
    return outcome.error


def show_outcome(documents: Sequence[Document]) -> None:
    """Show what became of the files of the last upload that needs a word, until it is dismissed."""
    refused: list[Refused] = st.session_state.get(Key.UPLOAD_REFUSED, [])
    uploaded = set(st.session_state.get(Key.UPLOADED, []))
    news = [line for each in documents if each.id in uploaded and (line := _version_news(each))]
    if not refused and not news:
        return
    with st.container(border=True):
        if refused:
            lines = "".join(
                f"<li><b>{escaped(visible(each.name))}</b><br>{escaped(visible(each.reason))}</li>" for each in refused
            )
            title = f"<p>{count(len(refused), 'file')} not added</p>"
            st.html(f'<div role="alert" class="pc-report pc-failed">{title}<ul>{lines}</ul></div>')
        if news:
            lines = "".join(f"<li>{escaped(line)}</li>" for line in news)
            st.html(f'<div role="status" class="pc-report"><p>New versions</p><ul>{lines}</ul></div>')
        st.button("Dismiss", on_click=_dismiss)


def _version_news(document: Document) -> str:
    if document.version == 1:
        return ""
    name, before = shown_name(document), document.version - 1
    if document.state.working:
        return f"{name}: version {document.version} is being read; version {before} is searched until it is ready."
    if document.searchable:
        return f"{name} is now version {document.version}. Version {before} stays for the citations that open it."
    return ""


def _dismiss() -> None:
    st.session_state.pop(Key.UPLOAD_REFUSED, None)
    st.session_state.pop(Key.UPLOADED, None)


def _tags(known: dict[str, list[str]], fields: Sequence[DeltaGenerator]) -> tuple[Tag, ...]:
    """Ask for the usual tags, with the values in use to choose from."""
    tags: list[Tag] = []
    for field, key in zip(fields, SUGGESTED_KEYS, strict=True):
        value = field.selectbox(
            key.capitalize(),
            known.get(key, []),
            index=None,
            accept_new_options=True,
            placeholder="Optional",
            key=f"{Key.UPLOAD_TAG}.{key}",
        )
        if value and value.strip():
            tags.append(Tag(key=key, value=value))
    return tuple(tags)


def _more(known: dict[str, list[str]], tags: tuple[Tag, ...], fields: Sequence[DeltaGenerator]) -> Labelled:
    """Ask for date, language and free tags; raise PinciteError where a tag is none."""
    dated = fields[0].date_input(
        "Date", None, min_value="1900-01-01", format="YYYY-MM-DD", key=Key.UPLOAD_DATE, help="The date of the documents"
    )
    language = fields[1].selectbox(
        "Language",
        list(LANGUAGES),
        index=None,
        format_func=LANGUAGES.__getitem__,
        placeholder="Detected",
        key=Key.UPLOAD_LANGUAGE,
    )
    others = [f"{key}={value}" for key, held in known.items() if key not in SUGGESTED_KEYS for value in held]
    free = fields[2].multiselect(
        "Other tags", others, accept_new_options=True, placeholder="key=value", key=f"{Key.UPLOAD_TAG}.free"
    )
    return Labelled((*tags, *(parse_tag(text) for text in free)), dated, language)


def _take_in(session: Session, container_id: ContainerId, files: Sequence[UploadedFile], labelled: Labelled) -> None:
    """Hand the files over one by one, so that one alone is in memory twice, and free each."""
    outcomes: list[UploadOutcome] = []
    for file in files:
        upload = Upload(
            name=_real_name(file.name),
            data=file.getvalue(),
            tags=labelled.tags,
            dated=labelled.dated,
            language=labelled.language,
        )
        outcomes += session.workbench.ingestion.submit(session.access, container_id, [upload])
        _release(file)
    remember(outcomes)
    st.session_state[Key.UPLOAD_ROUND] += 1
    st.session_state[Key.UPLOAD_OPEN] = False


def _real_name(name: str) -> str:
    """Undo what browsers do to a quotation mark or a line break in a file's name."""
    for code in ("%22", "%0D", "%0A"):
        name = name.replace(code, unquote(code))
    return " ".join(name.split())


def _release(file: UploadedFile) -> None:
    """Free the bytes of an uploaded file. Streamlit keeps them as long as the session, also when its widget is gone."""
    context, manager = get_script_run_ctx(), get_instance().uploaded_file_mgr
    if context is not None and isinstance(manager, MemoryUploadedFileManager):
        manager.remove_file(context.session_id, file.file_id)
