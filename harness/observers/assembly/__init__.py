"""Putting questions to stand-ins: only those that they can answer for the target, in words that mean the same there."""
