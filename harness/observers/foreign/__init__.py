"""Calls made and taken by a foreign function library: libffi, through cffi in ABI mode."""
