"""Pincite over the Model Context Protocol: the same tools, questions and rules for programs as for people."""
