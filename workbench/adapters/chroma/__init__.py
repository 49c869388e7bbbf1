"""The vector index on Chroma, one collection a container."""
