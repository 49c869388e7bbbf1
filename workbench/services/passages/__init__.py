"""Searching without a model: passages as people read them, page by page, and what to do where nothing is found."""
