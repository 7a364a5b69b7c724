"""Translation units for the other witnesses of layouts: objects that DWARF describes, and code that writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.machines.render.c import definitions
from abiprobe.harness.machines.render.call_units import AREAS, MEMORY_FUNCTIONS
from abiprobe.harness.machines.render.layouts import WORD, all_bits, layouts_unit
from abiprobe.harness.machines.render.own_names import own_path
from abiprobe.harness.machines.render.sve import sve_names
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.text.place import MemberPlace

OBJECT = "abi_object_"
"""Objects of the records asked about, numbered in their order, have names that start so."""


class WitnessedRecord(msgspec.Struct, frozen=True):
    """A record with the members to ask about, and its size in bytes as the compiler has it."""

    record: Record
    offsets: tuple[MemberPlace, ...]
    bit_fields: tuple[MemberPlace, ...]
    size: int

    @property
    def words(self) -> int:
        """Numbers that the code for it stores first: the size, and the offset of each member."""
        return 1 + len(self.offsets)

    @property
    def out_bytes(self) -> int:
        """Bytes that the code for it stores in all."""
        return self.words * WORD + len(self.bit_fields) * self.size


def debug_unit(asked: Sequence[WitnessedRecord]) -> str:
    """The unit that asks for layouts by constants, with an object of each record: of those DWARF tells the type."""
    unit = layouts_unit([(each.record, each.offsets, each.bit_fields) for each in asked])
    objects = (f"{_type(each.record, index)} {OBJECT}{index};" for index, each in enumerate(asked))
    return unit + "\n".join(objects) + "\n"


def values_unit(asked: Sequence[WitnessedRecord]) -> str:
    """The unit whose function `i` stores in `abi_out` what it finds record `i` to be.

    First come the distance of neighbouring objects and that of each member from the start, as 64-bit numbers;
    then, for each bit-field, the bytes of a zeroed object to which all ones were written through that bit-field.
    The object is reached through a volatile pointer, so that code must address its members.
    """
    functions = [_function(index, each) for index, each in enumerate(asked)]
    names = ", ".join(f"values_{index}" for index in range(len(asked)))
    return "\n".join(
        (
            sve_names(functions) + MEMORY_FUNCTIONS,
            AREAS,
            *functions,
            f"void (*const abi_functions[])(void) = {{ {names} }};\n",
        )
    )


def _type(record: Record, index: int) -> str:
    return f"{record.keyword} {record.tag}_{index}"


def _function(index: int, asked: WitnessedRecord) -> str:
    name = _type(asked.record, index)
    return "\n".join(
        (
            definitions((asked.record,), f"_{index}"),
            f"static {name} {OBJECT}{index};",
            f"static {name} *volatile abi_pointer_{index} = &{OBJECT}{index};",
            f"void values_{index}(void) {{",
            f"  {name} *o = abi_pointer_{index};",
            "  unsigned long long *words = (unsigned long long *)abi_out;",
            *_statements(asked, f"_{index}"),
            "}",
        )
    )


def _statements(asked: WitnessedRecord, suffix: str) -> Iterator[str]:
    yield "  words[0] = (char *)(o + 1) - (char *)o;"
    for number, member in enumerate(asked.offsets, 1):
        yield f"  words[{number}] = (char *)&o->{own_path(member.path, suffix)} - (char *)o;"
    for number, member in enumerate(asked.bit_fields):
        at = asked.words * WORD + number * asked.size
        yield "  memset(o, 0, sizeof *o);"
        yield f"  o->{own_path(member.path, suffix)} = {all_bits(asked.record, member)};"
        # A compiler whose constants are not what its code does must not make it write outside the object.
        yield f"  memcpy(abi_out + {at}, o, sizeof *o < {asked.size} ? sizeof *o : {asked.size});"
