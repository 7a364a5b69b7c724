"""Calls as debuggers know them: the debug information of compilers, and debuggers, held against the places of the models."""
