"""The small scope, whole: records of one, two and three members over some sixty member forms, and bare types, in every role.

Most faults of an ABI show on a record of two members, if only it is the right one. So these are enumerated and not drawn:
records by themselves (`records`), and records and bare types as an argument with all registers left, with one left of each
kind and with none, as a result, as both, through `...`, and by other conventions (`calls`). What attributes make of a member is
asked of layouts alone (`attributed`). What is asked first is what brings most together (`ranking`).
"""

from __future__ import annotations

from abiprobe.generators.small_scope.forms import BARE, COMMON, RARE, TWO_WORDS
from abiprobe.generators.small_scope.prototypes import BEHIND, NAMED, calls, filled, registers
from abiprobe.generators.small_scope.ranking import Combination, Combine, ranked
from abiprobe.generators.small_scope.records import attributed, records

__all__ = [
    "BARE",
    "BEHIND",
    "COMMON",
    "NAMED",
    "RARE",
    "TWO_WORDS",
    "Combination",
    "Combine",
    "attributed",
    "calls",
    "filled",
    "ranked",
    "records",
    "registers",
]
