"""Observes calls of C++: programs that run, as for C."""
