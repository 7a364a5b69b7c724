"""Ada, as GNAT has it."""
