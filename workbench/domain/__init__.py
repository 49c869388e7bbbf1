"""Pure values and rules, one noun a file. No input or output, no vendor."""
