"""The language of a text, by py3langid."""
