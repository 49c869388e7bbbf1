"""Pincite: a workbench in which every claim of an answer opens the page it came from."""

__version__ = "0.1.0"
