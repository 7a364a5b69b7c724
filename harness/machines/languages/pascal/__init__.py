"""Pascal, as Free Pascal has it."""
