"""Fortran 2008: `bind(C)` types and procedures, and `value` parameters."""
