"""Search: find passages without a model, and see what was looked for in vain."""

from workbench.ui import session
from workbench.ui.search import screen

screen.show(session.require())
