"""The keys of the session state that belong to the Search screen."""

from enum import StrEnum


class SearchKey(StrEnum):
    """``PLACE`` is the place last shown. ``ROUND`` counts the times it was changed from outside (Back, a link): each round's
    widgets are its own, so that they show what the address says."""

    PLACE = "search.place"
    ROUND = "search.round"
    KEYBOARD = "search.keyboard"
    VIEWER = "search.viewer"
