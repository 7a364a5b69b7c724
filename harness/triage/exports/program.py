"""Parts of a program in C that shows a deviation: the values of both turns, and the names that hold them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.generators.values import TURNS, fill
from abiprobe.harness.machines.render.arrange import WIDENED, is_narrow_integer
from abiprobe.harness.machines.render.c import declare, definitions, pointer_to, prototype
from abiprobe.harness.triage.exports.plain import (
    RESULT,
    Argument,
    Content,
    Key,
    Plain,
    keys,
    wanted,
)
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Convention, Param, Prototype, Type, strip
from abiprobe.oracles.text.place import Assignment, Passed, Passing
from abiprobe.results.verdicts.wording import place_text

NOISE = hashlib.shake_128(b"nothing in particular").digest(1 << 12)


class Data(msgspec.Struct, frozen=True):
    """An array of C for both turns (`rows`), with the bits that count in it."""

    rows: tuple[bytes, ...]
    care: bytes

    @property
    def size(self) -> int:
        """Its bytes, of which C has at least one."""
        return len(self.care)

    @property
    def matters(self) -> bool:
        """Return whether any bit counts."""
        return any(self.care)

    @property
    def text(self) -> str:
        """The initialiser of both turns."""
        return f"{{ {', '.join(map(array, self.rows))} }}"

    @property
    def counts(self) -> str:
        """The initialiser of the bits that count."""
        return array(self.care)


class ProgramValue(msgspec.Struct, frozen=True):
    """A value of the function in question: `given` is what goes in, `seen` what the other side must make of it.

    `declared` declares an object of its type, `kept` one that holds what was seen; `in_memory` says that its address
    travels, which must be a multiple of `align`.
    """

    number: int
    name: str
    given: Data
    seen: Data
    read: str
    in_memory: bool
    align: int
    type: Type
    narrow: bool
    own_align: int

    @property
    def declared(self) -> str:
        """The object that is passed."""
        return declare(self.type, f"given_{self.label}")

    @property
    def kept(self) -> str:
        """The object that holds what was seen."""
        label = f"seen_{self.label}"
        return f"long long {label}" if self.narrow else declare(self.type, label)

    @property
    def room(self) -> int:
        """The alignment of its objects if their type does not give one."""
        return max(self.own_align, self.align)

    @property
    def object(self) -> str:
        """The object in memory whose address travels."""
        return declare(self.type, f"memory_{self.label}")

    @property
    def label(self) -> str:
        """The name of its objects."""
        return "result" if self.number == RESULT else str(self.number)


class PlainValue(msgspec.Struct, frozen=True):
    """An argument or the result of the plain call: its declaration, its bytes, and the object whose address it is."""

    name: str
    declared: str
    data: Data
    places: str
    address_of: str = ""


class PlainCall(msgspec.Struct, frozen=True):
    """The plain call, for a template: its types, the text of its prototype and of a pointer to functions like it."""

    arguments: tuple[PlainValue, ...]
    result: PlainValue | None
    definitions: str
    receiver: str
    pointer: str

    @property
    def everything(self) -> tuple[PlainValue, ...]:
        """The arguments and the result."""
        return (*self.arguments, *((self.result,) if self.result is not None else ()))

    @property
    def pointer_to_result(self) -> str:
        """The argument that is the address of the result."""
        return next((one.name for one in self.arguments if one.address_of == "result"), "0")

    @property
    def words(self) -> str:
        """The call in words."""
        return ", ".join(one.declared.rpartition(one.name)[0].strip() for one in self.arguments) or "void"


class Program(msgspec.Struct, frozen=True):
    """The function in question, for a template."""

    function: Prototype
    definitions: str
    callee: str
    pointer: str
    values: tuple[ProgramValue, ...]
    result: ProgramValue | None
    plain: PlainCall | None

    @property
    def everything(self) -> tuple[ProgramValue, ...]:
        """The arguments and the result."""
        return (*self.values, *((self.result,) if self.result is not None else ()))

    @property
    def arguments(self) -> str:
        """The arguments of the caller's call."""
        return ", ".join(f"given_{one.label}" for one in self.values)

    @property
    def has_addresses(self) -> bool:
        """Return whether the address of an argument travels."""
        return any(one.in_memory for one in self.values)

    @property
    def last_named(self) -> str:
        """The parameter behind which the unnamed ones stand."""
        return self.function.params[-1].name

    @property
    def variety(self) -> str:
        """The name of its convention's `va_list`, if it is not the usual one."""
        return "ms_" if self.function.convention is Convention.MS_ABI else ""


def program(types: TypeTable, function: Prototype, places: Assignment | None, plain: Plain | None) -> Program:
    """The program of a function. Without `places`, which a text gives, all of each value counts."""
    used = (function.result, *(argument.type for argument in function.arguments))
    values = tuple(
        value(types, number, argument, places.params[number] if places else None)
        for number, argument in enumerate(function.arguments)
    )
    result = None
    if function.result is not None:
        result = value(types, RESULT, Param("result", function.result), places.result if places else None)
    return Program(
        function,
        definitions(tuple(c_type for c_type in used if c_type is not None)),
        prototype(function, name="callee"),
        pointer_to(function),
        values,
        result,
        None if plain is None or places is None else plain_call_text(types, function, places, plain),
    )


