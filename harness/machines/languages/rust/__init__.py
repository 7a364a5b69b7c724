"""Rust: `repr(C)` and `extern "C"`, without the `core` library, so that every target of the compiler can be asked."""
