"""Which clauses decided at least one compared byte, which did not, and why."""
