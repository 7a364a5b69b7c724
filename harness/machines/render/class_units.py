"""Translation units that ask how C++ classes are laid out: constants, and code that converts pointers and writes bit-fields.

Every class of a question has a friend that may name all its members. Two more classes tell how much of the class itself
others may use: one derived from it, and one with a potentially-overlapping member of its type, each with a `char` behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.harness.machines.render.call_units import AREAS
from abiprobe.harness.machines.render.cxx import definitions, named
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.oracles.language.classes import (
    Base,
    Class,
    CxxArray,
    DataMember,
    FixedEnum,
    Reference,
    Specials,
)
from abiprobe.oracles.language.lang import Kind, Scalar

WORD = 8
"""Bytes of each number that a unit tells."""
FRIEND = "Obs"
CHAR = Scalar(Kind.CHAR)
LAYOUT = "abi_layout_"
"""How the constants of each question are called, a number behind it."""
PRELUDE = f"""\
typedef __SIZE_TYPE__ abi_size;
inline void *operator new(abi_size, void *place) noexcept {{ return place; }}
void operator delete(void *) noexcept {{}}
void operator delete(void *, abi_size) noexcept {{}}
void operator delete(void *, abi_size, std::align_val_t) noexcept {{}}
extern "C" {{
void *memset(void *, int, abi_size);
void *memcpy(void *, const void *, abi_size);
void __cxa_pure_virtual() {{}}
{AREAS}
}}
int abi_somewhere;
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
    def constants(self) -> int:
        """The number of constants of the class."""
        return 2 + len(self.offsets) + len(behind(self.asked))

    def out_bytes(self, size: int) -> int:
        """Bytes that the code for it stores, where an object has `size` bytes."""
        return len(self.bases) * WORD + len(self.bit_fields) * size


def behind(asked: Class) -> tuple[Class, ...]:
    """The classes that tell where something may be behind a class: as a base, if it may be one, and as a member."""
    follower = DataMember(CHAR, "c")
    derived = Class("Derived", (Base(asked),), (follower,), specials=Specials(other=True))
    holder = Class("Holder", (), (DataMember(asked, "m", no_unique_address=True), follower))
    return (holder,) if asked.final or asked.union else (derived, holder)


def by_offset(asked: Class) -> tuple[DataMember, ...]:
    """The members that `offsetof` may name: no bit-fields and no references."""
    return tuple(
        one for one in asked.members if one.name and one.width is None and not isinstance(one.type, Reference)
    )


def constants_unit(questions: Sequence[AskedClass]) -> str:
    """The unit with the constants of each class: size, alignment, offsets, and where a `char` behind it lies, in bytes."""
    lines = []
    for index, each in enumerate(questions):
        asked, more = each.asked, behind(each.asked)
        numbers = [f"sizeof({asked.tag})", f"alignof({asked.tag})"]
        numbers += [f"__builtin_offsetof({asked.tag}, {one.name})" for one in each.offsets]
        numbers += [f"__builtin_offsetof({one.tag}, c)" for one in more]
        table = f'__asm__("{LAYOUT}{index}")'
        lines += [
            marker(index),
            f"namespace abi_{index} {{ struct {FRIEND};",
            definitions(asked, FRIEND, more),
            f"struct {FRIEND} {{ static const unsigned long long r[] {table}; }};",
            f"const unsigned long long {FRIEND}::r[] = {{ {', '.join(numbers)} }}; }}",
        ]
    return "\n".join(lines) + "\n"


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
            f"namespace abi_{index} {{ struct {FRIEND};",
            definitions(asked, FRIEND, made=each.made),
            f"struct {FRIEND} {{ static void run(); }};",
            f"static char object[sizeof({asked.tag})] __attribute__((aligned(alignof({asked.tag}))));",
            f"static {asked.tag} *volatile reached = ({asked.tag} *)object;",
            f"void {FRIEND}::run() {{",
            *statements(each, size),
            "} }",
        ]
    names = ", ".join(f"abi_{index}::{FRIEND}::run" for index in range(len(questions)))
    table = f'extern "C" {{ extern void (*const abi_functions[])(); void (*const abi_functions[])() = {{ {names} }}; }}'
    return "\n".join([*lines, table, ""])


def statements(each: AskedClass, size: int) -> list[str]:
    """The statements about one class."""
    tag = each.asked.tag
    lines = ["  unsigned long long *words = (unsigned long long *)abi_out;"]
    if any(base.virtual for base in each.bases):
        lines.append(f"  ::new ((void *)object) {tag};")
    lines.append(f"  {tag} *o = reached;")
    for number, base in enumerate(each.bases):
        converted = "o"
        for one in base.path:
            converted = f"({named(one)} *){converted}"
        lines.append(f"  words[{number}] = (char *){converted} - (char *)o;")
    for number, item in enumerate(each.bit_fields):
        at = len(each.bases) * WORD + number * size
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
        case FixedEnum(tag):
            return f"({tag})-1"
        case CxxArray():
            raise AssertionError("a bit-field is no array")
        case _:
            return "-1"
