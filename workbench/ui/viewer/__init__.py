"""The document viewer: ``viewer.show`` draws it, anywhere on a page."""

from workbench.ui.viewer.component import Cells, Evidence, Highlight, Notice, show

__all__ = ["Cells", "Evidence", "Highlight", "Notice", "show"]
