"""The relational store: containers, documents, pages, chunks, conversations, turns and events.

SQLite by default, PostgreSQL by its URL; no statement here belongs to one of them alone.
"""
