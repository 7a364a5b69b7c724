"""The procedure of section 2.4, by which a class that is no POD is laid out, a step a method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from abiprobe.oracles.abis.itanium.asked_alignment import asks_for_alignment, is_asked
from abiprobe.oracles.abis.itanium.definitions import (
    holds_data,
    is_dynamic,
    is_empty,
    is_empty_member,
    is_pod,
    lends_padding,
)
from abiprobe.oracles.abis.itanium.graph import Node, direct, virtual_bases, walk
from abiprobe.oracles.abis.itanium.laid import Laid, Placed, Settled, Table
from abiprobe.oracles.abis.itanium.packing import is_beyond_packing, is_packed, is_packed_in
from abiprobe.oracles.abis.itanium.primary import nearly_empty, owners, primary_base
from abiprobe.oracles.abis.itanium.triviality import runs_code
from abiprobe.oracles.abis.itanium.underlying import as_member, as_record
from abiprobe.oracles.engine.attributes import Extent, member_alignment, wish
from abiprobe.oracles.engine.contested import contested_member
from abiprobe.oracles.engine.policies import ClassHabit
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Cursor, round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.sysv_bits import SYSV
from abiprobe.oracles.language.classes import Base, Class, DataMember, direct_classes
from abiprobe.oracles.language.classes import parts as parts_of
from abiprobe.oracles.language.lang import Kind, Pointer, Record, Scalar
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
COMPONENT = cite("component")
BASE_SIZE = cite("base.size")
MEMBER_SIZE = cite("member.size")
OVERLAP = cite("pod.overlap")
EMPTY = cite("empty-component")
BIT_FIELD = cite("bits.place")
BIT_ALIGN = cite("bits.align")
OVERSIZED = cite("bits.oversized")
PRIMARY = cite("primary")
NEARLY_EMPTY = cite("nearly-empty")
VIRTUAL = cite("virtual-base")
VIRTUAL_POINTER = cite("virtual-pointer")
SIZE = cite("size")
ALIGNED = cite("alignas")
UNION = cite("union", "oracles.abis.itanium.construction.construct")
NON_VIRTUAL = cite("non-virtual", "oracles.abis.itanium.construction.construct")
PACKED = cite("packed", "oracles.abis.itanium.construction.construct")
EVERY = tuple(Reading)
INTEGRAL = (Kind.LLONG, Kind.LONG, Kind.INT, Kind.SHORT, Kind.CHAR)
"""The integral types of C99, the largest first."""


@dataclass
class Construction:
    """A class under construction: sizes and alignment in bytes, where its parts are, and the next bit for a bit-field.

    `data` is the text's dsize by `data_clause`, and would be `without` if that did not hold; `reach` is the end of all that is no
    padding, `bit` the next available bit, which is in the last byte of the data where a bit-field of the class fills that in part.
    `owners` maps each virtual primary base to the subobject of which it is a part, `record` is the class as a record of C for the
    attributes that concern its members, `unpacked` for those that the attribute `packed` does not reach, and `readings` are the readings
    of C, that of the family which is followed or all.
    """

    table: Table
    whole: Class
    size: int = 0
    align: int = 1
    data: int = 0
    reach: int = 0
    bit: int = 0
    offsets: dict[Node, tuple[int, str]] = field(default_factory=dict)
    members: list[Placed] = field(default_factory=list)
    taken: set[tuple[Class, int]] = field(default_factory=set)
    without: int = 0
    data_clause: str = COMPONENT
    align_clause: str = SIZE
    size_clause: str = SIZE
    primary: Node | None = field(init=False)
    owners: Mapping[Node, Node] = field(init=False)
    record: Record = field(init=False)
    unpacked: Record = field(init=False)
    readings: Sequence[Reading] = field(init=False)

    def __post_init__(self) -> None:
        self.primary = primary_base(self.table, self.whole) if is_dynamic(self.whole) else None
        self.owners = owners(self.table, self.whole, self.primary) if virtual_bases(self.whole) else {}
        self.record = as_record(self.whole, ())
        packed = self.record.packed
        self.unpacked = msgspec.structs.replace(self.record, packed=False) if packed else self.record
        self.readings = EVERY if self.table.policy.family is None else (self.table.policy.family,)

    # I

    @implements("alignas", "virtual-pointer")
    def initialize(self) -> None:
        """Step I: the alignment that is asked for, and a pointer to a virtual table where no base has one to share."""
        # [cxxabi:alignas]
        self.align_to(self.whole.asked, ALIGNED)
        # [cxxabi:virtual-pointer]
        if is_dynamic(self.whole) and self.primary is None:
            pointer = self.table.types.extent(Pointer())
            self.size = pointer.size
            self.extend(pointer.size, VIRTUAL_POINTER, 0)
            align = 1 if is_packed(self.whole, self.table) else pointer.align
            self.align_to(self.limited(align), VIRTUAL_POINTER)

    # II

    @implements("order")
    def add_non_virtual(self) -> None:
        """Step II: the primary base, the other bases that are not virtual, and the members."""
        # [cxxabi:order]
        if self.primary is not None:
            self.add_base(self.primary, self.shared(self.primary, self.whole))
        for node in direct(Node(self.whole)):
            if not node.virtual and node != self.primary:
                self.add_base(node)
        for member in self.whole.members:
            if member.width is not None:
                self.add_bit_field(member)
            else:
                self.add_member(member)

    @implements("base.size")
    def add_base(self, node: Node, clause: str = "") -> None:
        """Place a base, empty (II-3) or not (II-2), without its virtual bases."""
        laid = self.table.laid(node.type)
        align = self.limited(laid.non_virtual_align)
        parts = tuple(self.empties(node, 0))
        if is_empty(node.type):
            # [cxxabi:empty-component]
            # To gcc no #pragma pack limits an empty base, to others none that is at the beginning.
            if self.table.policy.family is Reading.GCC:
                align = laid.non_virtual_align
            at = self.first_free(parts, align, empty=True)
            if at == 0:
                align = laid.non_virtual_align
            self.size = max(self.size, at + laid.size)
            if not node.virtual:
                self.reach = max(self.reach, at + laid.size)
            elif self.has(ClassHabit.EMPTY_VIRTUAL_COUNTS):
                # What is a POD has no bases, and no members but bit-fields of no bits.
                inside = 0 if laid.pod else laid.non_virtual_size
                self.reach = max(self.reach, at + inside)
            self.settle(node, at, clause or EMPTY)
            # [cxxabi:base.size]
            self.align_to(self.by_empty(align, asked=asks_for_alignment(node.type, whole=False)), BASE_SIZE)
        else:
            # [cxxabi:component]
            at = self.first_free(parts, align, empty=False, own=laid.non_virtual_align)
            self.settle(node, at, clause or self.decided(at, align))
            # [cxxabi:base.size]
            self.size = max(self.size, at + laid.non_virtual_size)
            self.align_to(align, BASE_SIZE)
            ends = laid.end(laid.non_virtual_size, BASE_SIZE, at)
            if node.virtual and laid.non_virtual_size == laid.size:
                ends = VIRTUAL, self.data
            self.extend(at + laid.non_virtual_size, *ends)
        self.take(parts, at, empty=is_empty(node.type))

    @implements("member.size")
    def add_member(self, member: DataMember) -> None:
        """Place a data member, empty (II-3) or not (II-2)."""
        extent = self.table.extent(member.type)
        align, asked = self.alignment(member, extent)
        parts = self.table.empties(member.type)
        empty = is_empty_member(member)
        at = (
            self.free_for_empty(member, parts, align)
            if empty
            else self.first_free(parts, align, empty=False, own=extent.align)
        )
        used, ends = extent.size, (MEMBER_SIZE, at + extent.size)
        if member.no_unique_address and isinstance(member.type, Class) and not empty:
            laid = self.table.laid(member.type)
            used, ends = laid.overlapping_size, laid.end(laid.overlapping_size, MEMBER_SIZE, at)
        elif self.has(ClassHabit.ANONYMOUS_ENDS) and not member.name and isinstance(member.type, Class):
            used = max(
                -(-(one.bit_offset + one.bit_width) // 8) for one in self.table.laid(member.type).members
            )
        clause = EMPTY if empty else self.decided(at, align, asked)
        self.size = max(self.size, at + used)
        self.reach = max(self.reach, at + used)
        self.align_to(self.by_empty(align, asked=is_asked(member)) if empty else align, asked or MEMBER_SIZE)
        if not empty:
            self.extend(at + used, *ends)
        elif self.has(ClassHabit.EMPTY_ENDS_BYTE):
            self.bit = self.data * 8
        self.take(parts, at, empty=empty, overlaps=member.no_unique_address)
        # [cxxabi:size]
        whole = extent.size * 8
        # [cxxabi:component]
        self.members.append(Placed(member, at * 8, whole, clause))

    def by_empty(self, align: int, *, asked: bool) -> int:
        """The alignment that an empty base or member gives the class, `asked` for or not."""
        return align if asked or not self.has(ClassHabit.UNASKED_EMPTIES) else 1

    def take(
        self, parts: Iterable[tuple[Class, int]], at: int, *, empty: bool, overlaps: bool = False
    ) -> None:
        """Remember where the empty subobjects of a component are, which is at an offset and `empty` itself or not.

        To clang one may lie where it `overlaps` others if it is a member with `no_unique_address`.
        """
        near = None if empty else self.table.policy.near
        if self.has(ClassHabit.NEAR_OWN_EMPTIES) and not (empty or overlaps):
            near = self.largest_empty - 1
        found = ((one, at + offset) for one, offset in parts)
        self.taken.update((one, where) for one, where in found if near is None or where <= near)

    @cached_property
    def largest_empty(self) -> int:
        """Bytes of the largest empty class that the class is made of."""
        inner = (one for one in parts_of(self.whole) if one != self.whole and is_empty(one))
        return max((self.table.laid(one).size for one in inner), default=0)

    def free_for_empty(self, member: DataMember, parts: Iterable[tuple[Class, int]], align: int) -> int:
        """The offset in bytes of an empty data member.

        A compiler that begins its search where the class is aligned goes on by what is asked for the member.
        """
        own = self.table.extent(member.type).align if self.has(ClassHabit.EMPTY_UNALIGNED) else align
        begin = round_up(self.bit // 8 if self.has(ClassHabit.EMPTY_IN_BYTE) else self.data, own)
        return self.first_free(parts, align, empty=True, begin=begin)

    def alignment(self, member: DataMember, extent: Extent) -> tuple[int, str]:
        """The alignment of a data member in bytes, and the attribute or specifier that gives it, if one does."""
        c_member = as_member(member, self.table.c_type(member.type))
        beyond = is_beyond_packing(member, self.table)
        packed = not beyond and is_packed_in(member, self.table)
        record, pack = self.record if packed else self.unpacked, None if beyond else self.whole.pack
        if self.has(ClassHabit.EMPTY_LOWERED) and is_empty_member(member):
            explicit = max(member.align or 0, member.alignas or 0)
            return explicit or extent.align, ALIGNED if explicit else ""
        return member_alignment(wish(record, c_member, extent, self.readings[0]), pack)

    def limited(self, align: int) -> int:
        """An alignment of a part in bytes under the `#pragma pack` of the class."""
        return align if self.whole.pack is None else min(align, self.whole.pack)

    @implements("component", "empty-component")
    def first_free(
        self,
        parts: Iterable[tuple[Class, int]],
        align: int,
        *,
        empty: bool,
        own: int = 1,
        begin: int | None = None,
    ) -> int:
        """The offset in bytes of the first place where no two components of one type have the same offset.

        From the data size on, aligned, or from where it is to `begin`. To gcc the next place lies in a packed class as far as the
        component's `own` alignment asks for.
        """
        parts = tuple(parts)

        def conflicts(at: int) -> bool:
            return any((found, at + offset) in self.taken for found, offset in parts)

        # [cxxabi:empty-component]
        if self.whole.union or (empty and not conflicts(0)):
            return 0
        # [cxxabi:component]
        at = round_up(self.data, align) if begin is None else begin
        packed = self.whole.packed or self.whole.pack is not None
        by_type = (packed and self.table.policy.family is Reading.GCC) or self.has(ClassHabit.TYPE_STEPS)
        step = max(align, own) if by_type else align
        while conflicts(at):
            at += step
        return at

    def align_to(self, align: int, clause: str) -> None:
        """Raise the alignment by a clause."""
        if align > self.align:
            self.align, self.align_clause = align, clause

    def decided(self, at: int, align: int, asked: str = "") -> str:
        """The clause that decides an offset.

        It is the one that has `asked` for the alignment, unless the component is moved; or that by which the data before it ends, if it
        would be elsewhere otherwise.
        """
        behind = round_up(self.data, align)
        if asked and (at == behind or self.whole.union):
            return asked
        return self.data_clause if behind == at != round_up(self.without, align) else COMPONENT

    def end_clause(self, end: int) -> str:
        """The clause by which the class ends at a byte: that of its data, unless an empty component lies behind that."""
        return EMPTY if end > self.data else self.data_clause

    def extend(self, end: int, clause: str, without: int) -> None:
        """Note that a component ends at a byte by a clause, `without` which it would end elsewhere."""
        self.data_clause, self.without = clause, without
        self.data = max(self.data, end)
        self.reach = max(self.reach, end)
        self.bit = end * 8

    @implements("bits.place", "bits.oversized", "bits.align", "bits.zero-width")
    def add_bit_field(self, member: DataMember) -> None:
        """Place a bit-field (II-1)."""
        extent = self.table.extent(member.type)
        width = member.width or 0
        # [cxxabi:bits.oversized] [cxxabi:bits.place]
        if width > extent.size * 8:
            self.add_oversized(member, width, extent)
            return
        # [cxxabi:bits.place]
        start, end, align = self.by_c(member, extent)
        # [cxxabi:bits.align]
        packed = member.packed or self.whole.packed
        if (self.table.policy.unnamed_align or member.name) and not packed:
            align = max(align, self.limited(extent.align))
        self.align_to(align, BIT_ALIGN)
        self.bit = end
        # [cxxabi:bits.zero-width]
        if width or self.table.policy.zero_width_data:
            # [cxxabi:bits.place]
            self.data = max(self.data, -(-end // 8))
            told = start // 8 + -(-width // 8) if self.has(ClassHabit.WHOLE_BYTES) else -(-end // 8)
            self.reach = max(self.reach, told)
            self.data_clause, self.without = BIT_FIELD, round_up(self.data, extent.size)
        self.size = max(self.size, self.data)
        self.members.append(Placed(member, start, width, BIT_FIELD))

    def by_c(self, member: DataMember, extent: Extent) -> tuple[int, int, int]:
        """Return the first bit of a bit-field in the base C ABI, the bit after it, and its alignment in bytes."""
        types = self.table.types
        if types.own is not None:
            raise SilentError(BIT_FIELD, "bit-fields by rules of the C ABI's own in a class that is no POD")
        c_member = as_member(member, self.table.c_type(member.type))
        place = SYSV[1] if member.width == 0 else SYSV[2]
        found = []
        for reading in self.readings:
            cursor = Cursor(end=self.bit)
            rules = types.rules(self.record, reading, SYSV, types.text)
            placed = place(cursor, rules, c_member, extent, wish(self.record, c_member, extent, reading))
            found.append((placed.bit_offset, cursor.end, cursor.align))
        if len(set(found)) > 1:
            raise SilentError(contested_member(c_member, extent) or PACKED, f"the place of {member.name}")
        return found[0]

    def add_oversized(self, member: DataMember, width: int, declared: Extent) -> None:
        """Place a bit-field that is wider than its declared type (II-1b).

        No text says what `packed` means on it: to gcc it may begin at any byte, to clang nothing changes.
        """
        if member.packed and self.table.policy.family is None:
            raise SilentError(PACKED, f"where {member.name} begins")
        types = self.table.types
        inner = next(
            found
            for found in (types.extent(Scalar(kind)) for kind in self.integral())
            if found.size * 8 <= width
        )
        align = inner.align
        if self.table.policy.family is not Reading.CLANG:
            # In a union the attribute changes nothing to gcc where bit-fields without a name are aligned, too.
            kept = self.whole.union and types.text.unnamed_align
            packed = (member.packed or self.whole.packed) and not kept
            align = 1 if packed else self.limited(align)
        start = 0 if self.whole.union else round_up(self.data, align) * 8
        end = start + width
        self.bit = end
        self.data = max(self.data, -(-end // 8))
        self.data_clause, self.without = OVERSIZED, start // 8 + declared.size
        if self.has(ClassHabit.DECLARED_ENDS):
            end = start + declared.size * 8
        if self.has(ClassHabit.WHOLE_BYTES):
            end = start + inner.size * 8
        self.reach = max(self.reach, -(-end // 8))
        self.align_to(align, OVERSIZED)
        self.size = max(self.size, self.data)
        if self.has(ClassHabit.LAST_BITS) and types.data.order == "big":
            start += width - declared.size * 8
        self.members.append(Placed(member, start, width, OVERSIZED))

    def integral(self) -> tuple[Kind, ...]:
        """The integral types in which an oversized bit-field may begin, the largest first."""
        wide = self.has(ClassHabit.INT128) and self.table.types.extent(Pointer()).size == 8
        return (Kind.INT128, *INTEGRAL) if wide else INTEGRAL

    def has(self, habit: ClassHabit) -> bool:
        """Return whether the compiler that is followed has a habit."""
        return habit in self.table.policy.habits

    # III

    def add_virtual(self) -> None:
        """Step III: the virtual bases that are no part of another base."""
        for node in walk(self.whole):
            if node.virtual and node not in self.owners:
                # If it were nearly empty it would be primary.
                beside = self.primary is None and is_dynamic(node.type)
                self.add_base(node, NEARLY_EMPTY if beside else VIRTUAL)

    # IV

    @implements("size")
    def finish(self, ends: Sequence[tuple[int, str]]) -> None:
        """Step IV: the size covers every potentially-overlapping member, and is a multiple of the alignment.

        It is decided by the clause of the first of the `ends` in bytes, up to which components reach, from which it follows.
        """
        covered = 0
        for placed in self.members:
            whole = placed.member.no_unique_address and not self.has(ClassHabit.MEMBERS_IN_PART)
            if whole and placed.member.width is None:
                covered = max(covered, (placed.bit_offset + placed.bit_width) // 8)

        def rounded(end: int) -> int:
            return max(round_up(max(end, covered), self.align), self.align)

        self.size = rounded(self.size)
        self.size_clause = next(clause for end, clause in ends if rounded(end) == self.size)

    # Subobjects

    def settle(self, node: Node, at: int, clause: str) -> None:
        """Note where a base subobject is, and with it those that are part of it."""
        self.offsets[node] = (at, clause)
        inner = self.table.laid(node.type)
        for base in direct(node):
            if not base.virtual:
                self.settle(base, at + inner.offset_of(direct_of(base, node)), clause)
        for base, owner in self.owners.items():
            if owner == node:
                self.settle(base, at, self.shared(base, node.type))

    def shared(self, primary: Node, derived: Class) -> str:
        """The clause by which a base is the primary one of a class: a virtual one must be nearly empty; of several one is chosen."""
        alone = primary.virtual and len(nearly_empty(self.table, derived)) == 1
        return NEARLY_EMPTY if alone else PRIMARY

    def empties(self, node: Node, at: int) -> Iterator[tuple[Class, int]]:
        """The subobjects of empty class in the non-virtual part of a base, with their offsets in bytes."""
        inner = self.table.laid(node.type)
        if is_empty(node.type):
            yield node.type, at
        for placed in inner.members:
            if placed.member.width is None:
                yield from (
                    (found, at + placed.bit_offset // 8 + offset)
                    for found, offset in self.table.empties(placed.member.type)
                )
        for base in direct(node):
            if not base.virtual:
                yield from self.empties(base, at + inner.offset_of(direct_of(base, node)))
        for base, owner in self.owners.items():
            if owner == node:
                yield from self.empties(base, at)

    @implements("nearly-empty")
    def is_nearly_empty(self) -> bool:
        """Return whether the class is nearly empty, once its non-virtual part is complete."""
        if self.has(ClassHabit.NEARLY_EMPTY_BY_SIZE):
            return is_dynamic(self.whole) and self.size == self.table.types.extent(Pointer()).size
        bases = [base for base in self.whole.bases if not base.virtual]
        nearly = [base for base in bases if self.table.laid(base.type).nearly_empty]
        moved = (
            node
            for node, (at, _) in self.offsets.items()
            if at and node.start is None and is_empty(node.type)
        )
        return (
            is_dynamic(self.whole)
            and not holds_data(self.whole, empty=not self.has(ClassHabit.EMPTY_IS_NO_DATA))
            and all(is_empty(base.type) or base in nearly for base in bases)
            and len(nearly) <= 1
            and not any(moved)
            and not (self.has(ClassHabit.EMPTY_MEMBER_MOVES) and any(map(self.has_moved, bases)))
        )

    def asks_as_whole(self) -> bool:
        """Return whether an alignment is asked for in the complete class, for a compiler that may forget it."""
        forgotten = self.has(ClassHabit.INTEGER_SIZED) and self.is_like_an_integer()
        return not forgotten and asks_for_alignment(self.whole, whole=True)

    def is_like_an_integer(self) -> bool:
        """Return whether gcc takes a class for an integer of its size and alignment: all parts are such, and none runs code when it is copied."""
        bases = (self.table.laid(base.type).non_virtual_size for base in self.whole.bases)
        members = (one.bit_width // 8 for one in self.members if one.member.width is None)
        return (
            self.size == self.align <= 2 * self.table.types.extent(Pointer()).size
            and not any(map(runs_code, direct_classes(self.whole)))
            and all(size & (size - 1) == 0 for size in (*bases, *members))
        )

    def has_moved(self, base: Base) -> bool:
        """Return whether an empty base has an empty subobject that is not at the beginning."""
        return is_empty(base.type) and any(at for _, at in self.table.empties(base.type))


def direct_of(base: Node, node: Node) -> Node:
    """A direct base of a subobject, as the class of that subobject sees it."""
    return Node(base.type, None, base.steps[len(node.steps) :])


def construct(table: Table, whole: Class) -> Laid:
    """Lay out a class that is no POD for the purpose of layout.

    Raises `SilentError` where the text does not decide, `AbsentError` for a type that the C ABI lacks.
    """
    # [cxxabi:union]
    if whole.union and table.policy.family is None:
        raise SilentError(UNION, f"{whole.tag or 'an anonymous union'} is a union and no POD")
    # [cxxabi:packed]
    options = table.types.options
    asked = whole.packed or whole.pack is not None
    if (asked and table.policy.family is None) or options.pack is not None or options.packed:
        raise SilentError(PACKED, f"{whole.tag} is packed and no POD")
    made = Construction(table, whole)
    made.initialize()
    made.add_non_virtual()
    # [cxxabi:non-virtual]
    non_virtual = made.size, made.align
    nearly, non_virtual_clause = made.is_nearly_empty(), made.end_clause(made.size)
    ends = [(made.data, SIZE), (made.size, EMPTY)]
    # [cxxabi:virtual-base]
    made.add_virtual()
    overlapping = made.reach
    ends += [(max(made.data, non_virtual[0]), VIRTUAL), (made.size, EMPTY)]
    made.finish(ends)
    if made.has(ClassHabit.WHOLE_ALIGNMENT) and non_virtual[0] == made.size:
        alike = asks_for_alignment(whole, whole=False) == made.asks_as_whole()
        non_virtual = made.size, made.align if alike else non_virtual[1]
    # [cxxabi:pod.overlap]
    if is_pod(whole, table.policy) and not lends_padding(whole, table.policy):
        made.without = made.data
        made.data, non_virtual, overlapping = made.size, (made.size, non_virtual[1]), made.size
        made.data_clause = non_virtual_clause = OVERLAP
    return Laid(
        made.size,
        made.align,
        made.data,
        *non_virtual,
        overlapping,
        made.without,
        tuple(made.members),
        tuple(Settled(node, at, clause) for node, (at, clause) in made.offsets.items()),
        made.primary,
        nearly_empty=nearly,
        virtual_pointer=is_dynamic(whole) and made.primary is None,
        clause=made.size_clause,
        align_clause=made.align_clause,
        data_clause=made.end_clause(overlapping),
        non_virtual_clause=non_virtual_clause,
    )
