"""Reading files in a process of its own, so that no file can take the app down."""
