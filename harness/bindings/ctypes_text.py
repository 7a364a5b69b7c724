"""A binding that is written with ctypes: a Python of its own imports it and says what it declares."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.binding import Binding, Bits, BoundConstant, BoundFunction, BoundType, Left
from abiprobe.harness.bindings.calls import Called
from abiprobe.harness.bindings.facts import Fact, Facts, Gatherer, OfMember, OfType, Wrong
from abiprobe.harness.bindings.header import Header
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Kind, Prototype, Record, Scalar, Type, strip

CHILD = Path(__file__).parent / "ctypes_child.py"
SECONDS = 30.0
MEMORY = 2 << 30
INT = Scalar(Kind.INT)


class Described(msgspec.Struct, frozen=True):
    """A type as the child describes it, in bytes."""

    kind: str
    size: int = 0
    align: int = 0
    name: str = ""
    signed: bool = False
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
    """A function; without `argtypes` it has no parameters that are known."""

    parameters: tuple[Described, ...] | None
    result: Described


class Module(msgspec.Struct, frozen=True):
    """All that a binding says."""

    types: Mapping[str, Described]
    constants: Mapping[str, int | str]
    functions: Mapping[str, DescribedFunction]


def imported(file: str, python: Sequence[str]) -> Module:
    """The declarations of a binding, as a Python says that imports it; raises `Problem` where that fails."""
    done = child.run((*python, "-I", str(CHILD), str(Path(file).resolve())), timeout=SECONDS, memory=MEMORY)
    if not done.ok:
        words = done.stderr.decode(errors="replace").strip().splitlines() or ["it has no words"]
        raise Problem(
            f"{file} cannot be imported: {words[-1]}", "does Python import it where its library is missing?"
        )
    try:
        return msgspec.json.decode(done.stdout, type=Module)
    except msgspec.DecodeError as error:
        raise Problem(f"{file} prints when it is imported", "it must not") from error


def lines_of(text: bytes) -> dict[str, int]:
    """The line of each class, assignment and field (`S.x`) of a module."""
    found: dict[str, int] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            found[node.name] = node.lineno
            _fields(node.name, node.body, found)
        elif isinstance(node, ast.Assign):
            _assigned(node, found)
    return found


def _fields(name: str, body: Sequence[ast.stmt], found: dict[str, int]) -> None:
    for one in body:
        if isinstance(one, ast.Assign):
            for target in one.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(f"{name}::{target.id}", one.lineno)
            _listed(name, one.value, found)


def _listed(name: str, value: ast.expr, found: dict[str, int]) -> None:
    """Note the lines of the fields in a list of them."""
    for item in value.elts if isinstance(value, (ast.List, ast.Tuple)) else ():
        first = item.elts[0] if isinstance(item, ast.Tuple) and item.elts else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            found[f"{name}.{first.value}"] = item.lineno


def _assigned(node: ast.Assign, found: dict[str, int]) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            found.setdefault(target.id, node.lineno)
        elif isinstance(target, ast.Attribute) and target.attr in {"argtypes", "restype"}:
            owner = target.value
            name = (
                owner.attr
                if isinstance(owner, ast.Attribute)
                else owner.id
                if isinstance(owner, ast.Name)
                else ""
            )
            found.setdefault(name, node.lineno)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            _listed(target.value.id, node.value, found)


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
            variadic=False,
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
        spelled: (lines.get(f"{one.name}.{key}", line), innermost(field.type).name)
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


def declarations(
    functions: Sequence[Prototype], module: Module, binding: Binding, types: TypeTable
) -> Called:
    """Compare parameters and results with those of a header, by kind, size and, where it shows, sign."""
    found = Called()
    for function in functions:
        own, bound = module.functions.get(function.name), binding.functions.get(function.name)
        if own is None or bound is None:
            found.lacks.append(function.name)
        elif own.parameters is None:
            found.left.append(Left(bound.line, function.name, "the binding gives it no argtypes"))
        elif wrong := list(differences(function, own, bound.line, types)):
            found.wrong += wrong
        else:
            found.agreeing.add(function.name)
    return found


def differences(function: Prototype, own: DescribedFunction, line: int, types: TypeTable) -> Iterator[Wrong]:
    """Yield in what a function is declared otherwise."""
    own_parameters = own.parameters or ()
    if len(own_parameters) != len(function.params):
        yield Wrong(function.name, line, f"{len(own_parameters)} parameters", str(len(function.params)))
        return
    for number, (ours, param) in enumerate(zip(own_parameters, function.params, strict=True), 1):
        theirs = passed(param.type, types)
        narrow = theirs.size < types.extent(INT).size
        if not same(ours, theirs, signs=narrow):
            yield Wrong(function.name, line, f"parameter {number} is {an(ours)}", an(theirs))
    if (function.result is None) != (own.result.kind == "none"):
        yield Wrong(
            function.name, line, *(("a result", "none") if function.result is None else ("no result", "one"))
        )
    elif function.result is not None:
        theirs = passed(function.result, types)
        signs = not isinstance(strip(function.result), Enum)
        if not same(own.result, theirs, signs=signs):
            yield Wrong(function.name, line, f"the result is {an(own.result)}", an(theirs))


def an(one: Described) -> str:
    """A type with its article."""
    words = str(one)
    return f"an {words}" if words[0] in "aeiu" else f"a {words}"


def same(ours: Described, theirs: Described, *, signs: bool) -> bool:
    """Return whether two types travel alike: addresses travel as integers of their size."""
    kinds = {"integer" if one.kind == "pointer" else one.kind for one in (ours, theirs)}
    both = {ours.kind, theirs.kind} == {"integer"}
    return (
        len(kinds) == 1
        and ours.size == theirs.size
        and (not (signs and both) or ours.signed == theirs.signed)
    )


def passed(c_type: Type, types: TypeTable) -> Described:
    """A type of a header as the child would describe it."""
    size = types.extent(c_type).size
    match strip(c_type):
        case Scalar(kind) if kind.is_integer:
            return Described("integer", size, signed=types.data.is_signed(kind))
        case Enum() as enum:
            return Described("integer", size, signed=types.data.is_signed(types.enum_kind(enum)))
        case Scalar():
            return Described("real", size)
        case Record():
            return Described("record", size)
        case _:
            return Described("pointer", size)


def asked(
    file: str, text: bytes, header: Header, python: Sequence[str]
) -> tuple[Facts, list[tuple[Fact, int | bytes]], Called]:
    """The facts of a header with the binding's answers, and its functions."""
    module = imported(file, python)
    binding = binding_of(file, module, lines_of(text))
    facts = Gatherer(header, binding).gathered()
    types = header.target.model().types
    return (
        facts,
        list(answers(facts, module)),
        declarations(header.declared.functions, module, binding, types),
    )
