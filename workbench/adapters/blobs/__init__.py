"""Files under the SHA-256 of their bytes."""
