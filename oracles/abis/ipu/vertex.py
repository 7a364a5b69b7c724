"""Vertex functions (codelets): what the supervisor starts a worker with (Colossus IPU ABI, 14.2)."""

from __future__ import annotations

from abiprobe.oracles.abis.ipu.convention import WORD
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Enum, Prototype, Scalar
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passing, Piece, Register

cite, implements = citing(__package__)
ENTRY = cite("vertex.entry")
EXIT = cite("vertex.exit")
STATE, SCRATCH = Register("mvertex_base"), Register("mworker_base")


@implements("vertex.entry", "vertex.exit")
def vertex(types: TypeTable, prototype: Prototype) -> Assignment:
    """The registers that a vertex starts with, and its exit status; raises `AbsentError` for a vertex with parameters."""
    if prototype.params or prototype.variadic:
        raise AbsentError("a vertex function has no parameters")
    hidden = (
        Hidden("vertex state", (Piece(0, WORD, STATE, ENTRY, None, WORD),)),
        Hidden("worker scratch space", (Piece(0, WORD, SCRATCH, ENTRY, None, WORD),)),
    )
    if prototype.result is None:
        return Assignment((), None, hidden, 0)
    value = Travelling.of(types, "", prototype.result)
    match value.type:
        case Scalar(kind) if kind.is_integer and value.size <= WORD:
            signed = types.is_signed(value.type)
        case BitInt() | Enum() if value.size <= WORD:
            signed = types.is_signed(value.type)
        case _:
            raise AbsentError(
                "a vertex function ends with a boolean exit status, an integer of at most 32 bits"
            )
    above = None if value.size == WORD else Extension.SIGN if signed else Extension.ZERO
    piece = Piece(0, value.size, Register("m0"), EXIT, above, WORD, EXIT if above else "")
    return Assignment((), value.passed(Passing.DIRECT, EXIT, piece), hidden, 0)
