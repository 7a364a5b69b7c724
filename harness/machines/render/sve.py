"""The names of SVE's types, which stand in a unit that has any of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from abiprobe.oracles.language.lang import spelling
from abiprobe.oracles.language.sve import SVE_FIXED, SVE_NAMES, SVE_TYPES, fixed_typedefs

FIXED = {spelling(c_type): c_type for c_type in SVE_FIXED}
NAME = re.compile("|".join(rf"\b{name}\b" for name in (*map(spelling, SVE_TYPES), *FIXED)))


def sve_names(texts: Iterable[str]) -> str:
    """Return the declaration of the names, if one of the texts has one: units do without the header of a compiler.

    Of the types whose length is said only those that are named: clang 15 dies of the definition of one of them.
    """
    found = {name for text in texts for name in NAME.findall(text)}
    fixed = [c_type for name, c_type in FIXED.items() if name in found]
    defined = "\n".join((*fixed_typedefs(fixed), "")) if fixed else ""
    return SVE_NAMES + defined if found else ""
