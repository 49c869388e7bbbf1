"""The embedded extractive model: plans searches and quotes sentences, without a language model and without a network."""