def value(types: TypeTable, number: int, argument: Param, passed: Passed | None) -> ProgramValue:
    """A value of the function in question."""
    given = tuple(fill(types, argument.type, number + 1, turn) for turn in TURNS)
    mask = passed.mask if passed is not None else types.mask(argument.type)
    narrow = is_narrow_integer(argument.type, len(mask))
    seen = widened(types, argument.type, given, mask) if narrow else Data(some(given), some((mask,))[0])
    in_memory = passed is not None and passed.passing is Passing.INDIRECT
    unnamed = argument.name.startswith("...")
    read = f"__builtin_va_arg (ap, {declare(argument.type, '')})" if unnamed else argument.name
    align = passed.memory_align if passed is not None else 1
    data = Data(some(given), some((mask,))[0])
    return ProgramValue(
        number,
        argument.name,
        data,
        seen,
        read,
        in_memory,
        align,
        argument.type,
        narrow,
        max(types.alignof(argument.type), WIDENED),
    )


def some(rows: Iterable[bytes]) -> tuple[bytes, ...]:
    """Rows of at least one byte, which C asks for."""
    return tuple(row or b"\0" for row in rows)


def widened(types: TypeTable, c_type: Type, rows: Sequence[bytes], mask: bytes) -> Data:
    """An integer as C stores it in a `long long`: all bytes of that count."""
    order = types.data.order
    width = int.from_bytes(mask, order).bit_length()
    found = []
    for row in rows:
        bits = int.from_bytes(row, order) & ((1 << width) - 1)
        if types.is_signed(strip(c_type)) and bits >> (width - 1):
            bits -= 1 << width
        found.append((bits % (1 << 8 * WIDENED)).to_bytes(WIDENED, order))
    return Data(tuple(found), b"\xff" * WIDENED)


def plain_call_text(types: TypeTable, function: Prototype, places: Assignment, plain: Plain) -> PlainCall:
    """The plain call with the bytes that it passes in both turns."""
    turns = [contents_of(types, function, places, turn) for turn in TURNS]
    arguments = tuple(
        plain_value(f"a{number}", one, [arguments for arguments, _ in turns])
        for number, one in enumerate(plain.arguments)
    )
    result = None
    if plain.result is not None:
        result = plain_value("result", plain.result, [result for _, result in turns])
        if plain.result.passed.passing is Passing.INDIRECT and places.result is not None and function.result:
            rows = tuple(fill(types, function.result, 0, turn) for turn in TURNS)
            result = msgspec.structs.replace(result, data=Data(some(rows), some((places.result.mask,))[0]))
    params = tuple(Param(f"a{number}", one.type) for number, one in enumerate(plain.arguments))
    made = msgspec.structs.replace(
        function,
        params=params,
        result=None if plain.result is None else plain.result.type,
        variadic=False,
        unnamed=(),
    )
    named = len(params) - plain.unnamed
    sent = msgspec.structs.replace(made, params=params[:named], variadic=function.variadic)
    used = [one.type for one in (*plain.arguments, *([plain.result] if plain.result else []))]
    return PlainCall(
        arguments,
        result,
        definitions(tuple(used)),
        prototype(made, name="as_the_text_has_it"),
        pointer_to(sent),
    )


def contents_of(
    types: TypeTable, function: Prototype, places: Assignment, turn: int
) -> tuple[Mapping[Key, Content], Mapping[Key, Content]]:
    """Return the contents of the places of the arguments, and of those of the result, in a turn."""
    values = [fill(types, one.type, number + 1, turn) for number, one in enumerate(function.arguments)]
    result: Mapping[Key, Content] = {}
    if places.result is not None and function.result is not None:
        result = wanted((places.result,), [fill(types, function.result, 0, turn)])
    return wanted(places.params, values), result


def plain_value(name: str, one: Argument, turns: Sequence[Mapping[Key, Content]]) -> PlainValue:
    """An argument of the plain call: the bytes that count in its places, and noise in the others."""
    rows = []
    care = bytearray(one.size)
    for number, contents in enumerate(turns):
        row = bytearray(one.size)
        for piece in one.passed.pieces:
            for byte, where in keys(piece):
                content = contents.get(where, Content(0, 0, own=False))
                care[byte] = content.care
                row[byte] = content.bits | NOISE[64 * number + byte % 64] & ~content.care & 0xFF
        rows.append(bytes(row))
    places = ", ".join(dict.fromkeys(place_text(piece.place) for piece in one.passed.pieces))
    object_of = (
        "" if one.address_of is None else "result" if one.address_of == RESULT else str(one.address_of)
    )
    return PlainValue(name, declare(one.type, name), Data(tuple(rows), bytes(care)), places, object_of)


def array(values: bytes) -> str:
    """The initialiser of an array of bytes."""
    return f"{{ {', '.join(f'{byte:#04x}' for byte in values)} }}"
