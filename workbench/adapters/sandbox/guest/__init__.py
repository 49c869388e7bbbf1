"""What runs inside the sandbox, beside the code of the model. It needs nothing but the standard library."""
