"""The agent: the loop, its wiring and limits, and turns as jobs."""
