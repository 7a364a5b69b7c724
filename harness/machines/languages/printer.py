"""Questions in another language than C: a printer over the templates of a language.

As in C, a caller loads its arguments from `abi_in`, calls what `abi_target` points to and stores the result in `abi_out`;
a callee stores its parameters in `abi_out` and returns what `abi_in` holds. Both are functions of global names
(`caller_symbol`, `callee_symbol`), of which abiprobe makes the table that a unit of C has itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from abiprobe.harness.machines.languages.language import (
    CALLEE,
    CALLER,
    LAYOUTS,
    PROTOTYPE,
    RECORD,
    SIGNATURES,
    Language,
)
from abiprobe.harness.machines.render.arrange import LIVE, Arrangement
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.lang import (
    Array,
    Complex,
    Enum,
    Kind,
    Member,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    declared,
    strip,
)
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question
from abiprobe.oracles.text.place import MemberPlace

NUMBER, TAG = "\x01", "\x02"
"""Stand for the number of a probe, and for what tells the units of two subjects apart, where these are left open."""
STEP = re.compile(r"\w+")


class PrintedValue(msgspec.Struct, frozen=True):
    """A value of a call, for a template: `offset` in the buffers; `narrow` asks for it to be stored as 8 bytes.

    `scalar` is the C spelling of a scalar, empty for others; `bits` and `signed` tell about integers.
    """

    name: str
    type: str
    offset: int
    narrow: bool
    scalar: str = ""
    bits: int = 0
    signed: bool = False


class Field(msgspec.Struct, frozen=True):
    """A member of a record, for a template: `align` is what attributes ask for, 0 for nothing.

    Where the language itself has C's declarations, `attribute` and `alignas` tell the two apart; `width` (bits) is that of a bit-field.
    """

    name: str
    type: str
    packed: bool = False
    align: int = 0
    element: str = ""
    lengths: tuple[int, ...] = ()
    width: int | None = None
    attribute: int = 0
    alignas: int = 0


class RecordText(msgspec.Struct, frozen=True):
    """A record, for a template: `pack` and `align` are 0 where nothing asks for any.

    `whole` is what its alignment is in the end where an attribute asks for one, and 0 elsewhere.
    """

    name: str
    union: bool
    fields: tuple[Field, ...]
    packed: bool
    pack: int
    align: int
    whole: int


class PathStep(msgspec.Struct, frozen=True):
    """A step on the way to a member, for a template.

    Into the member `name` of `owner` (perhaps a union), or to element `index` of `element`.
    """

    owner: str = ""
    name: str = ""
    union: bool = False
    element: str = ""
    index: int = 0


class Printer:
    """Prints questions in a language, with the integers of an ABI.

    `types` tell how wide they are: a language may have no other name for `long` than that of 64 bits.
    """

    jump = ""
    """The instruction that goes on where `abi_target` points to, for a language that calls functions by their names alone."""

    def __init__(self, language: Language, types: TypeTable) -> None:
        self.language, self.types = language, types

    def type(self, c_type: Type, suffix: str = "") -> str:
        """A type, which the language can say, as it spells it."""
        names = self.language.about.types
        match strip(c_type):
            case Scalar(kind):
                return self.scalar(kind)
            case Enum() as enum:
                return self.scalar(self.types.enum_kind(enum))
            case Pointer(function=function):
                return names["function pointer" if function else "pointer"]
            case Array(element=element, length=length):
                return names["array"].format(length=length or 0, element=self.type(element, suffix))
            case Complex(kind):
                return names["complex"].format(element=self.scalar(kind))
            case Vector(kind, size):
                lanes = size // self.types.data.kind(kind).size
                return names["vector"].format(lanes=lanes, element=self.scalar(kind))
            case Record() as record:
                return self.record_name(record, suffix)
            case other:
                raise AssertionError(f"nobody asks a language for a type that it cannot say: {other}")

    def scalar(self, kind: Kind) -> str:
        """A scalar; its name may have a place for the number of its bits and for the letter of its sign."""
        about = self.language.about
        bits, sign = 8 * self.types.data.kind(kind).size, "i" if self.signed(kind) else "u"
        name = about.types[kind.value].format(bits=bits, sign=sign)
        return about.integers.get(name, name)

    def signed(self, kind: Kind) -> bool:
        """Return whether an integer is signed."""
        return kind.is_integer and self.types.data.is_signed(kind)

    def record_name(self, record: Record, suffix: str) -> str:
        """Return the name of a record."""
        names = self.language.about.types
        return names[record.keyword if record.union else "record"].format(
            name=self.language.own(record.tag) + suffix
        )

    def definitions(self, types: Sequence[Type], suffix: str = "") -> str:
        """The definitions of all records that `types` need."""
        records = (one for one in declared(tuple(types)) if isinstance(one, Record))
        return "".join(self.language.render(RECORD, record=self.record(one, suffix)) for one in records)

    def record(self, record: Record, suffix: str) -> RecordText:
        """A record for the template."""
        fields = tuple(self.field(member, suffix) for member in record.members)
        whole = self.types.alignof(record) if record.align else 0
        name = self.record_name(record, suffix)
        return RecordText(
            name, record.union, fields, record.packed, record.pack or 0, record.align or 0, whole
        )

    def field(self, member: Member, suffix: str) -> Field:
        """A member for the template; of an array its element and lengths as well."""
        core: Type = member.type
        lengths: list[int] = []
        while isinstance(core, (Array, Typedef)):
            if isinstance(core, Array):
                lengths.append(core.length or 0)
            core = core.element if isinstance(core, Array) else core.base
        attribute, alignas = member.align or 0, member.alignas or 0
        return Field(
            self.language.own(member.name),
            self.type(member.type, suffix),
            member.packed,
            max(attribute, alignas),
            self.type(core, suffix),
            tuple(lengths),
            member.width,
            attribute,
            alignas,
        )

    def functions(self, function: Prototype, slots: Arrangement) -> str:
        """The caller and the callee of a probe, with the records that they need."""
        return "".join(self.parts(function, slots, f"_{NUMBER}", NUMBER, TAG))

    def parts(
        self, function: Prototype, slots: Arrangement, suffix: str = "", number: str = "0", tag: str = ""
    ) -> tuple[str, str, str]:
        """The records, the caller and the callee of a probe."""
        used = (function.result, *(argument.type for argument in function.arguments))
        params = [
            self.value(f"p{index}", argument.type, slot, suffix)
            for index, (argument, slot) in enumerate(zip(function.arguments, slots.params, strict=True))
        ]
        live = [
            self.value(item.name, item.type, slot, suffix)
            for item, slot in zip(LIVE, slots.live, strict=False)
        ]
        common = {"number": number, "params": params, "result": self.result(function, slots, suffix)}
        callee = ""
        if self.defines(function):
            callee = self.language.render(CALLEE, symbol=callee_symbol(number, tag), **common)
        called = {"name": function.name, "named": len(function.params), "variadic": function.variadic}
        return (
            self.definitions([c_type for c_type in used if c_type is not None], suffix),
            self.language.render(CALLER, symbol=caller_symbol(number, tag), live=live, **common, **called),
            callee,
        )

    @property
    def defines_all(self) -> bool:
        """Return whether the language can define all functions that it can call."""
        return not self.language.about.calls

    def defines(self, function: Prototype | CxxPrototype) -> bool:
        """Return whether the language can define a function that it can call."""
        return not needs(function) & self.language.lacks_to_define

    def signatures(self, function: Prototype, number: int) -> str:
        """A definition, a declaration and a call of a prototype, with the records that they need."""
        suffix, slots = f"_{number}", arrangement(function)
        used = (function.result, *(argument.type for argument in function.arguments))
        params = [
            self.value(f"p{index}", argument.type, slot, suffix)
            for index, (argument, slot) in enumerate(zip(function.arguments, slots.params, strict=True))
        ]
        result = None
        if function.result is not None and slots.result is not None:
            result = self.value("result", function.result, slots.result, suffix)
        records = self.definitions([c_type for c_type in used if c_type is not None], suffix)
        return records + self.language.render(SIGNATURES, number=number, params=params, result=result)

    def value(self, name: str, c_type: Type, slot: Slot, suffix: str) -> PrintedValue:
        """A value for the templates."""
        kind = self.kind(c_type)
        integer = kind is not None and kind.is_integer
        assert kind is not None or not slot.narrow, "only integers are widened"
        return PrintedValue(
            name,
            self.type(c_type, suffix),
            slot.offset,
            bool(slot.narrow),
            kind.value if kind else "",
            8 * self.types.data.kind(kind).size if kind and integer else 0,
            self.signed(kind) if kind else False,
        )

    def result(self, function: Prototype, slots: Arrangement, suffix: str) -> PrintedValue | None:
        """The result of a function for the templates, if it has one."""
        if function.result is None or slots.result is None:
            return None
        return self.value("result", function.result, slots.result, suffix)

    def kind(self, c_type: Type) -> Kind | None:
        """The kind of a scalar, that of its integers for an enumeration; `None` for what is no scalar."""
        match strip(c_type):
            case Scalar(kind):
                return kind
            case Enum() as enum:
                return self.types.enum_kind(enum)
            case _:
                return None

    def calls_unit(self, functions: Sequence[str], tag: str = "") -> str:
        """The unit with the functions of probes (see `functions`), numbered in order."""
        probes = [
            text.replace(NUMBER, str(number)).replace(TAG, tag) for number, text in enumerate(functions)
        ]
        return self.language.unit(probes, tag=tag)

    def layouts_unit(self, asked: Sequence[tuple[Record, Sequence[MemberPlace], int]]) -> str:
        """The unit that tells size and alignment of records, and the offsets of some of their members, as constants.

        So many zeros as stand with a record come behind them, for what only C can tell.
        """
        probes = [
            self.definitions((record,), f"_{number}").rstrip("\n") + "\n"
            for number, (record, _, _) in enumerate(asked)
        ]
        records = [
            {
                "name": self.record_name(record, f"_{number}"),
                "members": [tuple(self.steps(record, place.path, f"_{number}")) for place in places],
                "zeros": zeros,
            }
            for number, (record, places, zeros) in enumerate(asked)
        ]
        count = sum(2 + len(places) + zeros for _, places, zeros in asked)
        layouts = self.language.render(LAYOUTS, records=records, count=count)
        return self.language.unit(probes, layouts)

    def steps(self, record: Record, path: str, suffix: str) -> Iterator[PathStep]:
        """The way to a member, `a.b[1]`, with the types that are passed on it."""
        here: Type = record
        for step in STEP.findall(path):
            here = strip(here)
            if isinstance(here, Array):
                here = here.element
                yield PathStep(element=self.type(here, suffix), index=int(step))
            else:
                assert isinstance(here, Record), "a path goes on through records and arrays only"
                owner, record = self.record_name(here, suffix), here
                here = next(member.type for member in record.members if member.name == step)
                yield PathStep(owner=owner, name=self.language.own(step), union=record.union)

    def declaration(self, question: Question) -> str:
        """A question for people: its records and its prototype, or a callee where that is what the language has."""
        assert not isinstance(question, CXX_QUESTIONS), "other languages are asked questions of C"
        if isinstance(question, Record):
            return self.definitions((question,)).strip()
        slots = arrangement(question)
        records, _, callee = self.parts(question, slots)
        if self.language.has(PROTOTYPE):
            callee = self.prototype(question, slots)
        return f"{records}{callee}".strip()

    def prototype(self, function: Prototype, slots: Arrangement) -> str:
        """A prototype with the names that it has in C."""
        params = [
            self.value(self.language.own(param.name), param.type, slot, "")
            for param, slot in zip(function.params, slots.params, strict=False)
        ]
        name = self.language.own(function.name)
        return self.language.render(
            PROTOTYPE,
            name=name,
            params=params,
            result=self.result(function, slots, ""),
            variadic=function.variadic,
        )


def arrangement(function: Prototype) -> Arrangement:
    """Slots for a text that nobody compiles."""
    slots = tuple(Slot(16 * index, 16, 0) for index in range(1, 1 + len(function.arguments)))
    return Arrangement(Slot(0, 16, 0) if function.result is not None else None, slots, 0)


def caller_symbol(number: int | str, tag: str) -> str:
    """The global name of a caller."""
    return f"abi_call_{number}{tag}"


def callee_symbol(number: int | str, tag: str) -> str:
    """The global name of a callee."""
    return f"abi_callee_{number}{tag}"


def jump_symbol(number: int | str, tag: str) -> str:
    """The global name of a function that goes on where `abi_target` points to."""
    return f"abi_jump_{number}{tag}"


@cache
def table_text(
    count: int, table: str, tag: str, without: frozenset[int] = frozenset(), jump: str = ""
) -> str:
    """The C of the table of functions of a unit in another language; the probes of `without` have no callee.

    Callers may call a function with the instruction `jump` in place of what `abi_target` points to.
    """
    names = [
        name
        for number in range(count)
        for name in (caller_symbol(number, tag), "0" if number in without else callee_symbol(number, tag))
    ]
    externs = "".join(f"extern void {name}(void);\n" for name in names if name != "0")
    symbols = [jump_symbol(number, tag) for number in range(count) if jump]
    jumps = "".join(f'__asm__(".text\\n.globl {name}\\n{name}: {jump}");\n' for name in symbols)
    return f"{externs}void (*const {table}[])(void) = {{ {', '.join(names)} }};\n{jumps}"
