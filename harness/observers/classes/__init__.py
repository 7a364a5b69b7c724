"""Observes how C++ classes are laid out: constants in the object file, and what running code does to objects."""
