"""Adding documents: a drop zone with the tags they all get. It shrinks to a button once it was used."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime import get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from workbench.domain.documents import Container
from workbench.domain.ids import ContainerId
from workbench.domain.tags import SUGGESTED_KEYS, Tag
from workbench.services.ingestion.jobs import Upload, UploadOutcome, UploadStatus
from workbench.ui.documents.wording import count
from workbench.ui.session import Session
from workbench.ui.state import Key
from workbench.ui.text import escaped


class Refused(NamedTuple):
    """A file that was not taken in, and why, in words."""

    name: str
    reason: str


def show(session: Session, containers: Sequence[Container], chosen: ContainerId) -> None:
    """Show the drop zone; ``chosen`` is the container offered first."""
    with st.container(border=True):
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
        tags = _tags(session, container_id, fields[1:])
        if st.button(
            f"Add {count(len(files), 'file')}" if files else "Add files",
            type="primary",
            disabled=not files,
            icon=":material/upload:",
        ):
            with st.spinner(f"Taking in {count(len(files), 'file')}"):
                _take_in(session, container_id, files, tags)
            st.session_state[Key.CONTAINER] = container_id
            st.rerun()


def remember(outcomes: Sequence[UploadOutcome]) -> None:
    """Keep what :func:`show_refused` shows."""
    st.session_state[Key.UPLOAD_REFUSED] = [Refused(each.name, _reason(each)) for each in outcomes if _reason(each)]


def _reason(outcome: UploadOutcome) -> str:
    if outcome.status is UploadStatus.ALREADY_THERE:
        return "The same file is in this container already."
    return outcome.error


def show_refused() -> None:
    """Show what became of the files of the last upload that were not taken in, until it is dismissed."""
    refused: list[Refused] = st.session_state.get(Key.UPLOAD_REFUSED, [])
    if not refused:
        return
    with st.container(border=True):
        lines = "".join(f"<li><b>{escaped(each.name)}</b><br>{escaped(each.reason)}</li>" for each in refused)
        title = f"<p>{count(len(refused), 'file')} not added</p>"
        st.html(f'<div role="alert" class="pc-report pc-failed">{title}<ul>{lines}</ul></div>')
        st.button("Dismiss", on_click=lambda: st.session_state.pop(Key.UPLOAD_REFUSED, None))


def _tags(session: Session, container_id: ContainerId, fields: Sequence[DeltaGenerator]) -> tuple[Tag, ...]:
    """Ask for the tags that all files get, with the values in use to choose from."""
    known = session.workbench.library.tag_values(session.access, [container_id])
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


def _take_in(session: Session, container_id: ContainerId, files: Sequence[UploadedFile], tags: tuple[Tag, ...]) -> None:
    """Hand the files over one by one, so that one alone is in memory twice, and free each."""
    outcomes: list[UploadOutcome] = []
    for file in files:
        upload = Upload(name=_real_name(file.name), data=file.getvalue(), tags=tags)
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
