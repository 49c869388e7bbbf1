"""The keyword index on SQLite FTS5, with our own words and stems."""
