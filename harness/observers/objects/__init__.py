"""Witnesses of layouts beside the constants in the object file: DWARF, code that runs, a library's own arithmetic."""
