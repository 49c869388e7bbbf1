"""Ask: put a question, watch the work, read an answer in which every claim opens its page."""

from workbench.ui import session
from workbench.ui.ask import screen

screen.show(session.require())
