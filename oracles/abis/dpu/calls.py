"""The places of a whole call on the DPU: result, hidden pointer, named parameters, unnamed arguments."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.dpu.places import FreePlaces, pair
from abiprobe.oracles.abis.dpu.words import (
    DOUBLE_WORD,
    PROMOTE,
    WORD,
    Class,
    classify,
    extension,
    reference_clause,
)
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Hidden, Passed, Passing, Piece, Register, StackSlot

cite, implements = citing(__package__)
RESULT_WORD = cite("result.word")
RESULT_DOUBLE_WORD = cite("result.double-word")
RESULT_COMPOSITE = cite("result.composite")
RESULT_POINTER = cite("result.pointer-first")
UNNAMED = cite("variadic.stack")
UNNAMED_COMPOSITE = cite("variadic.composite")
UNNAMED_REFERENCE = cite("dialect.variadic-reference")
STACKED_REFERENCE = cite("dialect.stacked-reference")
STACKED_NAMED = cite("dialect.stacked-named")


def calls(*, compiler: bool) -> Callable[[TypeTable, Prototype], Assignment]:
    """The assigner of DPU calls, as the text has them or as the compiler does."""

    def assign(types: TypeTable, prototype: Prototype) -> Assignment:
        places = FreePlaces()
        result, hidden = assign_result(types, places, prototype.result)
        named = tuple(
            pass_named(types, places, Travelling.of(types, param.name, param.type), compiler=compiler)
            for param in prototype.params
        )
        if prototype.variadic and places.used and compiler:
            raise SilentError(STACKED_NAMED, f"{prototype.name} has named arguments on the stack")
        unnamed = tuple(
            pass_unnamed(types, places, Travelling.of(types, f"...{index}", c_type), compiler=compiler)
            for index, c_type in enumerate(prototype.unnamed)
        )
        return Assignment((*named, *unnamed), result, hidden, places.used)

    return assign


@implements("variadic.named", "pass.copy", "dialect.stacked-reference")
def pass_named(types: TypeTable, places: FreePlaces, value: Travelling, *, compiler: bool) -> Passed:
    """A named argument: in registers as long as there are some, and by reference if it is composite."""
    # [dpu:variadic.named]
    kind = classify(value)
    if kind is not Class.REFERENCE:
        pieces = places.place(kind, value.size, extension(types, value))
        return value.passed(Passing.DIRECT, pieces[0].clause, *pieces)
    # [dpu:pass.copy]
    (pointer,) = places.place(Class.WORD, WORD, None)
    if compiler and isinstance(pointer.place, StackSlot):
        raise SilentError(STACKED_REFERENCE, f"the address of {value.name} is on the stack")
    return value.passed(Passing.INDIRECT, reference_clause(value), pointer)


@implements("variadic.stack", "variadic.composite", "dialect.variadic-reference")
def pass_unnamed(types: TypeTable, places: FreePlaces, value: Travelling, *, compiler: bool) -> Passed:
    """An unnamed argument: on the stack, a composite one as it is, or by reference as the compiler does."""
    match classify(value):
        case Class.REFERENCE if compiler:
            pointer = places.push(WORD, WORD, UNNAMED_REFERENCE)
            return value.passed(Passing.INDIRECT, UNNAMED_REFERENCE, pointer)
        case Class.REFERENCE:
            if not value.size:
                return value.passed(Passing.IGNORED, UNNAMED_COMPOSITE)
            piece = places.push(value.size, value.align, UNNAMED_COMPOSITE)
            return value.passed(Passing.DIRECT, UNNAMED_COMPOSITE, piece)
        case kind:
            slot = WORD if kind is Class.WORD else DOUBLE_WORD
            piece = places.push(value.size, slot, UNNAMED, extension(types, value))
            return value.passed(Passing.DIRECT, UNNAMED, piece)


@implements("result.word", "result.double-word", "result.composite", "result.pointer-first")
def assign_result(
    types: TypeTable, places: FreePlaces, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result in r0 or d0; a composite one in memory, whose address is the first argument."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    above = extension(types, value)
    match classify(value):
        case Class.WORD:
            clause = PROMOTE if above else ""
            word = Piece(0, value.size, Register("r0"), RESULT_WORD, above, WORD, clause)
            return value.passed(Passing.DIRECT, RESULT_WORD, word), ()
        case Class.DOUBLE_WORD:
            both = pair(Register("r0"), Register("r1"), value.size, RESULT_DOUBLE_WORD, above)
            return value.passed(Passing.DIRECT, RESULT_DOUBLE_WORD, *both), ()
        case Class.REFERENCE:
            (pointer,) = places.place(Class.WORD, WORD, None)
            hidden = Piece(0, WORD, pointer.place, RESULT_POINTER, None, WORD)
            return value.passed(Passing.INDIRECT, RESULT_COMPOSITE), (Hidden("result pointer", (hidden,)),)
