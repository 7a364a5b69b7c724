"""Rust that asks a binding for its facts, and calls what it declares, without the `core` library."""
