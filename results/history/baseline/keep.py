"""Makes a baseline of what files declare, and of what the model of each target says of that."""

from __future__ import annotations

from collections.abc import Iterable

from abiprobe.oracles.language.declaration import one_line
from abiprobe.oracles.language.lang import Array, Record, Type, strip
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Layout, Unsupported
from abiprobe.results.history.baseline.facts import (
    SCHEMA,
    UNPLACED,
    Baseline,
    EnumFacts,
    Facts,
    RecordFacts,
    VariableFacts,
)
from abiprobe.results.history.baseline.function_places import ModelChoice, by_value, function_facts, no_answer
from abiprobe.results.history.baseline.interface import (
    DeclaredEnum,
    DeclaredRecord,
    DeclaredVariable,
    Interface,
)
from abiprobe.results.history.baseline.members import member_places
from abiprobe.results.history.baseline.merge import merged, merged_enums, merged_records


def baseline(declared: Iterable[tuple[str, AbiModel, Iterable[Interface]]], asked: ModelChoice) -> Baseline:
    """The baseline of what some files declare, which is given for each target with its model."""
    return Baseline(
        SCHEMA, {target: facts(target, model, tuple(found), asked) for target, model, found in declared}
    )


def facts(target: str, model: AbiModel, found: tuple[Interface, ...], asked: ModelChoice) -> Facts:
    """Return the facts to keep for one target."""
    unread = {name: why for one in found for name, why in one.unread}
    functions = [each for one in found for each in one.functions]
    unread |= {f"{each.name}()": each.unread for each in functions if not each.result}
    read = [each for each in functions if each.result]
    return Facts(
        merged_records(
            ((each.name, record_facts(model, each)) for one in found for each in one.records), unread
        ),
        merged_enums(((each.name, enum_facts(model, each)) for one in found for each in one.enums), unread),
        merged(((f"{each.name}()", function_facts(target, each, asked)) for each in read), unread),
        merged(((each.name, variable_facts(model, each)) for one in found for each in one.variables), unread),
        merged(((f"typedef {name}", c_type) for one in found for name, c_type in one.typedefs), unread),
        unread,
    )


def record_facts(model: AbiModel, record: DeclaredRecord) -> RecordFacts:
    """Size and alignment of a record, where its members lie, and where it travels."""
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
        by_value(model, record.value),
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
    """The size, the signedness and the constants of an enumeration."""
    size, _ = measures(model, enum.value)
    signed = None if enum.value is None or size is None else model.types.is_signed(strip(enum.value))
    return EnumFacts(size, signed, enum.underlying, dict(enum.enumerators), enum.included)


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
