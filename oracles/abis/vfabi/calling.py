"""One call of a variant being put together: scalars and vectors take the next free places (2.3, over psABI 3.2.3)."""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.abis.vfabi import dialect as dialects
from abiprobe.oracles.abis.vfabi.dialect import Dialect, Isa
from abiprobe.oracles.abis.vfabi.length import is_element, register_bytes
from abiprobe.oracles.abis.vfabi.variant import LaneGroup, Once
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Param, Prototype, Type, spelling
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    Passed,
    Passing,
    Piece,
    Place,
    Register,
    StackSlot,
    Unspecified,
    Unsupported,
)

cite, implements = citing(__package__)
VECTOR = cite("map.vector")
SPLIT = cite("map.split")
SMALL = cite("map.small")
ELEMENT = cite("map.element")
GCC_SMALL = cite("gcc.small")
GCC_NARROW = cite("gcc.narrow")

INTEGER_ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
VECTOR_NAMES = {32: "ymm", 64: "zmm"}
FIRST_STACK_ARGUMENT = 8
NARROWEST = 16


@dataclass(frozen=True)
class Slice:
    """One argument of the vector function: lanes `[first, last)` of a value, `size` bytes."""

    first: int
    last: int
    size: int
    clause: str
    file: str = ""


class Caller:
    """One call of a variant being put together."""

    def __init__(
        self, dialect: Dialect, policy: dialects.VectorPolicy, scalar: AbiModel, isa: Isa, lanes: int
    ) -> None:
        self.dialect = dialect
        self.policy = policy
        self.scalar = scalar
        self.isa = isa
        self.lanes = lanes
        vectors = tuple(str(number) for number in range(policy.registers))
        self.cursor = Cursor(
            FIRST_STACK_ARGUMENT, integer=INTEGER_ARGUMENTS, vector=vectors, k=("k1", "k2", "k3", "k4")
        )

    @implements(
        "map.vector", "map.split", "map.small", "map.element", "gcc.small", "gcc.narrow", "order.parts"
    )
    def slices(self, c_type: Type) -> tuple[Slice, ...]:
        """The vectors that the elements of all lanes take."""
        size = self.scalar.types.extent(c_type).size
        if not is_element(self.scalar.types, c_type):
            raise SilentError(ELEMENT, f"vectors of {spelling(c_type)}")
        width = register_bytes(self.dialect, self.isa, c_type)[0]
        each = min(self.lanes, width // size)
        if each * size < NARROWEST and not self.policy.small and self.dialect.name == "document":
            raise SilentError(SMALL, f"a vector of {each * size} bytes")
        clause = SPLIT if each < self.lanes else VECTOR if each * size == width else GCC_NARROW
        if each * size < NARROWEST:
            clause = GCC_SMALL
        # [vfabi:order.parts]
        return tuple(Slice(first, first + each, each * size, clause) for first in range(0, self.lanes, each))

    def place(self, one: Slice) -> LaneGroup:
        """The next free place for a slice."""
        return LaneGroup(one.first, one.last, self._place(one), one.size, one.clause)

    @implements("call.convention")
    def _place(self, one: Slice) -> Place:
        file = one.file or ("integer" if one.size in self.policy.small else "vector")
        if self.cursor.left(file):
            register = self.cursor.take(file)
            return Register(vector_name(one.size) + register.name) if file == "vector" else register
        size = max(8, one.size)
        return self.cursor.push(size, min(size, self.policy.largest_alignment))

    @implements("call.scalar")
    def once(self, param: Param) -> Once:
        """A scalar where the psABI puts it, given the registers that are left."""
        alone = self.scalar.assign(Prototype("f", None, (param,)))
        if isinstance(alone, Unspecified):
            raise SilentError(alone.clause, alone.why)
        if isinstance(alone, Unsupported):
            raise AbsentError(alone.why)
        passed = alone.params[0]
        if passed.passing is Passing.IGNORED:
            return Once(passed)
        files = [self._file(piece.place) for piece in passed.pieces]
        if "stack" in files or any(files.count(file) > self.cursor.left(file) for file in files):
            return Once(self._on_stack(passed))
        pieces = tuple(self._moved(piece, file) for piece, file in zip(passed.pieces, files, strict=True))
        return Once(_replaced(passed, pieces))

    def _file(self, place: Place) -> str:
        if isinstance(place, StackSlot):
            return "stack"
        if place.name.startswith("xmm"):
            return "vector" if self.policy.reals_in_vectors else "integer"
        return "integer"

    def _moved(self, piece: Piece, file: str) -> Piece:
        register = self.cursor.take(file)
        name = f"xmm{register.name}" if file == "vector" else register.name
        return _at(piece, Register(name), min(piece.width, 8) if file == "integer" else piece.width)

    def _on_stack(self, passed: Passed) -> Passed:
        place = self.cursor.push(round_up(passed.size, 8), max(8, passed.align))
        first = passed.pieces[0]
        width = round_up(passed.size, 8)
        extension = None if passed.size == width else first.extension
        return _replaced(
            passed, (Piece(0, passed.size, place, first.clause, extension, width, first.extension_clause),)
        )


def vector_name(size: int) -> str:
    """The name of the registers that hold so many bytes."""
    return VECTOR_NAMES.get(size, "xmm")


def _at(piece: Piece, place: Place, width: int) -> Piece:
    return Piece(piece.start, piece.end, place, piece.clause, piece.extension, width, piece.extension_clause)


def _replaced(passed: Passed, pieces: tuple[Piece, ...]) -> Passed:
    return Passed(
        passed.name,
        passed.type,
        passed.passing,
        pieces,
        passed.clause,
        passed.size,
        passed.align,
        passed.mask,
    )
