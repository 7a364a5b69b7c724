"""Unwind tables of compilers, held against what is known of a frame at every instruction of functions that are stepped."""
