"""The signature in LLVM IR that a clause demands of a function, as FileCheck takes it.

Front ends spell one passing in several ways, of which code generators know no difference: the registers of a struct one by
one, as a struct or as an array. clang has one way for each target; of rustc every one is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from abiprobe.generators.values import constraints
from abiprobe.harness.triage.exports.plain import ADDRESS, WORD, Plain, key, keys
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Complex,
    Kind,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    strip,
)
from abiprobe.oracles.text.place import Assignment, Extension, Passed, Passing, Piece, StackSlot

INTEGER = "{{(i[0-9]+|ptr)}}"
PACKED = {
    4: "{{(float|<2 x half>|<2 x bfloat>)}}",
    8: "{{(double|<2 x float>|<4 x half>|<4 x bfloat>)}}",
    16: "{{(fp128|<[0-9]+ x [a-z0-9]+>)}}",
}
"""Several reals packed into one register, by the bytes of them."""
ANYTHING = "{{[^,]+}}"
NAMES = {
    Kind.FLOAT16: "half",
    Kind.BF16: "bfloat",
    Kind.FLOAT: "float",
    Kind.DOUBLE: "double",
    Kind.FLOAT128: "fp128",
}
REST = "{{[^,()]*}}"
"""Attributes and the name behind a type."""
OF_MEMORY = "{{[^,]*}}"
"""The same of an address, with attributes that have brackets."""
UNEXTENDED = "{{( noundef)?( %[^,()]*)?}}"
"""The same without one that says what stands above a value."""
APART = ("x86_64", "i386", "riscv", "loongarch")
"""The targets for which clang passes the reals of a struct one by one; for others they are an array."""
PAIRS = ("x86_64", "i386")
"""The targets for which it passes two registers of integers one by one."""


class NoSignature(Exception):  # noqa: N818 - it is no error that IR does not say something
    """Raised with the reason where no signature in IR says how a function is called."""


class Style(msgspec.Struct, frozen=True):
    """The accepted spellings: those of clang for a target, or all (`every`). `above` says that extensions count.

    `above` says that extensions count.
    """

    target: str
    every: bool
    above: bool

    @property
    def x86(self) -> bool:
        """Return whether a struct on the stack has an address in IR."""
        return self.target.startswith(("x86_64", "i386"))


def signature(
    function: Prototype, places: Assignment, plain: Plain, types: TypeTable, style: Style, *, name: str
) -> str:
    """The line of a definition, with regular expressions in double braces."""
    if function.unnamed:
        raise NoSignature("an unnamed argument is in no signature")
    ir_types = IrTypes(types, registers_of_reals(plain))
    arguments = [
        text
        for argument, passed in zip(function.params, places.params, strict=True)
        for text in parameters(argument.type, passed, ir_types, style)
    ]
    result = places.result
    returned = "void"
    if result is not None and result.passing is Passing.INDIRECT:
        arguments.insert(0, f"ptr{OF_MEMORY}sret{OF_MEMORY}")
    elif result is not None and result.passing is Passing.DIRECT and function.result is not None:
        returned = answer(function.result, result, ir_types, style)
    ending = ["..."] if function.variadic else []
    return f"define{{{{.*}}}} {returned} @{name}({', '.join((*arguments, *ending))})"


class IrTypes(msgspec.Struct, frozen=True):
    """The types of an ABI, and the registers in which the plain call has reals."""

    types: TypeTable
    reals: frozenset[str]

    def part(self, c_type: Type, piece: Piece) -> str:
        """The type of what is in one place of a value: bytes of an integer, or reals."""
        if isinstance(piece.place, StackSlot):
            return ANYTHING
        if key(piece.place, 0)[0] not in self.reals:
            return INTEGER
        inside = {
            (at, kind)
            for at, _, kind in constraints(self.types, c_type)
            if piece.start <= at < piece.end and isinstance(kind, Kind) and kind in NAMES
        }
        if len(inside) == 1:
            return NAMES[next(kind for _, kind in inside)]
        return PACKED.get(piece.end - piece.start, ANYTHING)


def registers_of_reals(plain: Plain) -> frozenset[str]:
    """The registers in which the plain call has reals."""
    every = (*plain.arguments, *([plain.result] if plain.result else []))
    return frozenset(name for one in every for name in registers(one.type, one.passed))


def registers(c_type: Type, passed: Passed) -> Iterator[str]:
    """The registers of a plain value that hold reals."""
    leaves = [member.type for member in c_type.members] if isinstance(c_type, Record) else [c_type]
    for number, piece in enumerate(passed.pieces):
        leaf = leaves[number] if len(leaves) == len(passed.pieces) else leaves[0]
        if leaf not in (WORD, ADDRESS):
            yield from (where[0] for _, where in keys(piece))


def parameters(c_type: Type, passed: Passed, ir_types: IrTypes, style: Style) -> Iterator[str]:
    """The parameters in IR that a parameter is."""
    if passed.passing is Passing.IGNORED or (passed.passing is Passing.DIRECT and not passed.pieces):
        return
    plain = strip(c_type)
    whole = isinstance(plain, (Record, Complex, Array))
    if passed.passing is Passing.INDIRECT:
        yield f"ptr{OF_MEMORY}"
    elif whole and style.x86 and all(isinstance(piece.place, StackSlot) for piece in passed.pieces):
        yield f"ptr{OF_MEMORY}byval{OF_MEMORY}"
    elif whole:
        yield several([ir_types.part(c_type, piece) for piece in passed.pieces], style)
    else:
        yield scalar(plain, passed, style)


def scalar(plain: Type, passed: Passed, style: Style) -> str:
    """A parameter of a scalar."""
    piece = passed.pieces[0]
    name = spelling(plain, passed)
    if not style.above or passed.size >= piece.width:
        return f"{name}{REST}"
    match piece.extension:
        case Extension.SIGN:
            return f"{name}{{{{( noundef)?}}}} signext{REST}"
        case Extension.ZERO:
            return f"{name}{{{{( noundef)?}}}} zeroext{REST}"
        case _:
            return f"{name}{UNEXTENDED}"


def spelling(plain: Type, passed: Passed) -> str:
    """The type of a scalar."""
    match plain:
        case Scalar(Kind.BOOL):
            return "i1"
        case Scalar(kind) if kind.is_integer:
            return f"i{8 * passed.size}"
        case Scalar(kind):
            return NAMES.get(kind, ANYTHING)
        case Pointer():
            return "ptr"
        case _:
            return ANYTHING


def several(parts: Sequence[str], style: Style) -> str:
    """The parameters that the places of a struct are."""
    one_by_one = ", ".join(f"{one}{REST}" for one in parts)
    apart = style.every or style.target.startswith(APART) or parts[0] == INTEGER
    if len(parts) == 1:
        return (
            one_by_one
            if apart or "{{" in parts[0]
            else f"{either((parts[0], rf'.1 x {parts[0]}.'))}{OF_MEMORY}"
        )
    if style.every:
        return either(every(parts, REST))
    alike = len(set(parts)) == 1
    if alike and parts[0] == INTEGER and not style.target.startswith(PAIRS):
        return either((rf"\[{len(parts)} x i[0-9]+\]", "i128", "i64")) + REST
    if alike and not style.target.startswith(APART):
        return f"[{len(parts)} x {parts[0]}]{OF_MEMORY}"
    return one_by_one


def every(parts: Sequence[str], rest: str) -> Iterator[str]:
    """All ways to spell the places of a struct, as regular expressions."""
    bare = [one.removeprefix("{{").removesuffix("}}") for one in parts]
    behind = rest.removeprefix("{{").removesuffix("}}")
    if behind:
        yield ", ".join(f"{one}{behind}" for one in bare)
    yield rf"\{{ {', '.join(bare)} \}}{behind}"
    if len(set(bare)) == 1:
        yield rf"\[{len(bare)} x {bare[0]}\]{behind}"
        if parts[0] == INTEGER:
            yield f"i[0-9]+{behind}"


def either(ways: Iterable[str]) -> str:
    """One of several."""
    return f"{{{{({'|'.join(ways)})}}}}"


def answer(c_type: Type, passed: Passed, ir_types: IrTypes, style: Style) -> str:
    """The type of a result."""
    plain = strip(c_type)
    if not isinstance(plain, (Record, Complex, Array)):
        return spelling(plain, passed)
    parts = [ir_types.part(c_type, piece) for piece in passed.pieces]
    if len(parts) == 1:
        return parts[0]
    if style.every:
        return either(every(parts, ""))
    alike = len(set(parts)) == 1
    if alike and parts[0] == INTEGER and not style.target.startswith(PAIRS):
        return either((rf"\[{len(parts)} x i[0-9]+\]", "i128", "i64"))
    if alike and not style.target.startswith(APART):
        return "%{{(struct|union)[^ ]*}}"
    return f"{{ {', '.join(parts)} }}"


def fits(line: str, asked: str) -> bool:
    """Return whether a line of IR matches a pattern."""
    parts = re.split(r"\{\{(.*?)\}\}", asked)
    expression = "".join(text if number % 2 else re.escape(text) for number, text in enumerate(parts))
    return re.search(expression, line) is not None
