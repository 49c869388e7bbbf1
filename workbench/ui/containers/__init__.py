"""Containers and their members, as owners and administrators look after them."""
