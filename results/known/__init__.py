"""Deviations and differences that are known already: their entries, and what matches them."""
