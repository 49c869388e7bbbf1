"""Where the screens are: the files that the navigation opens and that ``st.switch_page`` takes."""

from pathlib import Path

_PAGES = Path(__file__).parents[2] / "pages"

ASK = _PAGES / "ask.py"
SEARCH = _PAGES / "search.py"
DOCUMENTS = _PAGES / "documents.py"
DOCUMENT = _PAGES / "document.py"
VIEWER = _PAGES / "viewer.py"
SETTINGS = _PAGES / "settings.py"
