"""GNU object attributes, which several machines have (as, Object Attributes)."""

from __future__ import annotations

from abiprobe.oracles.linking.field import Attribute, Field, Same, Tags
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "gnu.toml").cite
TAGS = Tags("gnu", cite("tags"))


def tag(number: int, mask: int = -1) -> Attribute:
    """A tag, or some of its bits; a missing one is 0, in a file without attributes, too."""
    return Attribute("gnu", number, mask, silent=0)


TOOLCHAIN = Field("toolchain needed", tag(32), cite("compatibility"), Same(), {0: "none"}, hidden=True)
UNAFFECTED = Same(free=frozenset({0}))
"""The rule of attributes whose value 0 says that a file is not affected."""
