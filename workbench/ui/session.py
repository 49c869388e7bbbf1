"""The door of every page: who is looking, what they may see, and the services behind it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from workbench.domain.errors import ConfigurationError, DataDirectoryBusy, NotSignedIn
from workbench.domain.ids import UserId
from workbench.domain.scope import Access
from workbench.ui import process, signing_in
from workbench.ui.text import literal

if TYPE_CHECKING:
    from workbench.bootstrap import Workbench


@dataclass(frozen=True)
class Session:
    """One run of a page: the services, and the rights to call them with."""

    workbench: "Workbench"
    access: Access

    @property
    def user(self) -> UserId:
        return self.access.user_id


def require() -> Session:
    """Return the session of the person at the page. Every page calls this before anything else.

    Where Pincite cannot start, it shows why and what to do, and ends the run.
    """
    try:
        workbench = process.workbench()
    except ConfigurationError as error:
        _show_cannot_start(error)
        st.stop()
    if not signing_in.required(workbench.settings):
        return Session(workbench=workbench, access=process.local_access())
    try:
        access = signing_in.access_for(st.user.to_dict())
    except NotSignedIn as reason:
        signing_in.show(reason)
        st.stop()
    return Session(workbench=workbench, access=access)


def _show_cannot_start(error: ConfigurationError) -> None:
    busy = isinstance(error, DataDirectoryBusy)
    st.header("Pincite is already running" if busy else "Pincite cannot start yet")
    st.error(literal(error.message), icon=":material/error:")
    if error.advice:
        st.markdown(literal(error.advice))
    st.button("Try again", icon=":material/refresh:")
