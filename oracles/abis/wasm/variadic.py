"""The buffer of unnamed arguments (Function arguments and return values, last paragraph)."""

from __future__ import annotations

from abiprobe.oracles.abis.wasm.data import QUAD
from abiprobe.oracles.abis.wasm.places import ADDRESS, VALUES, WasmSignature, value_types
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import WIDEST, TypeTable
from abiprobe.oracles.language.lang import BitInt, Kind, Scalar, Type, spelling
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import ARGUMENT_BUFFER, Hidden, Passed, Passing, Piece, StackSlot

cite, implements = citing(__package__)
BUFFER = cite("variadic.buffer")
PLACE = cite("variadic.place")
RECORD = cite("variadic.record")
NARROW = cite("variadic.narrow")
INT128 = (Scalar(Kind.INT128), Scalar(Kind.UINT128))
UNALIGNED = 8
"""The alignment in bytes that LLVM gave integers of 128 bits."""


class Buffer:
    """The buffer so far: bytes used, and the largest alignment of what is in it."""

    def __init__(self) -> None:
        self.used = 0
        self.align = 1

    @property
    def clause(self) -> str:
        """The clause by which the buffer is aligned, if something in it asks for that."""
        return PLACE if self.align > 1 else ""

    @implements("variadic.place", "variadic.record", "variadic.narrow")
    def place(self, types: TypeTable, value: Travelling, scalar: Type | None) -> Passed:
        """The next argument, which travels as a scalar or, as `None` says, would be passed by a pointer."""
        # [wasm:variadic.record]
        if scalar is None and types.reading is None:
            raise SilentError(RECORD, f"{spelling(value.declared)} among unnamed arguments")
        if scalar is None:
            # Clang has its address there.
            piece = Piece(0, ADDRESS, self._take(ADDRESS, ADDRESS), RECORD, None, ADDRESS)
            return value.passed(Passing.INDIRECT, RECORD, piece)
        # [wasm:variadic.narrow]
        if value.size < VALUES[value_types(types, scalar)[0]]:
            raise SilentError(NARROW, f"{spelling(value.declared)} among unnamed arguments")
        # [wasm:variadic.place]
        slot = self._take(value.size, alignment(types, value, scalar))
        return value.passed(Passing.DIRECT, PLACE, Piece(0, value.size, slot, PLACE, None, value.size))

    def _take(self, size: int, align: int) -> StackSlot:
        """The next bytes."""
        at = round_up(self.used, align)
        self.used, self.align = at + size, max(self.align, align)
        return StackSlot(at)

    def pass_over(self, value: Travelling) -> None:
        """Pass over what is in none of a buffer's words, where a compiler takes it to be there."""
        self.used = round_up(self.used, max(value.align, ADDRESS)) + round_up(value.size, ADDRESS)

    @implements("variadic.buffer")
    def pointer(self, signature: WasmSignature) -> tuple[Hidden, ...]:
        """The last parameter, which points to the buffer; where nothing is in it, it may point anywhere."""
        place = signature.take("i32")
        # [wasm:variadic.buffer]
        piece = Piece(0, ADDRESS, place, BUFFER, None, ADDRESS)
        return (Hidden(ARGUMENT_BUFFER, (piece,)),)


def alignment(types: TypeTable, value: Travelling, scalar: Type) -> int:
    """The alignment of an argument: that of its type, but for what compilers make of integers of 128 bits."""
    policies = types.policies
    wide = isinstance(scalar, BitInt) and scalar.width > WIDEST
    if wide and policies.unnamed_bit_int_align:
        return policies.unnamed_bit_int_align
    if not (wide or scalar in INT128):
        return value.align
    # LLVM has either as an integer of as many bits, and knows nothing of the alignment that clang gives a type.
    if Argument.UNNAMED in policies.unaligned_int128:
        return min(value.align, UNALIGNED)
    return max(value.align, QUAD) if policies.bit_int_chunk else value.align
