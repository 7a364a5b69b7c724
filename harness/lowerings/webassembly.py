"""Signatures of WebAssembly: what LLVM writes in several ways, and passes as the same parameters and results.

The basic C ABI passes the address of a copy for what has more than one scalar member, and has one result at most (tool
conventions, Basic C ABI, "Function signatures"). So there LLVM's `byval` is the address that another compiler writes, and
what needs more than one result is returned in memory, whose address is the first parameter.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.harness.lowerings.ir_sizes import split
from abiprobe.harness.lowerings.signature import Attribute, IrSignature, Slot

REFERENCES = "-p10:8:8-p20:8:8-"
"""The address spaces of references to the host and to functions, which only the data layout of WebAssembly has."""
HALVES = {"i128": ("i64", "i64"), "fp128": ("i64", "i64")}
"""Types that are not there, and go as two values."""
COPY = Attribute("byval")
ADDRESS = Slot("ptr", (Attribute("sret"),))


def is_webassembly(layout: str) -> bool:
    """Return whether the data layout of a module is that of WebAssembly."""
    return REFERENCES in layout


def as_passed(found: IrSignature) -> IrSignature:
    """A signature of C in the one spelling of those with the same parameters and results."""
    arguments = tuple(each for slot in found.arguments for each in parameters(slot))
    if found.result.type == "void" or len(tuple(values(found.result.type))) < 2:
        return msgspec.structs.replace(found, arguments=arguments)
    return msgspec.structs.replace(found, result=Slot("void"), arguments=(ADDRESS, *arguments))


def parameters(slot: Slot) -> Iterator[Slot]:
    """The parameters for one argument: of a copy its address, with the alignment of the copy.

    An address has an alignment where a compiler passes a copy, and a pointer of C has none.
    """
    aligned = tuple(one for one in slot.attributes if one.name == "align")
    if slot.type == "ptr" and not slot.has("sret") and aligned:
        yield Slot("ptr", (*aligned, COPY))
        return
    found = tuple(values(slot.type))
    yield from (slot,) if len(found) == 1 else (Slot(one) for one in found)


def values(c_type: str) -> Iterator[str]:
    """The values that a type is passed as."""
    if c_type.startswith("{"):
        for member in split(c_type[1:-1]):
            yield from values(member)
    elif c_type.startswith("["):
        count, _, element = c_type[1:-1].partition(" x ")
        for _ in range(int(count)):
            yield from values(element)
    else:
        yield from HALVES.get(c_type, (c_type,))
