"""Observes how entities of C++ are named: the symbols of an object file."""
