"""Signatures of two languages made comparable: only what says how a value is passed is left of them.

Compilers spell the same passing in several ways, of which LLVM's code generators know no difference:

* a struct as an argument is its members one after the other (`{ i64, double }` is `i64, double`); an array is not, since
  some targets pass one in consecutive registers or not at all;
* the members of a result each have a register, so an array or struct of them is a list;
* an integer of a width that no register has is widened to the next one that is a power of two, and nothing says what the
  bits above it are;
* a pointer of the default address space is an integer of its width, where the address registers are no others.

Optimization attributes promise what a language guarantees and another does not, so they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from abiprobe.harness.lowerings.ir_sizes import Sizes, split
from abiprobe.harness.lowerings.signature import Attribute, IrSignature, Slot

REGISTER = 64
"""Integers above this many bits are not widened: they take several registers."""
ADDRESS_REGISTERS = re.compile(r"^E-m:e-p:32:(?:16|8)")
"""The data layout of m68k, which returns pointers elsewhere than integers."""


def comparable(found: IrSignature, layout: str) -> IrSignature:
    """A signature in the one spelling of those that pass everything alike; `layout` is the data layout of its module."""
    hidden = [slot for slot in found.arguments if slot.has("sret")]
    result = Slot(listed(found.result.type, layout), attributes_of(found.result))
    arguments = tuple(
        each
        for slot in found.arguments
        for each in ([plain(slot, layout)] if slot in hidden else members(slot, layout))
    )
    return msgspec.structs.replace(found, result=result, arguments=arguments)


def attributes_of(slot: Slot) -> tuple[Attribute, ...]:
    """The attributes that say how a value is passed."""
    return tuple(sorted(slot.abi))


def plain(slot: Slot, layout: str) -> Slot:
    """A slot of one value."""
    return Slot(scalar(slot.type, layout), attributes_of(slot))


def members(slot: Slot, layout: str) -> Iterator[Slot]:
    """The values that an argument is passed as; one without bytes is none."""
    if slot.type.startswith("{") and not slot.abi:
        for member in split(slot.type[1:-1]):
            yield from members(Slot(member), layout)
    elif not (slot.type.startswith("[0 x ") and not slot.abi):
        yield plain(slot, layout)


def listed(c_type: str, layout: str) -> str:
    """The type of a result, in which arrays and structs are lists of their members; of one member that alone."""
    found = list(leaves(c_type, layout))
    if not found:
        return "void"
    return found[0] if len(found) == 1 else f"{{ {', '.join(found)} }}"


def leaves(c_type: str, layout: str) -> Iterator[str]:
    """The values in a type, in order."""
    if c_type.startswith("{"):
        for member in split(c_type[1:-1]):
            yield from leaves(member, layout)
    elif c_type.startswith("["):
        count, _, element = c_type[1:-1].partition(" x ")
        for _ in range(int(count)):
            yield from leaves(element, layout)
    elif c_type != "void":
        yield scalar(c_type, layout)


def scalar(c_type: str, layout: str) -> str:
    """A value that is no struct: integers widened, pointers as integers."""
    if c_type == "ptr" and not ADDRESS_REGISTERS.match(layout):
        extent = Sizes(layout).extent("ptr")
        return c_type if extent is None else f"i{extent[0] * 8}"
    found = re.fullmatch(r"i(\d+)", c_type)
    if found is None or not 8 < int(found[1]) < REGISTER:
        return c_type
    return f"i{1 << (int(found[1]) - 1).bit_length()}"
