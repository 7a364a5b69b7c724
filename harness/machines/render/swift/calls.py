"""Calls of C++ in Swift: callers alone, since Swift defines no functions of C++.

Classes and functions are in C++, which Swift's importer reads. What a caller loads and stores goes through functions of C++ that
take and return pointers, so that no other value crosses the border than those of the call. The function that is called is one of
the table's, which goes on where `abi_target` points to.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.languages.printer import NUMBER, TAG, Printer, caller_symbol, jump_symbol
from abiprobe.harness.machines.render.arrange import Arrangement
from abiprobe.harness.machines.render.cxx import type_and
from abiprobe.harness.machines.render.cxx_calls import (
    EVERY_ENTRY,
    NO_NAMES,
    counter,
    declared,
    dynamic_object,
    named_apart,
    special_members,
    stored,
)
from abiprobe.harness.machines.render.declaration import declaration as in_cxx
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.render.unsayable import UnsayableError
from abiprobe.oracles.abis.itanium.triviality import copy_constructor, destructor, moved
from abiprobe.oracles.language.classes import (
    Class,
    CxxType,
    DataMemberPointer,
    MemberFunctionPointer,
    Reference,
    parts,
)
from abiprobe.oracles.language.cxx_calls import CxxPrototype, referred
from abiprobe.oracles.language.lang import Complex, Kind, Prototype, Scalar, Vector

SPACE = f"abi_{NUMBER}{TAG}"
BY_ITS_NAME = '__attribute__((swift_attr("import_unsafe")))'
"""Keeps a member function with an address for its result from being imported under another name."""
MOST_ALIGNED = 16
"""Bytes."""
UNKNOWN = frozenset(
    {Kind.INT128, Kind.UINT128, Kind.FLOAT128, Kind.DECIMAL32, Kind.DECIMAL64, Kind.DECIMAL128}
)


class CallPrinter(Printer):
    """Prints calls of C++ in Swift."""

    jump = "jmp *abi_target(%rip)"

    @property
    def defines_all(self) -> bool:
        return False

    def defines(self, function: Prototype | CxxPrototype) -> bool:  # noqa: ARG002
        return False


def functions(asked: CxxPrototype, slots: Arrangement) -> str:
    """The caller of a function, and all that it needs in C++; raises `UnsayableError`."""
    require_sayable(asked)
    asked = named_apart(asked)
    lines = [
        marker(NUMBER),
        f"namespace {SPACE} {{",
        *declared(asked, f'__asm__("{jump_symbol(NUMBER, TAG)}") {BY_ITS_NAME}'),
        *(f"inline {text}" for text in special_members(asked, slots)),
        *helpers(asked, slots),
        "}",
        caller(asked, slots),
    ]
    return "\n".join(lines)


def declaration(asked: CxxPrototype) -> str:
    """A function for people: Swift reads it in C++; raises `UnsayableError` for what Swift cannot say."""
    require_sayable(asked)
    return in_cxx(asked)


def require_sayable(asked: CxxPrototype) -> None:
    """Raise `UnsayableError` for functions that Swift does not import."""
    if asked.variadic:
        raise UnsayableError("no unnamed arguments")
    for c_type in asked.types:
        if isinstance(c_type, Reference) and c_type.rvalue:
            raise UnsayableError("no rvalue references")
        require_imported(referred(c_type))
    values = [(one.type, one.type.specials.other) for one in asked.params if isinstance(one.type, Class)]
    values += [(asked.result, False)] if isinstance(asked.result, Class) else []
    if not all(copy_constructor(one).usable or made for one, made in values):
        raise UnsayableError("no values of a type that is moved and not copied")


def require_imported(c_type: CxxType) -> None:
    """Raise `UnsayableError` for types that Swift does not import."""
    match c_type:
        case DataMemberPointer() | MemberFunctionPointer():
            raise UnsayableError("no pointers to members")
        case Vector() | Complex():
            raise UnsayableError(f"no {type(c_type).__name__.lower()} types")
        case Scalar(kind) if kind in UNKNOWN:
            raise UnsayableError(f"no {kind.value}")
        case Class() if not (copy_constructor(c_type).usable or moved(c_type).usable):
            raise UnsayableError("no types that are neither copied nor moved")
        case Class() if any(map(is_over_aligned, parts(c_type))):
            raise UnsayableError(f"no types aligned to more than {MOST_ALIGNED} bytes")
        case Class() if not destructor(c_type).usable:
            raise UnsayableError("no types that cannot be destroyed")


def is_over_aligned(one: Class) -> bool:
    """Return whether a class or a member of it asks for more alignment than Swift has."""
    asked = (one.asked, *(max(item.align or 0, item.alignas or 0) for item in one.members))
    return max(asked) > MOST_ALIGNED


def helpers(asked: CxxPrototype, slots: Arrangement) -> Iterator[str]:
    """The functions by which a caller finds its arguments and keeps its result."""
    if slots.counted is not None:
        yield f"inline void begin() {{ *{counter(slots.counted)} = 0; }}"
    if asked.this is not None:
        tag, at = asked.this.tag, slots.params[0].offset
        lines = [f"{tag} *reached = ({tag} *)(abi_in + {at});"]
        if asked.virtual:
            lines = list(dynamic_object(tag, at, EVERY_ENTRY))
        yield f"inline {tag} *object() {{ {' '.join(lines)} return reached; }}"
    for index, (param, slot) in enumerate(zip(asked.params, own_slots(asked, slots), strict=True)):
        pointer = type_and(referred(param.type), "*", NO_NAMES)
        yield f"inline {type_and(referred(param.type), f'*at{index}()', NO_NAMES)} {{ return ({pointer})(abi_in + {slot.offset}); }}"
    match asked.result:
        case None:
            return
        case Reference(to):
            yield f"inline void keep({type_and(to, '*result', NO_NAMES)}) {{ memcpy(abi_out, (const void *)&result, sizeof result); }}"
        case other:
            assert slots.result is not None, "a result has a slot"
            yield f"inline void keep({type_and(other, '&result', NO_NAMES)}) {{ {stored(other, slots.result, 'result')} }}"


def own_slots(asked: CxxPrototype, slots: Arrangement) -> tuple[Slot, ...]:
    """The slots of the parameters, without that of the object."""
    return slots.params[asked.this is not None :]


def caller(asked: CxxPrototype, slots: Arrangement) -> str:
    """The function that makes the call, in Swift, as one line."""
    given = enumerate(zip(asked.params, own_slots(asked, slots), strict=True))
    arguments = ", ".join(argument(param.type, index, slot.offset) for index, (param, slot) in given)
    owner = SPACE if asked.this is None else f"{SPACE}.object()!.pointee"
    call = f"{owner}.`{asked.name}`({arguments})"
    if isinstance(asked.result, Reference):
        call = f"{SPACE}.keep({call})"
    elif asked.result is not None:
        call = f"var result = {call}; {SPACE}.keep(&result)"
    begin = "" if slots.counted is None else f"{SPACE}.begin(); "
    return f'@_cdecl("{caller_symbol(NUMBER, TAG)}") public func call_{NUMBER}() {{ {begin}{call} }}'


def argument(c_type: CxxType, index: int, at: int) -> str:
    """An argument, or what a reference is bound to."""
    found = f"{SPACE}.at{index}()!.pointee"
    if isinstance(c_type, Reference):
        return f"&{found}"
    if isinstance(c_type, Class) and not copy_constructor(c_type).usable:
        return f"{SPACE}.{c_type.tag}({at}, 0)"
    return found
