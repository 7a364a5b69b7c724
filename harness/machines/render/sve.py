"""The names of SVE's types, which stand in a unit that has any of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from abiprobe.oracles.lang import spelling
from abiprobe.oracles.sve import SVE_FIXED, SVE_NAMES, SVE_TYPES

NAME = re.compile("|".join(rf"\b{spelling(c_type)}\b" for c_type in (*SVE_TYPES, *SVE_FIXED)))


def sve_names(texts: Iterable[str]) -> str:
    """What declares the names, if one of the texts has one: units do without the header of a compiler."""
    return SVE_NAMES if any(NAME.search(text) for text in texts) else ""
