"""Retrieval: scope, candidates of two engines, fusion, cut-off, and the ledger of what a turn was given."""
