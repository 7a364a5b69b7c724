"""Observations of the tables of C++ classes in object files."""
