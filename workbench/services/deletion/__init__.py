"""Deleting documents and conversations: in steps that prove themselves, with a receipt, until nothing is left."""
