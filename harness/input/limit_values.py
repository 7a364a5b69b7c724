"""The limits on the size of declarations, and what is said of one beyond them."""

from __future__ import annotations

LEVELS = 100
"""Types within one another."""
PLACES = 1 << 14
"""Scalars in one declaration, those of the records and arrays in it included; also constants of an enumeration."""
ALL = 1 << 20
"""Scalars in all declarations of a file."""

NESTED = f"its types are nested more than {LEVELS} levels deep"
MANY = f"it has more than {PLACES:,} members, elements or parameters, with those of the records in it"
USED_UP = f"the declarations before it have the {ALL:,} members, elements and parameters that may be asked of a file"
