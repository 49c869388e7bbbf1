"""Ingestion: from the bytes of a file to a document that can be searched."""
