"""Document: one document with its report, labels, versions and jobs."""

from workbench.ui import session
from workbench.ui.documents import document_screen

document_screen.show(session.require())
