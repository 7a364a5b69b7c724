"""The Standard Vector Calling Convention Variant: scalable vectors and masks in vector registers."""

from __future__ import annotations

from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.language.lang import Scalable, ScalableMask
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
MASK = cite("vector.mask")
DATA = cite("vector.data")
TUPLE = cite("vector.tuple")
REFERENCE = cite("vector.reference")
GROUP = cite("vector.group")
VARIADIC = cite("vector.variadic")
FIRST, END = 8, 24
"""The vector registers `v8` to `v23` take data, and masks behind the first."""


class VectorRegisters:
    """The vector argument registers of one call that are still free."""

    def __init__(self) -> None:
        self._free = {0, *range(FIRST, END)}

    def mask(self) -> int | None:
        """v0, for the first mask."""
        return self._take(0, 1)

    @implements("vector.group")
    def group(self, align: int, count: int) -> int | None:
        """The first of `count` free registers that starts at a multiple of `align`: the search begins at v8 each time."""
        starts = (start for start in range(FIRST, END - count + 1) if start % align == 0)
        return next((start for start in starts if self._take(start, count) is not None), None)

    def _take(self, start: int, count: int) -> int | None:
        wanted = set(range(start, start + count))
        if not wanted <= self._free:
            return None
        self._free -= wanted
        return start


def in_vector_registers(
    registers: VectorRegisters, value: Travelling, c_type: Scalable | ScalableMask, bytes_each: int
) -> Passed | None:
    """A named vector in registers of `bytes_each` bytes, or `None` when no group of its kind is free."""
    if isinstance(c_type, ScalableMask):
        return first_mask(registers, value, bytes_each) or pass_group(
            registers, value, MASK, 1, 1, bytes_each
        )
    lmul = max(1, c_type.eighths // 8)
    clause = TUPLE if c_type.fields > 1 else DATA
    return pass_group(registers, value, clause, lmul, lmul * c_type.fields, bytes_each)


@implements("vector.mask")
def first_mask(registers: VectorRegisters, value: Travelling, bytes_each: int) -> Passed | None:
    """The first mask is in v0."""
    if registers.mask() is None:
        return None
    return value.passed(Passing.DIRECT, MASK, *pieces(value, 0, MASK, bytes_each))


@implements("vector.data", "vector.tuple")
def pass_group(
    registers: VectorRegisters, value: Travelling, clause: str, align: int, count: int, bytes_each: int
) -> Passed | None:
    """A value in `count` registers, the first a multiple of its LMUL."""
    # [riscv:vector.data]
    start = registers.group(align, count)
    if start is None:
        return None
    # [riscv:vector.tuple]
    found = pieces(value, start, clause, bytes_each, fields=count // align, apart=align)
    return value.passed(Passing.DIRECT, clause, *found)


def pieces(
    value: Travelling, start: int, clause: str, bytes_each: int, *, fields: int = 1, apart: int = 1
) -> tuple[Piece, ...]:
    """The value in registers from `v{start}` on, its fields `apart`; what a last one has more is not said to be anything."""
    found = []
    size = value.size // fields
    for field in range(fields):
        for index, at in enumerate(range(0, size, bytes_each)):
            end = min(at + bytes_each, size)
            above = Extension.ANY if end - at < bytes_each else None
            place = Register(f"v{start + field * apart + index}")
            first = field * size
            found.append(Piece(first + at, first + end, place, clause, above, bytes_each, GROUP))
    return tuple(found)
