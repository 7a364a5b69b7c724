"""The places of a whole call (Subroutine Calling Sequence)."""

from __future__ import annotations

from abiprobe.oracles.abis.loongarch.floating import pass_in_floating
from abiprobe.oracles.abis.loongarch.general import pass_in_general
from abiprobe.oracles.abis.loongarch.variant import Variant
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Hidden, Passed, Passing, Piece

cite, implements = citing(__package__)
RESULT_MEMORY = cite("result.memory")
GENERAL = tuple(f"a{number}" for number in range(8))


@implements("pass.sequence", "variadic.general")
def calls(variant: Variant, types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call of a variant, of named and unnamed arguments alike."""
    # [lapcs:pass.sequence]
    cursor = Cursor(general=GENERAL, floating=variant.floating)
    result, hidden = assign_result(variant, types, cursor, prototype.result)
    named = len(prototype.params)
    params = tuple(
        # [lapcs:variadic.general]
        pass_argument(
            variant,
            types,
            cursor,
            Travelling.of(types, argument.name, argument.type),
            varying=number >= named,
        )
        for number, argument in enumerate(prototype.arguments)
    )
    return Assignment(params, result, hidden, cursor.used)


def pass_argument(
    variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling, *, varying: bool
) -> Passed:
    """An argument: in floating-point registers if it is named and they take it."""
    answer = None if varying else pass_in_floating(variant, types, cursor, value)
    return answer or pass_in_general(variant, types, cursor, value, varying=varying)


@implements("result.registers", "result.memory")
def assign_result(
    variant: Variant, types: TypeTable, cursor: Cursor, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result travels as a first named argument would; by reference, its address is an implicit first argument."""
    if result is None:
        return None, ()
    # [lapcs:result.registers]
    value = Travelling.of(types, "", result)
    first = Cursor(general=GENERAL[:2], floating=variant.floating[:2])
    answer = pass_argument(variant, types, first, value, varying=False)
    if answer.passing is not Passing.INDIRECT:
        return answer, ()
    # [lapcs:result.memory]
    pointer = Piece(0, variant.grlen, cursor.take("general"), RESULT_MEMORY, None, variant.grlen)
    return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (pointer,)),)
