"""Translation units that ask how C++ classes are laid out: constants, and code that converts pointers and writes bit-fields.

Every class of a question has a friend that may name all its members. Two more classes tell how much of the class itself
others may use: one derived from it, and one with a potentially-overlapping member of its type, each with a `char` behind it.
An abstract class is no member of any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from abiprobe.harness.machines.render.call_units import AREAS
from abiprobe.harness.machines.render.cxx import definitions
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.oracles.abis.itanium.graph import REMEMBERED
from abiprobe.oracles.language.classes import (
    Base,
    Class,
    CxxArray,
    DataMember,
    FixedEnum,
    Reference,
    Specials,
    pure_functions,
)
from abiprobe.oracles.language.lang import Enum, Kind, Scalar

WORD = 8
"""Bytes of each number that a unit tells."""
FRIEND = "Obs"
CHAR = Scalar(Kind.CHAR)
LAYOUT = "abi_layout_"
"""How the constants of each question are called, a number behind it."""
PRELUDE = f"""\
#define WEAK __attribute__((weak))
typedef __SIZE_TYPE__ abi_size;
inline void *operator new(abi_size, void *place) noexcept {{ return place; }}
WEAK void operator delete(void *) noexcept {{}}
WEAK void operator delete(void *, abi_size) noexcept {{}}
WEAK void operator delete(void *, abi_size, std::align_val_t) noexcept {{}}
extern "C" {{
void *memset(void *, int, abi_size);
void *memcpy(void *, const void *, abi_size);
WEAK void __cxa_pure_virtual() {{}}
{AREAS}
}}
"""
STD = "namespace std { enum class align_val_t : __SIZE_TYPE__ {}; }\n"


class AskedBase(msgspec.Struct, frozen=True):
    """A base subobject that can be converted to: the classes on the way, and whether it is, or is in, a virtual base."""

    what: str
    path: tuple[Class, ...]
    virtual: bool


class AskedClass(msgspec.Struct, frozen=True):
    """The questions about one class: members by `offsetof`, bases by conversion, and bit-fields by their bits.

    Objects are `made` of itself and its parts where a virtual base is asked for.
    """

    asked: Class
    offsets: tuple[DataMember, ...]
    bases: tuple[AskedBase, ...]
    bit_fields: tuple[DataMember, ...]
    made: frozenset[Class] = frozenset()

    @property
    def behind(self) -> tuple[str, ...]:
        """The tags of the classes that tell where something may be behind the class."""
        return tuple(one.tag for one in behind(self.asked))

    @property
    def constants(self) -> int:
        """The number of constants of the class."""
        return 2 + len(self.offsets) + len(behind(self.asked))

    def out_bytes(self, size: int) -> int:
        """Bytes that the code for it stores, where an object has `size` bytes."""
        return len(self.bases) * WORD + len(self.bit_fields) * size


@lru_cache(REMEMBERED)
def behind(asked: Class) -> tuple[Class, ...]:
    """The classes that tell where something may be behind a class: as a base, if it may be one, and as a member."""
    follower = DataMember(CHAR, "c")
    derived = Class("Derived", (Base(asked),), (follower,), specials=Specials(other=True))
    holder = Class("Holder", (), (DataMember(asked, "m", no_unique_address=True), follower))
    as_base = () if asked.final or asked.union else (derived,)
    return as_base if pure_functions(asked) else (*as_base, holder)


def by_offset(asked: Class) -> tuple[DataMember, ...]:
    """The members that `offsetof` may name, those of anonymous unions among them: no bit-fields and no references."""
    found: list[DataMember] = []
    for one in asked.members:
        if one.name and one.width is None and not isinstance(one.type, Reference):
            found.append(one)
        elif not one.name and isinstance(one.type, Class):
            found += by_offset(one.type)
    return tuple(found)


def constants_unit(questions: Sequence[AskedClass]) -> str:
    """The unit with the constants of each class: size, alignment, offsets, and where a `char` behind it lies, in bytes."""
    lines = []
    for index, each in enumerate(questions):
        asked = each.asked
        table = f'__asm__("{LAYOUT}{index}")'
        lines += [
            marker(index),
            f"namespace {namespace(index)} {{ struct {FRIEND};",
            definitions(asked, FRIEND, behind(asked)),
            f"struct {FRIEND} {{ static const unsigned long long r[] {table}; }};",
            f"const unsigned long long {FRIEND}::r[] = {{ {', '.join(numbers(each))} }}; }}",
        ]
    return "\n".join(lines) + "\n"


def namespace(index: int) -> str:
    """The namespace of the classes of a question."""
    return f"abi_{index}"


def numbers(each: AskedClass) -> list[str]:
    """The constant expressions about a class, in bytes: size, alignment, offsets, and where a `char` behind it lies."""
    tag = each.asked.tag
    return [
        f"sizeof({tag})",
        f"alignof({tag})",
        *(f"__builtin_offsetof({tag}, {one.name})" for one in each.offsets),
        *(f"__builtin_offsetof({one}, c)" for one in each.behind),
    ]


def assertions(each: AskedClass, wanted: Mapping[str, int]) -> list[str]:
    """Assertions that each constant of a class is as it is `wanted`, by what it is about and in their order."""
    return [
        f'  static_assert({expression} == {value}, "WRONG: {what} is not {value}");'
        for expression, (what, value) in zip(numbers(each), wanted.items(), strict=True)
    ]


def assertions_unit(each: AskedClass, wanted: Mapping[str, int]) -> str:
    """The unit that is rejected unless each constant of a class is as it is `wanted`."""
    asked = each.asked
    lines = [f"struct {FRIEND};", definitions(asked, FRIEND, behind(asked)), f"struct {FRIEND} {{"]
    return "\n".join([*lines, *assertions(each, wanted), "};", ""])


def telling_unit(each: AskedClass, size: int) -> str:
    """The unit of which one function stores all that is asked about a class, whose objects have so many bytes at most.

    First come the constants and the offsets of bases as 64-bit numbers, then an object for each bit-field as in `running_unit`.
    """
    asked = each.asked
    told = [f"  words[{number}] = (unsigned long long)({one});" for number, one in enumerate(numbers(each))]
    lines = [
        STD + PRELUDE,
        f"namespace {namespace(0)} {{ struct {FRIEND};",
        definitions(asked, FRIEND, behind(asked), each.made),
        *function(each, size, told, len(told)),
        "static void nothing() {}",
        "}",
        f'extern "C" {{ extern void (*const abi_functions[])(); void (*const abi_functions[])() = {{ {namespace(0)}::nothing, {namespace(0)}::{FRIEND}::run }}; }}',
    ]
    return "\n".join([*lines, ""])


def running_unit(questions: Sequence[AskedClass], sizes: Sequence[int]) -> str:
    """The unit whose function `i` stores in `abi_out` what it finds class `i` to be, objects of which have so many bytes.

    First come the offsets of bases as 64-bit numbers; then, for each bit-field, the bytes of a zeroed object to which all ones were
    written through that bit-field. The object is reached through a volatile pointer, so that code must convert it.
    """
    lines = [STD + PRELUDE]
    for index, (each, size) in enumerate(zip(questions, sizes, strict=True)):
        asked = each.asked
        lines += [
            marker(index),
            f"namespace {namespace(index)} {{ struct {FRIEND};",
            definitions(asked, FRIEND, made=each.made),
            *function(each, size),
            "}",
        ]
    names = ", ".join(f"{namespace(index)}::{FRIEND}::run" for index in range(len(questions)))
    table = f'extern "C" {{ extern void (*const abi_functions[])(); void (*const abi_functions[])() = {{ {names} }}; }}'
    return "\n".join([*lines, table, ""])


def function(each: AskedClass, size: int, begins: Sequence[str] = (), first: int = 0) -> list[str]:
    """The function about one class, which `begins` with these statements; what the others store begins at word `first`."""
    tag = each.asked.tag
    return [
        f"struct {FRIEND} {{ static void run(); }};",
        f"static char object[sizeof({tag})] __attribute__((aligned(alignof({tag}))));",
        f"static {tag} *volatile reached = ({tag} *)object;",
        f"void {FRIEND}::run() {{",
        "  unsigned long long *words = (unsigned long long *)abi_out;",
        *begins,
        *statements(each, size, first),
        "}",
    ]


def statements(each: AskedClass, size: int, first: int = 0) -> list[str]:
    """The statements about objects of one class; what they store begins at word `first`."""
    tag = each.asked.tag
    lines = []
    if any(base.virtual for base in each.bases):
        lines.append(f"  ::new ((void *)object) {tag};")
    lines.append(f"  {tag} *o = reached;")
    for number, base in enumerate(each.bases):
        converted = "o"
        for one in base.path:
            converted = f"({one.tag} *){converted}"
        lines.append(f"  words[{first + number}] = (char *){converted} - (char *)o;")
    for number, item in enumerate(each.bit_fields):
        at = (first + len(each.bases)) * WORD + number * size
        lines += [
            "  memset((void *)o, 0, sizeof *o);",
            f"  o->{item.name} = {all_ones(item)};",
            # A compiler whose constants are not what its code does must not make it write outside the object.
            f"  memcpy(abi_out + {at}, (void *)o, sizeof *o < {size} ? sizeof *o : {size});",
        ]
    return lines


def all_ones(item: DataMember) -> str:
    """An expression with every bit of a bit-field set."""
    match item.type:
        case Scalar(Kind.BOOL):
            return "true"
        case FixedEnum(tag=tag) | Enum(tag=tag):
            return f"({tag})-1"
        case CxxArray():
            raise AssertionError("a bit-field is no array")
        case _:
            return "-1"
