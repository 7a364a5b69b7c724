"""Arguments in general registers: the attributes regparm, fastcall, thiscall and stdcall (GCC manual, x86 Function Attributes)."""

from __future__ import annotations

from abiprobe.oracles.abis.x86.i386.general import NONE, WORD, Use, clang_use, gcc_use
from abiprobe.oracles.engine.attributes import GNU
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import POPPING, Convention, Enum, Pointer, Prototype, Scalar, spelling

REGPARM = GNU.cite("regparm")
FASTCALL = GNU.cite("fastcall")
THISCALL = GNU.cite("thiscall")
OPEN = GNU.cite("register-arguments")
REGISTERS = ("eax", "edx", "ecx")
FASTCALL_REGISTERS = ("ecx", "edx")
THISCALL_REGISTERS = ("ecx",)


@GNU.implements("regparm", "fastcall", "thiscall")
def argument_registers(types: TypeTable, prototype: Prototype) -> tuple[str, ...]:
    """The general registers that take arguments, in order."""
    if prototype.variadic:
        return ()
    # [gnu:fastcall]
    if prototype.convention is Convention.FASTCALL:
        return FASTCALL_REGISTERS
    # [gnu:thiscall]
    if prototype.convention is Convention.THISCALL:
        return THISCALL_REGISTERS
    # [gnu:regparm]
    asked = types.options.regparm if prototype.regparm is None else prototype.regparm
    return REGISTERS[:asked]


@GNU.implements("stdcall", "fastcall", "thiscall")
def callee_pops(prototype: Prototype) -> bool:
    """Return whether the called function pops its arguments."""
    # [gnu:stdcall] [gnu:fastcall] [gnu:thiscall]
    return prototype.convention in POPPING and not prototype.variadic


def is_word(value: Travelling) -> bool:
    """Return whether a value is an integer, enumeration or pointer of one register."""
    match value.type:
        case Scalar(kind):
            return kind.is_integer and value.size <= WORD
        case Enum() | Pointer():
            return value.size <= WORD
        case _:
            return False


@GNU.implements("register-arguments")
def use(types: TypeTable, value: Travelling, *, fastcall: bool) -> Use:
    """The registers that a value uses up.

    The manual speaks of integers of one register, of others the families' ways are readings.
    """
    if is_word(value):
        return Use(1, there=True)
    if not value.size:
        return NONE
    match types.reading:
        case None:
            raise SilentError(OPEN, f"{spelling(value.declared)} is no integer of one register")
        case Reading.GCC:
            return gcc_use(types, value, fastcall=fastcall)
        case Reading.CLANG:
            return clang_use(types, value, fastcall=fastcall)
