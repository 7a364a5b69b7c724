"""A module of another language as it describes what it declares, and as the binding that it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.harness.bindings.binding import Binding, Bits, BoundConstant, BoundFunction, BoundType
from abiprobe.harness.bindings.facts import Fact, Facts, OfMember, OfType


class Described(msgspec.Struct, frozen=True):
    """A type as the child describes it, in bytes; `signed` is `None` where the language leaves the sign to C."""

    kind: str
    size: int = 0
    align: int = 0
    name: str = ""
    signed: bool | None = False
    element: Described | None = None
    fields: Mapping[str, DescribedField] | None = None

    def __str__(self) -> str:
        sign = "" if self.kind != "integer" else "signed " if self.signed else "unsigned "
        return f"{sign}{self.kind} of {self.size} bytes" if self.size != 1 else f"{sign}{self.kind} of 1 byte"


class DescribedField(msgspec.Struct, frozen=True):
    """A field of a record: its byte, its size, and for a bit-field its first bit behind that byte and its width."""

    offset: int
    size: int
    bit: int
    width: int
    type: Described
    anonymous: bool


class DescribedFunction(msgspec.Struct, frozen=True):
    """A function; without parameters none are known. `variadic` is `None` where the language does not say it."""

    parameters: tuple[Described, ...] | None
    result: Described
    variadic: bool | None = None


class Module(msgspec.Struct, frozen=True):
    """All that a binding says; `left` has what it leaves open, by name, and why."""

    types: Mapping[str, Described]
    constants: Mapping[str, int | str]
    functions: Mapping[str, DescribedFunction]
    left: tuple[tuple[str, str], ...] = ()


def binding_of(file: str, module: Module, lines: Mapping[str, int]) -> Binding:
    """A module as a binding; fields of a record without a name in C have the names that bindgen gives them."""
    types = {name: bound_type(name, one, lines) for name, one in module.types.items()}
    constants = {
        name: BoundConstant(
            lines.get(name, 0),
            name,
            0 if isinstance(value, int) else len(value.encode("latin-1", "replace")) + 1,
        )
        for name, value in module.constants.items()
    }
    functions = {
        name: BoundFunction(
            name,
            lines.get(name, 0),
            "",
            len(one.parameters or ()),
            variadic=bool(one.variadic),
            returns=one.result.kind != "none",
        )
        for name, one in module.functions.items()
    }
    return Binding(file, types, functions, constants)


def bound_type(name: str, one: Described, lines: Mapping[str, int]) -> BoundType:
    """A type of a binding."""
    line = lines.get(name, 0)
    if one.fields is None:
        return BoundType(name, line)
    members = {
        spelled: (lines.get(f"{one.name.rpartition(' ')[2]}.{key}", line), innermost(field.type).name)
        for spelled, key, field in spelled_fields(one)
    }
    bits = {key: Bits(key, field.bit, field.width) for key, field in one.fields.items() if field.width}
    return BoundType(name, line, members, "", bits)


def spelled_fields(one: Described) -> Iterator[tuple[str, str, DescribedField]]:
    """Yield the fields by the names by which facts ask for them, with their own."""
    unnamed = 0
    for key, field in (one.fields or {}).items():
        unnamed += field.anonymous
        yield (f"__bindgen_anon_{unnamed}" if field.anonymous else key), key, field


def innermost(one: Described) -> Described:
    """The type of the elements of an array of arrays."""
    while one.element is not None:
        one = one.element
    return one


def answers(facts: Facts, module: Module) -> Iterator[tuple[Fact, int | bytes]]:
    """Yield the answer to each fact."""
    for fact in facts.facts:
        match fact.asked:
            case OfType(c_type, alignment):
                one = module.types[c_type.path]
                yield fact, one.align if alignment else one.size
            case OfMember(c_type, steps, size):
                offset, width = member(module, module.types[c_type.path], steps)
                yield fact, width if size else offset
            case BoundConstant(_, name):
                value = module.constants[name]
                yield fact, value if isinstance(value, int) else value.encode("latin-1", "replace") + b"\0"


def member(module: Module, one: Described, steps: Sequence[str | int]) -> tuple[int, int]:
    """The byte of a member, and its size in bytes."""
    offset, size = 0, one.size
    for step in steps:
        if isinstance(step, int):
            assert one.element is not None, "only arrays have elements"
            one = one.element
            offset, size = offset + step * one.size, one.size
        else:
            one = module.types.get(one.name, one)
            field = next(
                field for spelled, _, field in spelled_fields(one) if spelled == step.removeprefix("r#")
            )
            offset, size, one = offset + field.offset, field.size, field.type
    return offset, size
