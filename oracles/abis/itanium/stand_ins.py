"""Records of C that stand for types of C++ in a call: the same members in the same places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import msgspec

from abiprobe.oracles.abis.itanium.definitions import is_empty, is_empty_member
from abiprobe.oracles.abis.itanium.graph import Node, virtual_bases
from abiprobe.oracles.abis.itanium.laid import Table
from abiprobe.oracles.abis.itanium.triviality import has_non_trivial_part
from abiprobe.oracles.abis.itanium.underlying import as_member, c_type_of
from abiprobe.oracles.engine.policies import CallHabit
from abiprobe.oracles.engine.records import Field, Shape
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.classes import Class, CxxArray, CxxType, DataMemberPointer
from abiprobe.oracles.language.lang import Array, Kind, Member, Record, Scalar, Type
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)

HALVES = {4: Kind.SHORT, 8: Kind.INT}
"""The integer of half as many bytes."""


@dataclass(eq=False)
class StandIns(TypeTable):
    """The types of a C ABI, and records that stand for the classes of one question, laid out as those are."""

    table: Table | None = None
    _stand_ins: dict[Class, Record] = field(default_factory=dict, repr=False)
    _laid: dict[Record, Shape] = field(default_factory=dict, repr=False)

    @classmethod
    def over(cls, table: Table) -> StandIns:
        """The types over which the classes of a table are laid out."""
        base = table.types
        # What is done about empty records of C is not done about empty classes; that is a habit of its own.
        habits = replace(base.policies, unplaced_empties=frozenset())
        return cls(base.data, base.text, base.reading, base.options, base.own, habits=habits, table=table)

    def stand_in(self, c_type: CxxType) -> Type:
        """The type of C that stands for a type of C++; raises `AbsentError` where there is none."""
        match c_type:
            case Class():
                return self.stand_in_class(c_type)
            case CxxArray(element, length):
                return Array(self.stand_in(element), length)
            case DataMemberPointer() if CallHabit.OPAQUE_MEMBER_POINTERS in self.policies.calls:
                return self._opaque()
            case _:
                assert self.table is not None, "who makes a table of stand-ins says over which classes"
                return c_type_of(c_type, self.table.types, self.table.measured)

    def stand_in_class(self, asked: Class) -> Record:
        """The record that stands for a class."""
        known = self._stand_ins.get(asked)
        if known is None:
            known = self._stand_ins[asked] = self._made(asked)
        return known

    def with_byte(self, asked: Class) -> Record:
        """A record with one byte that is as large as an empty class, and aligned as it is; another than `one_byte` makes."""
        whole, record = self.shape(self.stand_in_class(asked)), one_byte(asked.tag, "sized")
        natural = whole if CallHabit.ALIGNED_EMPTY_PARTS in self.policies.calls else super()._lay_out(record)
        fields = super()._lay_out(record).fields
        self._laid[record] = msgspec.structs.replace(whole, fields=fields, natural=natural.natural)
        return record

    def _lay_out(self, record: Record) -> Shape:
        return self._laid.get(record) or super()._lay_out(record)

    def _of_member(self, c_type: CxxType) -> Type:
        """The type of a member; an empty class that a compiler takes for something else has bits without a name."""
        if CallHabit.SIZED_EMPTY_MEMBERS not in self.policies.calls:
            return self.stand_in(c_type)
        if isinstance(c_type, CxxArray):
            return Array(self._of_member(c_type.element), c_type.length)
        if not isinstance(c_type, Class) or not is_empty(c_type):
            return self.stand_in(c_type)
        record = Record(c_type.tag, (Member(Scalar(Kind.UCHAR), "", 8),))
        fields = super()._lay_out(record).fields
        self._laid[record] = msgspec.structs.replace(self.shape(self.stand_in_class(c_type)), fields=fields)
        return record

    def _opaque(self) -> Type:
        """A type with the size and alignment of an address that is no integer."""
        word = self.data.pointer
        halves = tuple(Member(Scalar(HALVES[word.size]), name) for name in ("low", "high"))
        return Record("", halves, align=word.align)

    @implements("calls.corresponding")
    def _made(self, asked: Class) -> Record:
        """The record of a class, whose shape is noted: its bases as members, and nothing that is empty.

        The bit-fields of a base that has only such without a name are its own. Where there are virtual bases, so that it travels by
        its address, the members of all bases are its own.
        """
        assert self.table is not None, "who makes a table of stand-ins says over which classes"
        laid = self.table.laid(asked)
        of_bases = self._inherited(asked) if virtual_bases(asked) else self._base_fields(asked)
        fields = (*of_bases, *self._member_fields(asked))
        members = tuple(one.member for one in fields)
        record = Record(asked.tag, members, asked.union, align=laid.align)
        natural = max(self._alignments(asked), default=1)
        self._laid[record] = Shape(laid.size, laid.align, fields, laid.clause, user=False, natural=natural)
        if self._has_part_with_code(asked):
            self._addressable.add(record)
        return record

    def _has_part_with_code(self, asked: Class) -> bool:
        """Return whether a class has a part that is not trivial for calls, if the compiler treats it otherwise for that."""
        habits = self.policies.calls
        declared = CallHabit.DECLARED_DELETIONS in habits
        if not declared and habits.isdisjoint({CallHabit.PARTS_IN_MEMORY, CallHabit.PARTS_IN_INTEGERS}):
            return False
        if CallHabit.RIGHT_ALIGNED_REALS in habits:
            sized = tuple(base for base in asked.bases if not is_empty(base.type))
            asked = msgspec.structs.replace(asked, bases=sized)
        return has_non_trivial_part(asked, declared=declared)

    def _alignments(self, asked: Class) -> Iterator[int]:
        """The alignments of the bases and members, as far as they count."""
        assert self.table is not None, "who makes a table of stand-ins says over which classes"
        habits = self.policies.calls
        for base in asked.bases:
            empty = is_empty(base.type)
            overlooked = CallHabit.OVERLOOKED_EMPTY_BASES if empty else CallHabit.OVERLOOKED_BASES
            if overlooked not in habits:
                yield self.table.laid(base.type).non_virtual_align
        for member in asked.members:
            overlooked_type = is_empty_member(member) and CallHabit.OVERLOOKED_EMPTY_MEMBERS in habits
            own = 1 if overlooked_type else self.table.extent(member.type).align
            if member.width is None or member.name or self.text.unnamed_align:
                yield max(filter(None, (own, member.alignas, member.align)))

    def _base_fields(self, asked: Class) -> Iterator[Field]:
        assert self.table is not None, "who makes a table of stand-ins says over which classes"
        laid = self.table.laid(asked)
        for index, base in enumerate(asked.bases):
            if is_empty(base.type):
                continue
            at = laid.offset_of(Node(base.type, None, (index,)))
            record = self.stand_in_class(base.type)
            inner = self.shape(record)
            if any(one.name for one in record.members):
                yield Field(Member(record, base.type.tag), at * 8, inner.size * 8, laid.clause)
            elif CallHabit.NO_UNNAMED_BASES not in self.policies.calls:
                for one in inner.fields:
                    yield msgspec.structs.replace(one, bit_offset=at * 8 + one.bit_offset)

    def _inherited(self, asked: Class) -> Iterator[Field]:
        assert self.table is not None, "who makes a table of stand-ins says over which classes"
        for number, base in enumerate(self.table.laid(asked).bases):
            for one in self._member_fields(base.node.type):
                named = msgspec.structs.replace(one.member, name=f"base{number}_{one.member.name}")
                yield Field(named, base.offset * 8 + one.bit_offset, one.bit_width, one.clause)

    def _member_fields(self, asked: Class) -> Iterator[Field]:
        assert self.table is not None, "who makes a table of stand-ins says over which classes"
        for placed in self.table.laid(asked).members:
            overlooked = placed.member.width == 0 and CallHabit.NO_ZERO_WIDTHS in self.policies.calls
            if overlooked or is_empty_member(placed.member):
                continue
            member = as_member(placed.member, self._of_member(placed.member.type))
            yield Field(member, placed.bit_offset, placed.bit_width, placed.clause)


def one_byte(tag: str, name: str = "_") -> Record:
    """A record of one byte, its member."""
    return Record(tag, (Member(Scalar(Kind.UCHAR), name),))
