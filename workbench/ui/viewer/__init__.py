"""The document viewer: ``viewer.show`` draws it, anywhere on a page."""

from workbench.ui.viewer.component import Evidence, Highlight, Notice, show

__all__ = ["Evidence", "Highlight", "Notice", "show"]
