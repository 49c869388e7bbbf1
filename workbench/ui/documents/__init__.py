"""The Documents screen: what is in the library, adding to it, and what happens to the files."""
