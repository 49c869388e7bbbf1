"""The Ask screen: question, live progress, cited answer, and the evidence beside it."""
