"""Settings: what is configured, and how to change it."""

from workbench.ui import configuration, session

configuration.show(session.require())
