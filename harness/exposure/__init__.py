"""Exposure: which declarations of real headers meet a known bug of a compiler, by the models alone."""
