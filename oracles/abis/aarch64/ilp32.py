"""ILP32 (beta) on AArch64: long and pointers have 4 bytes, and places of 8 hold addresses (AAPCS64 5.8, 6.8.2, 6.9, 10.1.2)."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from abiprobe.oracles.abis.aarch64.calls import calls as calls_of_lp64
from abiprobe.oracles.abis.aarch64.data import data_model as data_of_lp64
from abiprobe.oracles.abis.aarch64.general import DOUBLE_WORD
from abiprobe.oracles.engine.data_model import DataModel, Sized
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Prototype
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece

cite, implements = citing(__package__)
ILP32 = cite("type.ilp32")
POINTER = cite("pass.pointer")
RESULT_ADDRESS = cite("result.address")

WORD = 4
"""The bytes of a long and of a pointer."""


@implements("type.ilp32")
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family."""
    data = data_of_lp64(reading, "little")
    # [aapcs64:type.ilp32]
    word = Sized(WORD, WORD, ILP32)
    return replace(data, kinds={**data.kinds, Kind.LONG: word, Kind.ULONG: word}, pointer=word)


@implements("result.address")
def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, as under LP64 but for the addresses in them."""
    found = calls_of_lp64(types, prototype)
    params = tuple(by_pointer(passed) for passed in found.params)
    hidden = tuple(
        # [aapcs64:result.address]
        Hidden(one.role, tuple(narrowed(piece, Extension.ZERO, RESULT_ADDRESS) for piece in one.pieces))
        for one in found.hidden
    )
    return structs.replace(found, params=params, hidden=hidden)


@implements("pass.pointer")
def by_pointer(passed: Passed) -> Passed:
    """A parameter, of which a pointer to a copy is as any other pointer."""
    if passed.passing is not Passing.INDIRECT:
        return passed
    # [aapcs64:pass.pointer]
    pieces = tuple(narrowed(piece, Extension.ANY, POINTER) for piece in passed.pieces)
    return structs.replace(passed, pieces=pieces)


def narrowed(piece: Piece, above: Extension, clause: str) -> Piece:
    """An address of 4 bytes in a place of 8."""
    return structs.replace(piece, end=WORD, width=DOUBLE_WORD, extension=above, extension_clause=clause)
