"""The Search screen: passages without a model, and the gaps that searches have left."""
