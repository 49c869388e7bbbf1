"""The generator of the sample contracts: texts in a small markup, set as PDF, and two Office files."""
