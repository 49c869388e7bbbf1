"""Figures that nobody wrote down: read out of tables by code that runs in the sandbox."""
