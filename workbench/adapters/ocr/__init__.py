"""Engines of optical character recognition, each in a process of its own."""
