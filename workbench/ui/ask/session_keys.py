"""The keys of the session state that belong to the Ask screen."""

from enum import StrEnum


class AskKey(StrEnum):
    """``PLACE`` is the place last shown, for the way back from another screen. ``REFUSED`` is a question that could not be
    asked, with the reason. ``DRAFT`` holds the choices for a conversation that does not exist yet. ``DELETED`` is what is
    to be said of one that was just deleted. ``DIALOG`` is the dialog that is open, and for which conversation.
    ``CHOICES_SEEN`` are the choices this tab showed last."""

    PLACE = "ask.place"
    KEYBOARD = "ask.keyboard"
    QUESTION = "ask.question"
    REFUSED = "ask.refused"
    DRAFT = "ask.draft"
    PANEL_WIDTH = "ask.panel.width"
    TAB = "ask.panel.tab"
    BANNER_HIDDEN = "ask.banner.hidden"
    LIST_PAGE = "ask.conversations.page"
    LIST_WORDS = "ask.conversations.words"
    CHOICES_SEEN = "ask.choices.seen"
    SUMMARIES = "ask.summaries"
    DELETED = "ask.deleted"
    DIALOG = "ask.dialog"
