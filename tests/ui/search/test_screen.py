"""The Search screen over real parts; only the embedding is a fake."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from workbench.domain.scope import Access
from workbench.domain.tags import Tag


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def search(at: AppTest, words: str) -> AppTest:
    """Type words and press Search, as a user does."""
    next(each for each in at.text_input if each.key.startswith("search-text")).set_value(words)
    return next(each for each in at.button if each.key.startswith("search-submit")).click().run()


def press(at: AppTest, key: str) -> AppTest:
    return next(each for each in at.button if each.key == key).click().run()


def test_without_documents_it_leads_to_them(library, open_screen) -> None:
    at = open_screen("search")
    assert "There are no documents to search yet" in html(at)
    assert [each.key for each in at.button if each.key == "search.documents"]
