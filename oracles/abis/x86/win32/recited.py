"""Places that another text's rules give, where a family follows these and the text of Windows is silent."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Passed

cite, _ = citing(__package__)
OTHER = cite("pass.other")


def ours(passed: Passed) -> Passed:
    """The places with the clause of this sheet that is silent, in place of those of System V."""
    pieces = (
        structs.replace(one, clause=OTHER, extension_clause=OTHER if one.extension_clause else "")
        for one in passed.pieces
    )
    return structs.replace(passed, clause=OTHER, pieces=tuple(pieces))
