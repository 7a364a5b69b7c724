"""A whole call (3.2.3): every argument has its doublewords in a list, and may be in registers of another kind instead."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD, Doublewords, ListClauses
from abiprobe.oracles.abis.powerpc.elfv1.aggregates import is_taken_from_left, pass_nothing, pass_record
from abiprobe.oracles.abis.powerpc.elfv1.data import OTHER_VECTOR
from abiprobe.oracles.abis.powerpc.elfv1.results import assign_result
from abiprobe.oracles.abis.powerpc.elfv1.scalars import pass_scalar
from abiprobe.oracles.abis.powerpc.elfv1.wrapped import unwrapped
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Record, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Passed, Passing

cite, implements = citing(__package__)
HEADER = 48
"""Bytes from the stack pointer at the call to the parameter save area."""
LIST = ListClauses(
    register=cite("pass.general"),
    memory=cite("pass.memory"),
)


@implements("pass.list", "pass.area", "result.buffer")
def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    # [elfv1:pass.list]
    arguments = Doublewords(HEADER, LIST)
    result, hidden = assign_result(types, prototype.result)
    if hidden:
        # [elfv1:result.buffer]
        arguments.skip(DOUBLEWORD)
    named = len(prototype.params)
    params = []
    for number, argument in enumerate(prototype.arguments):
        value = Travelling.of(types, argument.name, argument.type)
        params.append(pass_argument(types, arguments, value, named=number < named))
    # [elfv1:pass.area]
    return Assignment(tuple(params), result, hidden, arguments.area)


def is_by_reference(types: TypeTable, value: Travelling) -> bool:
    """Return whether a compiler passes a vector by its address: one of more than a quadword."""
    return isinstance(value.type, Vector) and value.size > QUADWORD and types.reading is not None


def pass_argument(types: TypeTable, arguments: Doublewords, value: Travelling, *, named: bool) -> Passed:
    """One argument by its type, or by that of the one value in it; in the list, where it is unnamed."""
    if is_by_reference(types, value) and not named and types.policies.va_arg_of_wide_vectors:
        pieces = arguments.place_bytes(0, value.size, OTHER_VECTOR)
        return value.passed(Passing.DIRECT, OTHER_VECTOR, *pieces)
    if is_by_reference(types, value):
        address = arguments.place_bytes(0, DOUBLEWORD, OTHER_VECTOR)
        return value.passed(Passing.INDIRECT, OTHER_VECTOR, *address)
    if not value.size:
        return pass_nothing(types, arguments, value)
    like, because = value.type, ""
    if isinstance(value.type, Record):
        like, because = unwrapped(types, value.type)
    if isinstance(like, Record) or (isinstance(value.type, Record) and is_taken_from_left(types, value)):
        return pass_record(types, arguments, value, because)
    clause, pieces = pass_scalar(types, arguments, like, named=named, because=because)
    return value.passed(Passing.DIRECT, clause, *pieces)
