"""The places of a call (5 Parameter passing, 6 Return values).

Source of what clang does where the text is silent: lib/CodeGen/Targets/Hexagon.cpp, and HexagonCallingConv.td of LLVM.
"""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.hexagon.data import DOUBLEWORD, OTHER, WORD
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import is_empty
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Complex, Prototype, Record, Type, Vector, spelling, strip
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    RESULT_POINTER,
    Assignment,
    Extension,
    Hidden,
    Passed,
    Passing,
    Piece,
    Register,
)

cite, implements = citing(__package__)
IN_REGISTER = cite("pass.register")
IN_PAIR = cite("pass.pair")
SKIPPED = cite("pass.skipped")
STACK = cite("pass.stack")
LARGE = cite("pass.large")
UNNAMED = cite("pass.unnamed")
OVER_ALIGNED = cite("stack.over-aligned")
NARROW = cite("pass.narrow")
NARROW_STACK = cite("pass.narrow-stack")
NOTHING = cite("pass.nothing")
RESULT_REGISTER = cite("result.register")
RESULT_PAIR = cite("result.pair")
MEMORY = cite("result.memory")

REGISTERS = tuple(f"r{number}" for number in range(6))


class Arguments:
    """The registers and the stack that are left; `whole_words` counts a word for each number that is narrower.

    Where the text is asked, `stack` counts its bytes alone, and an answer is given as long as both come to the same. `counted` are
    the registers that are left as clang counts them.
    """

    def __init__(self, types: TypeTable) -> None:
        self.types = types
        self.left = Cursor(core=REGISTERS)
        self.counted = Cursor(core=REGISTERS)
        self.whole_words = Cursor()
        self.stack = Cursor() if types.reading is None else self.whole_words

    def is_counted(self, value: Travelling) -> bool:
        """Return whether clang counts a register for a value, and count it."""
        if value.size > DOUBLEWORD:
            return False
        return not isinstance(take(self.counted, registers_for(value)), str)

    @implements("stack.over-aligned", "pass.narrow-stack")
    def push(self, value: Travelling, clause: str, *, counted: bool) -> Piece:
        """The next place on the stack to which a value is aligned."""
        by_text = self.types.reading is None
        # [hexagon:stack.over-aligned]
        if by_text and value.align > DOUBLEWORD:
            raise SilentError(OVER_ALIGNED, f"{spelling(value.declared)} is aligned to {value.align}")
        unit, align = self.unit_and_alignment(value, counted=counted)
        size = round_up(value.size, unit)
        place = self.whole_words.push(size, align)
        # [hexagon:pass.narrow-stack]
        if by_text and self.stack.push(value.size, value.align) != place:
            raise SilentError(NARROW_STACK, f"{spelling(value.declared)} is behind a narrower number")
        above = Extension.ANY if size > value.size else None
        return Piece(0, value.size, place, clause, above, size, NARROW if above else "")

    def unit_and_alignment(self, value: Travelling, *, counted: bool) -> tuple[int, int]:
        """The bytes that a value takes a multiple of, and those to which it is aligned."""
        policies = self.types.policies
        if value.is_unnamed and policies.va_arg_in_words:
            return WORD, value.align if value.align > WORD else 1
        if not is_aggregate(value):
            return WORD, max(WORD, value.align)
        small = value.size <= DOUBLEWORD
        if policies.small_records_as_integers and small and (counted or value.size == value.align):
            unit = registers_for(value) * WORD
            return unit, unit
        return DOUBLEWORD if small and policies.records_of_two_words else 1, value.align


def registers_for(value: Travelling) -> int:
    """The registers that a value of up to two words takes."""
    return 1 if value.size <= WORD else 2


