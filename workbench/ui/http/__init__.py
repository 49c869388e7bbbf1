"""The HTTP routes beside the screens: originals, page images, words and our own static files."""
