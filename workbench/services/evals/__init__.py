"""Evaluation: suites of samples, scored by their outcome and by how it came about."""
