"""Quirks: known bugs and habits of compilers, each a change of the model by its cause.

What a compiler does is the text, the reading of its family where the text is silent, and the quirks in force for its
version. Clang and GCC describe their own old bugs in the same way, in the rule itself (`getClangABICompat`,
`abi_version_at_least`). A verdict is always by the text; a quirk only tells whether a deviation is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from fnmatch import fnmatchcase

from abiprobe.oracles.engine.policies import TEXT, Argument, Policies
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import AnyEntity
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.quirks.versions import Range


class Status(Enum):
    """The reason why a deviation is known."""

    BUG = "bug"
    """the compiler is wrong, and says so or should"""
    DOCUMENTED = "documented"
    """the compiler does it on purpose and says where"""
    AMBIGUOUS = "ambiguous"
    """the text can be read otherwise"""
    WONTFIX = "wontfix"
    """it is agreed to be wrong and stays as it is, for compatibility"""


class Side(Enum):
    """The side of a call on which a compiler has a quirk."""

    CALLER = "caller"
    """the function that calls"""
    CALLEE = "callee"
    """the function that is called"""


BOTH = frozenset(Side)
CALLER = frozenset({Side.CALLER})
CALLEE = frozenset({Side.CALLEE})
NAMED = frozenset({Argument.NAMED})
UNNAMED = frozenset({Argument.UNNAMED})
OPTIMISED = ("O1", "O2", "O3", "Os")


@dataclass(frozen=True)
class Quirk:
    """One cause of known deviations, for all targets whose rules it reaches.

    `subjects` are families with a range of versions (`clang>=13,<18`), `targets` names with wildcards. `policies` are the
    fields of `oracles.engine.policies.Policies` that it sets. It shows on one of the `sides` of a call or on both, and at
    the optimisation `levels` that are named, at any where none is; and with one of the `options`, with wildcards, that a
    subject may have, with any where none is. Each declaration of the C in `example` deviates by the
    text and agrees by the dialect. Of a quirk about calls, names or tables of C++ `entity` is what `example` declares. `link` is the upstream report, or `unreported`; `since` is when it was found.
    """

    name: str
    subjects: tuple[str, ...]
    policies: Mapping[str, object]
    status: Status
    reason: str
    link: str
    since: date
    example: str
    targets: tuple[str, ...] = ("*",)
    sides: frozenset[Side] = BOTH
    levels: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    entity: AnyEntity | CxxPrototype | Tables | None = None

    def __hash__(self) -> int:
        return hash(self.name)

    def has(self, target: str, subject: str, version: str) -> bool:
        """Return whether a subject with this version line has the quirk on a target (its name without a dialect)."""
        _, *words = subject.split()
        asked = not self.options or any(fnmatchcase(word, one) for word in words for one in self.options)
        ranges = (Range.read(one) for one in self.subjects)
        return asked and self.reaches(target) and any(one.has(subject, version) for one in ranges)

    def reaches(self, target: str) -> bool:
        """Return whether a target, by its name without a dialect, is one of those that the quirk reaches."""
        return any(fnmatchcase(target, pattern) for pattern in self.targets)

    def shows(self, level: str, side: Side) -> bool:
        """Return whether the quirk shows at an optimisation level (`O2`), on one side of a call."""
        return side in self.sides and (not self.levels or level in self.levels)

    @property
    def cxx(self) -> bool:
        """Return whether it is about classes, calls, names or tables of C++, so that its example is C++."""
        return not {"classes", "calls", "names", "tables"}.isdisjoint(self.policies)

    @property
    def summary(self) -> str:
        """The quirk in a line: `known (bug): NAME: REASON, LINK`."""
        return f"known ({self.status.value}): {self.name}: {self.reason}, {self.link}"


def under_all(quirks: Iterable[Quirk], own: Policies = TEXT) -> Policies:
    """Return the policies of all quirks together, on top of a dialect's `own`.

    Sets of one field are united, and another value is the last one's.
    """
    fields: dict[str, object] = {}
    for quirk in quirks:
        for name, value in quirk.policies.items():
            before = fields.get(name)
            if isinstance(value, frozenset) and isinstance(before, frozenset):
                fields[name] = value | before
            else:
                fields[name] = value
    return own.changed(fields)
