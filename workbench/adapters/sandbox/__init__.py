"""Running code that a model wrote, where it can do no harm: CPython in WebAssembly, or in a namespace of its own on Linux."""
