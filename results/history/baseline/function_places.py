"""The places of a function's parameters and result in a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, assert_never

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Record, Scalar
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import (
    Assignment,
    Layout,
    Passed,
    Piece,
    Unspecified,
    Unsupported,
)
from abiprobe.results.history.baseline.facts import UNPLACED, FunctionFacts
from abiprobe.results.history.baseline.interface import DeclaredFunction
from abiprobe.results.verdicts.wording import place_text

ModelChoice: TypeAlias = Callable[[str, Prototype], tuple[AbiModel, Prototype]]
"""The model that is asked about a function of a target, and the function as it is declared there."""
NOWHERE = "nowhere"
"""The place of what has no bytes."""


def function_facts(target: str, function: DeclaredFunction, asked: ModelChoice) -> FunctionFacts:
    """Return the places of a function's parameters and result; parameters go by number, since names are no part of an ABI."""
    answer = assigned(target, function, asked)
    known = answer if isinstance(answer, Assignment) else None
    places = [] if known is None else list(map(passed, known.params))
    places += [UNPLACED] * (len(function.params or ()) - len(places))
    return FunctionFacts(
        linkage=function.linkage,
        symbol=function.symbol,
        result=f"{result_place(known, function.result)}: {function.result}",
        parameters=None
        if function.params is None
        else tuple(f"{where}: {c_type}" for where, c_type in zip(places, function.params, strict=True)),
        variadic=function.variadic,
        attributes=function.attributes,
        hidden={} if known is None else {one.role: pieces(one.pieces) for one in known.hidden},
        unanswered=no_answer(answer),
    )


def by_value(model: AbiModel, record: Record) -> dict[str, str]:
    """Return how a record is passed and returned, which may change while its layout does not; empty if that is not known.

    Before it goes an `int`, so that it is seen whether a register is left out for its alignment.
    """
    answer = model.assign(Prototype("f", record, (Param("a", Scalar(Kind.INT)), Param("b", record))))
    if not isinstance(answer, Assignment) or answer.result is None:
        return {}
    return {"passed": passed(answer.params[1]), "returned": passed(answer.result)}


def assigned(
    target: str, function: DeclaredFunction, asked: ModelChoice
) -> Assignment | Unspecified | Unsupported:
    """Return the model's answer about the calls of a function."""
    if function.value is None:
        return Unsupported(f"it cannot be read: {function.unread}")
    model, there = asked(target, function.value)
    return model.assign(there)


def result_place(known: Assignment | None, c_type: str) -> str:
    """Return the place of a result in words."""
    if c_type == "void":
        return NOWHERE
    return UNPLACED if known is None or known.result is None else passed(known.result)


def passed(value: Passed) -> str:
    """Return the way and the place of a value; on a GPU, its declaration."""
    where = pieces(value.pieces) if value.param is None else value.param.declaration
    return value.passing.value + (f", {where}" if where else "")


def pieces(found: Iterable[Piece]) -> str:
    """The registers and stack slots of a value's bytes."""
    return "; ".join(f"bytes {piece.start} to {piece.end} in {place_text(piece.place)}" for piece in found)


def no_answer(answer: Layout | Assignment | Unspecified | Unsupported) -> str:
    """Return the reason why a model has no answer; empty if it has one."""
    match answer:
        case Unspecified(clause, why):
            return f"{why} [{clause}]"
        case Unsupported(why):
            return why
        case Layout() | Assignment():
            return ""
        case _:
            assert_never(answer)
