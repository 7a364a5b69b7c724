"""Arguments in general registers: the attributes regparm, fastcall and stdcall (GCC manual, x86 Function Attributes)."""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import GNU
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import (
    Array,
    Complex,
    Convention,
    Enum,
    Kind,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
    strip,
)

REGPARM = GNU.cite("regparm")
FASTCALL = GNU.cite("fastcall")
OPEN = GNU.cite("register-arguments")
WORD = 4
REGISTERS = ("eax", "edx", "ecx")
FASTCALL_REGISTERS = ("ecx", "edx")


@GNU.implements("regparm", "fastcall")
def argument_registers(types: TypeTable, prototype: Prototype) -> tuple[str, ...]:
    """The general registers that take arguments, in order."""
    if prototype.variadic:
        return ()
    if prototype.convention is Convention.FASTCALL:
        return FASTCALL_REGISTERS
    asked = types.options.regparm if prototype.regparm is None else prototype.regparm
    return REGISTERS[:asked]


@GNU.implements("stdcall", "fastcall")
def callee_pops(prototype: Prototype) -> bool:
    """Whether the called function takes its arguments off the stack."""
    return prototype.convention in {Convention.STDCALL, Convention.FASTCALL} and not prototype.variadic


def is_word(value: Travelling) -> bool:
    """Whether a value is an integer, enumeration or pointer of one register."""
    match value.type:
        case Scalar(kind):
            return kind.is_integer and value.size <= WORD
        case Enum() | Pointer():
            return value.size <= WORD
        case _:
            return False


@GNU.implements("register-arguments")
def words_taken(types: TypeTable, value: Travelling, *, fastcall: bool) -> tuple[int, bool]:
    """How many registers a value uses up, and whether it is in them if there are enough.

    The manual speaks of integers of one register; the families' ways with all others are readings.
    """
    if is_word(value):
        return 1, True
    if not value.size:
        return 0, False
    if types.reading is None:
        raise SilentError(OPEN, f"{spelling(value.declared)} is no integer of one register")
    if uses_none(value.type, types.reading, fastcall=fastcall):
        return 0, False
    return -(-value.size // WORD), not fastcall and goes_there(value.type, types.reading)


def uses_none(c_type: Type, reading: Reading, *, fastcall: bool) -> bool:
    """Whether an argument leaves the registers to others; the families differ on what is neither short nor real."""
    match only_scalar(c_type):
        case Vector() | Scalar(Kind.FLOAT | Kind.DOUBLE):
            return True
        case Scalar(kind) if kind.is_floating:
            return reading is Reading.GCC
        case Complex():
            return reading is Reading.GCC and not isinstance(c_type, Record)
        case Scalar() if reading is Reading.CLANG and fastcall:
            return not isinstance(c_type, Record)
        case _:
            return False


def goes_there(c_type: Type, reading: Reading) -> bool:
    """Whether an argument that uses registers up is in them."""
    return not (reading is Reading.CLANG and isinstance(c_type, Scalar) and c_type.kind.is_floating)


def only_scalar(c_type: Type) -> Type:
    """The one member of a record, or of the record in it, and the one element of an array; else the type itself."""
    while True:
        match strip(c_type):
            case Record(members=(member,)) if member.width is None:
                c_type = member.type
            case Array(element=element, length=1):
                c_type = element
            case other:
                return other
