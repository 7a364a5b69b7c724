"""The fault laboratory: what is broken on purpose, where, and what must hold all the same (docs/reliability.md)."""
