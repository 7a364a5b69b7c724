"""Zig: `extern struct`, `extern union` and `callconv(.c)`."""
