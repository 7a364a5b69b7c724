"""The mangled name of an entity by one reading of the text."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.abis.itanium.names.mangler import Mangler
from abiprobe.oracles.abis.itanium.names.writing import NamePolicy, Piece
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.entities import AnyEntity
from abiprobe.oracles.text.place import Unspecified, Unsupported

TEXT = NamePolicy()


class MangledName(msgspec.Struct, frozen=True):
    """A mangled name in pieces, each with the clause that gives it."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The name as it stands in the object file."""
        return "".join(one.text for one in self.pieces)

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses that give the name."""
        return frozenset(one.clause for one in self.pieces)

    def clause_of(self, other: str) -> str:
        """The clause of the first piece in which another name differs."""
        rest = other
        for one in self.pieces:
            if not rest.startswith(one.text):
                return one.clause
            rest = rest[len(one.text) :]
        return self.pieces[-1].clause


def mangle(entity: AnyEntity, policy: NamePolicy = TEXT) -> MangledName | Unspecified | Unsupported:
    """The name of an entity, if the text decides it."""
    mangler = Mangler(policy)
    try:
        mangler.mangled(entity)
    except SilentError as silence:
        return Unspecified(silence.clause, silence.why)
    except AbsentError as absence:
        return Unsupported(str(absence))
    return MangledName(tuple(mangler.pieces))
