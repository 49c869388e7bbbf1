"""Rerankers that run on this machine."""
