"""Viewer: one document at a page, or the evidence behind a place of an answer."""

from workbench.ui import session
from workbench.ui.viewer import screen

screen.show(session.require())
