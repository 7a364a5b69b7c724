"""A written ABI as values: clauses, places of values, frames, and the options that it is read under."""