def is_aggregate(value: Travelling) -> bool:
    """Return whether a value is a record, or a complex number, which by C is laid out as an array of its parts."""
    return isinstance(value.type, Record) or isinstance(strip(value.declared), Complex)


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call."""
    arguments = Arguments(types)
    result, hidden = assign_result(types, arguments, prototype.result)
    params = tuple(
        pass_argument(types, arguments, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    return Assignment(params, result, hidden, arguments.whole_words.used)


@implements("pass.register", "pass.pair", "pass.unnamed")
def pass_argument(types: TypeTable, arguments: Arguments, value: Travelling) -> Passed:
    """An argument: in one or two registers by its size, or on the stack."""
    if is_nothing(types, value):
        return value.passed(Passing.IGNORED, NOTHING)
    counted = arguments.is_counted(value)
    # [hexagon:pass.unnamed]
    places = UNNAMED if value.is_unnamed else places_for(arguments, value, counted=counted)
    if isinstance(places, str):
        return value.passed(Passing.DIRECT, places, arguments.push(value, places, counted=counted))
    # [hexagon:pass.register] [hexagon:pass.pair]
    clause = IN_REGISTER if len(places) == 1 else IN_PAIR
    return value.passed(Passing.DIRECT, clause, *in_registers(value, places, clause))


@implements("pass.large")
def places_for(arguments: Arguments, value: Travelling, *, counted: bool) -> tuple[Register, ...] | str:
    """The registers for a named argument; the clause by which it is on the stack."""
    if value.size > DOUBLEWORD:
        return LARGE
    in_memory = is_aggregate(value) and not counted and value.size != value.align
    if in_memory and arguments.types.policies.last_register_after_records:
        return SKIPPED if arguments.left.left("core") else STACK
    return take(arguments.left, registers_for(value))


@implements("pass.pair", "pass.skipped", "pass.stack")
def take(left: Cursor, count: int) -> tuple[Register, ...] | str:
    """The next register or pair; the clause by which there is none."""
    # [hexagon:pass.stack]
    if not left.left("core"):
        return STACK
    # [hexagon:pass.pair]
    if left.left("core") % count:
        left.take("core")
    # [hexagon:pass.skipped]
    return tuple(left.take("core") for _ in range(count)) if left.left("core") else SKIPPED


@implements("pass.narrow")
def in_registers(value: Travelling, places: tuple[Register, ...], clause: str) -> tuple[Piece, ...]:
    """A value in one register or two, from the least significant byte on."""
    ends = [min(value.size, WORD * (number + 1)) for number in range(len(places))]
    # [hexagon:pass.narrow]
    return tuple(
        Piece(
            WORD * number,
            end,
            place,
            clause,
            above := Extension.ANY if end % WORD else None,
            WORD,
            NARROW if above else "",
        )
        for number, (place, end) in enumerate(zip(places, ends, strict=True))
    )


@implements("pass.nothing", "type.other")
def is_nothing(types: TypeTable, value: Travelling) -> bool:
    """Return whether clang ignores a value; raises `SilentError` for what the text does not have, and for bare vectors."""
    # [hexagon:type.other]
    if isinstance(value.type, Vector):
        raise SilentError(OTHER, spelling(value.declared))
    # [hexagon:pass.nothing]
    if types.reading is None and not types.carries(value.declared):
        raise SilentError(NOTHING, f"{spelling(value.declared)} has no named member")
    return types.reading is not None and is_empty(value.type)


@implements("result.register", "result.pair", "result.memory")
def assign_result(
    types: TypeTable, arguments: Arguments, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the first argument with the address of memory for it."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    if is_nothing(types, value):
        return value.passed(Passing.IGNORED, NOTHING), ()
    # [hexagon:result.memory]
    if value.size > DOUBLEWORD:
        address = Piece(0, WORD, arguments.left.take("core"), MEMORY, None, WORD)
        passed = value.passed(Passing.INDIRECT, MEMORY)
        aligned = structs.replace(passed, memory_align=min(value.align, DOUBLEWORD), memory_clause=MEMORY)
        return aligned, (Hidden(RESULT_POINTER, (address,)),)
    # [hexagon:result.register] [hexagon:result.pair]
    clause = RESULT_REGISTER if value.size <= WORD else RESULT_PAIR
    places = tuple(map(Register, REGISTERS[: -(-value.size // WORD)]))
    return value.passed(Passing.DIRECT, clause, *in_registers(value, places, clause)), ()
