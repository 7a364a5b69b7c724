"""Makes a baseline of what files declare, and of what the model of each target says of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from msgspec import structs

from abiprobe.oracles.lang import Array, Prototype, Record, Type
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Layout, Passed, Piece, Register, Unspecified, Unsupported
from abiprobe.results.baseline.facts import (
    SCHEMA,
    UNPLACED,
    Baseline,
    EnumFacts,
    Facts,
    FunctionFacts,
    RecordFacts,
    VariableFacts,
)
from abiprobe.results.baseline.members import member_places
from abiprobe.results.interface import (
    UNNAMED,
    DeclaredEnum,
    DeclaredFunction,
    DeclaredRecord,
    DeclaredVariable,
    Interface,
)
from abiprobe.results.report.declaration import one_line

Asked: TypeAlias = Callable[[str, Prototype], tuple[AbiModel, Prototype]]
"""The model that is asked about a function of a target, and the function as it is declared there."""
Value = TypeVar("Value")
OTHERWISE = "two files declare it otherwise"
NOWHERE = "nowhere"
"""The place of what has no bytes."""


def baseline(declared: Iterable[tuple[str, AbiModel, Iterable[Interface]]], asked: Asked) -> Baseline:
    """The baseline of what some files declare, which is given for each target with its model."""
    return Baseline(
        SCHEMA, {target: facts(target, model, tuple(found), asked) for target, model, found in declared}
    )


def facts(target: str, model: AbiModel, found: tuple[Interface, ...], asked: Asked) -> Facts:
    """What is kept for one target."""
    unread = {name: why for one in found for name, why in one.unread}
    functions = [each for one in found for each in one.functions]
    unread |= {f"{each.name}()": each.unread for each in functions if not each.result}
    read = [each for each in functions if each.result]
    return Facts(
        merged(((each.name, record_facts(model, each)) for one in found for each in one.records), unread),
        merged(((each.name, enum_facts(model, each)) for one in found for each in one.enums), unread),
        merged(((f"{each.name}()", function_facts(target, each, asked)) for each in read), unread),
        merged(((each.name, variable_facts(model, each)) for one in found for each in one.variables), unread),
        merged(((f"typedef {name}", c_type) for one in found for name, c_type in one.typedefs), unread),
        unread,
    )


def merged(named: Iterable[tuple[str, Value]], unread: dict[str, str]) -> dict[str, Value]:
    """Facts by name; a name for which two files have other facts goes to `unread` as well."""
    found: dict[str, Value] = {}
    for name, one in named:
        both = joined(name, found[name], one) if name in found else one
        if both is None:
            unread[name] = OTHERWISE
        else:
            found[name] = both
    return found


def joined(name: str, first: Value, second: Value) -> Value | None:
    """What two files say of one declaration; `None` if they contradict each other."""
    match first, second:
        case RecordFacts(), RecordFacts(opaque=True):
            return first
        case RecordFacts(opaque=True), RecordFacts():
            return second
        case EnumFacts(enumerators=one), EnumFacts(enumerators=other) if name == UNNAMED:
            return None if any(other.get(key, one[key]) != one[key] for key in one) else structs.replace(
                first, enumerators=one | other
            )
        case (RecordFacts() | EnumFacts(), RecordFacts() | EnumFacts()):
            included = first.included and second.included
            mine, other = (structs.replace(each, included=included) for each in (first, second))
            return mine if mine == other else None
        case _:
            return first if first == second else None


def record_facts(model: AbiModel, record: DeclaredRecord) -> RecordFacts:
    """Size and alignment of a record, and where its members lie."""
    if record.opaque:
        return RecordFacts(opaque=True, included=record.included)
    answer = (
        Unsupported(f"it cannot be read: {record.unread}")
        if record.value is None
        else model.layout(record.value)
    )
    attributes = () if record.value is None else record_attributes(record.value)
    if record.value is None or not isinstance(answer, Layout):
        return RecordFacts(
            members={one.path: f"{UNPLACED}: {one.type}" for one in record.members},
            attributes=attributes,
            included=record.included,
            unanswered=no_answer(answer),
            declared="" if record.value is None else one_line(record.value),
        )
    places = member_places(model, record.value, answer, record.members)
    return RecordFacts(
        answer.size,
        answer.align,
        {one.path: f"{places[one.path]}: {one.type}" for one in record.members},
        attributes,
        included=record.included,
    )


def record_attributes(record: Record) -> tuple[str, ...]:
    """The attributes that decide how a record is laid out, its pragma among them."""
    said = {
        "packed": record.packed,
        f"aligned({record.align})": record.align is not None,
        f"pack({record.pack})": record.pack is not None,
        "ms_struct": record.ms_struct is True,
        "gcc_struct": record.ms_struct is False,
    }
    return tuple(word for word, holds in said.items() if holds)


def enum_facts(model: AbiModel, enum: DeclaredEnum) -> EnumFacts:
    """The size and the constants of an enumeration."""
    size, _ = measures(model, enum.value)
    return EnumFacts(size, enum.underlying, dict(enum.enumerators), enum.included)


def variable_facts(model: AbiModel, variable: DeclaredVariable) -> VariableFacts:
    """The type, the size and the alignment of an object."""
    size, alignment = measures(model, variable.value)
    return VariableFacts(
        type=variable.type,
        size=size,
        alignment=alignment,
        thread=variable.thread,
        constant=variable.constant,
        linkage=variable.linkage,
        symbol=variable.symbol,
    )


def measures(model: AbiModel, value: Type | None) -> tuple[int | None, int | None]:
    """Size and alignment of a type, in bytes, where there are any."""
    answer = None if value is None else model.layout(value)
    if not isinstance(answer, Layout):
        return None, None
    incomplete = isinstance(value, Array) and value.length is None
    return (None if incomplete else answer.size), answer.align


def function_facts(target: str, function: DeclaredFunction, asked: Asked) -> FunctionFacts:
    """Where each parameter of a function and its result travel; parameters go by number, since names are no ABI."""
    answer: Assignment | Unspecified | Unsupported
    if function.value is None:
        answer = Unsupported(f"it cannot be read: {function.unread}")
    else:
        model, there = asked(target, function.value)
        answer = model.assign(there)
    known = isinstance(answer, Assignment)
    places = list(map(passed, answer.params)) if known else []
    void = function.result == "void"
    return FunctionFacts(
        linkage=function.linkage,
        symbol=function.symbol,
        result=f"{result_place(answer, void=void)}: {function.result}",
        parameters=None
        if function.params is None
        else tuple(
            f"{places[at] if at < len(places) else UNPLACED}: {c_type}"
            for at, c_type in enumerate(function.params)
        ),
        variadic=function.variadic,
        attributes=function.attributes,
        hidden={one.role: pieces(one.pieces) for one in answer.hidden} if isinstance(answer, Assignment) else {},
        unanswered="" if isinstance(answer, Assignment) else no_answer(answer),
    )


def result_place(answer: Assignment | Unspecified | Unsupported, *, void: bool) -> str:
    """Where a result is."""
    if void:
        return NOWHERE
    if not isinstance(answer, Assignment) or answer.result is None:
        return UNPLACED
    return passed(answer.result)


def passed(value: Passed) -> str:
    """How a value travels, and where; on a GPU, its declaration."""
    where = pieces(value.pieces) if value.param is None else value.param.declaration
    return value.passing.value + (f", {where}" if where else "")


def pieces(found: Iterable[Piece]) -> str:
    """The registers and stack slots of a value's bytes."""
    return "; ".join(f"bytes {piece.start} to {piece.end} in {place(piece)}" for piece in found)


def place(piece: Piece) -> str:
    """Where one piece lies."""
    return piece.place.name if isinstance(piece.place, Register) else f"stack+{piece.place.offset}"


def no_answer(answer: Layout | Assignment | Unspecified | Unsupported) -> str:
    """Why the model says nothing."""
    match answer:
        case Unspecified(clause, why):
            return f"{why} [{clause}]"
        case Unsupported(why):
            return why
        case _:
            return ""
