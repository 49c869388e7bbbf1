"""The look that Streamlit's own theme settings cannot say: one style sheet, put on every page."""

from pathlib import Path

import streamlit as st

STATIC = Path(__file__).parent / "static"
LOGO = STATIC / "logo.svg"
# A file of ours: an icon named ":material/..." would be fetched from outside.
FAVICON = STATIC / "favicon.svg"


def apply() -> None:
    """Put the style sheet on the page. Its names (``.pc-cite`` and others) are described in ``static/theme.css``."""
    st.html(STATIC / "theme.css")
