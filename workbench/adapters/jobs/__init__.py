"""Durable jobs on DBOS."""
