"""Documents: what is in the library, and adding to it."""

from workbench.ui import session
from workbench.ui.documents import screen

screen.show(session.require())
