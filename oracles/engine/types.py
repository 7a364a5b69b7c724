"""Every type's extent, shape, scalar leaves and significant bits, under one data model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TypeAlias, assert_never

import msgspec

from abiprobe.oracles.engine.attributes import ALIGNED, GNU, Extent
from abiprobe.oracles.engine.bit_by_bit import BIT_BY_BIT
from abiprobe.oracles.engine.clang_windows_records import Required
from abiprobe.oracles.engine.clang_windows_records import placers as clang_placers
from abiprobe.oracles.engine.contested import MS_OPEN, TYPEDEF_BASE, contested, contested_member, undecided
from abiprobe.oracles.engine.cursor import State
from abiprobe.oracles.engine.data_model import FIXED_SIZES, DataModel, Sized
from abiprobe.oracles.engine.machine_modes import Mode, alignment_of_mode, mode_of
from abiprobe.oracles.engine.ms_bits import MICROSOFT
from abiprobe.oracles.engine.pcc_records import holds_pointer, pcc_shape
from abiprobe.oracles.engine.policies import HABITS, TEXT, Policies
from abiprobe.oracles.engine.preferred import preferred
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import (
    PACKING,
    ZERO_LENGTH,
    Field,
    LayoutClauses,
    OwnRules,
    Placers,
    Rules,
    Shape,
    lay_out,
)
from abiprobe.oracles.engine.scalable import mask_bits, scalable_extent, sve_extent
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.sysv_bits import SYSV
from abiprobe.oracles.engine.tcc_records import tcc_shape
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    FixedPoint,
    Kind,
    Member,
    Param,
    Pointer,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Typedef,
    Vector,
    innermost,
    is_atomic,
    spelling,
    strip,
    unnamed,
)
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.oracles.text.place import Layout, MemberPlace, Passed

REMEMBERED = 50_000
LAYING_OUT = (
    "aligned_as_number",
    "attributes_on_member",
    "bit_int_chunk",
    "bit_ints_in_bytes",
    "bit_units_of_types",
    "double_long_doubles",
    "extended_bit_ints",
    "extended_one_bit",
    "ignores_unnamed",
    "largest_atomic",
    "most_aligned_atomic",
    "most_aligned_vector",
    "most_told",
    "ms_units_in_a_byte",
    "naturally_aligned_int128",
    "naturally_aligned_reals",
    "naturally_aligned_words",
    "opaque_atomics",
    "open_bit_ints",
    "packs_no_characters",
    "packs_no_enum",
    "plain_atomic_arrays",
    "plain_flexible_arrays",
    "records",
    "unpacked_zero_width",
    "unsigned_enums",
    "vectors_as_long",
    "vectors_ask_for_alignment",
    "whole_ms_units",
)
"""The policies that a type table reads: under others types are what they are."""
Remembered: TypeAlias = "tuple[dict[Type, Extent], dict[Record, Shape], dict[Type, bytes]]"
"""The facts that are remembered of types."""
PACKED_ENUM = GNU.cite("packed-enum")
ATOMIC = GNU.cite("atomic-record")
COMPLEX_INTEGER = GNU.cite("complex-integer")
FIXED_POINT = GNU.cite("fixed-point")
OWN_SHAPES = {"tcc": tcc_shape, "pcc": pcc_shape}
"""The compilers that have rules of their own for records."""
FIXED_CHARACTERS = frozenset({Kind.CHAR, Kind.SCHAR, Kind.UCHAR, Kind.BOOL})
WORD = 4
WIDEST = 64
"""Bits of the widest `_BitInt` that is as an integer type."""
WHOLE_ARRAY = 64
"""Arrays up to this length have every element listed; of longer ones the first and the last."""


Placed: TypeAlias = Callable[[Record, Field], Field]
"""Where somebody has a field of a record."""


@dataclass
class Beginning:
    """The arguments that a call began with: the state in which they leave a cursor, and what each further one comes to."""

    state: State
    steps: dict[Param, tuple[Passed, Beginning]] = field(default_factory=dict)


@dataclass(eq=False)
class TypeTable:
    """The sizes and layouts of one ABI, remembered as they are asked for. All sizes in bytes.

    `reading` is the family that a dialect follows where the GCC manual is silent, `None` for the text alone. `own` are the
    text's rules for records, where those are neither System V's nor `ms_struct`. `habits` are the policies of the dialect or
    of quirks; those of the reading where nothing else is said. `beginnings` and `steps` are for `in_turn` alone.
    """

    data: DataModel
    text: LayoutClauses
    reading: Reading | None = None
    options: LayoutOptions = DEFAULT
    own: OwnRules | None = None
    habits: Policies | None = None
    _extents: dict[Type, Extent] = field(default_factory=dict, repr=False)
    _shapes: dict[Record, Shape] = field(default_factory=dict, repr=False)
    _masks: dict[Type, bytes] = field(default_factory=dict, repr=False)
    _addressable: set[Type] = field(default_factory=set, repr=False)
    _alike: dict[tuple[object, ...], Remembered] = field(default_factory=dict, repr=False)
    beginnings: dict[Hashable, Beginning] = field(default_factory=dict, init=False, repr=False)
    steps: int = field(default=0, init=False, repr=False)

    @cached_property
    def policies(self) -> Policies:
        """The policies in which the types depart from the text."""
        return HABITS.get(self.reading, TEXT) if self.habits is None else self.habits

    def under(self, policies: Policies) -> TypeTable:
        """The same types under other policies; tables that lay out types alike remember them together."""
        laying_out = tuple(getattr(policies, name) for name in LAYING_OUT)
        extents, shapes, masks = self._alike.setdefault(laying_out, ({}, {}, {}))
        return replace(self, habits=policies, _extents=extents, _shapes=shapes, _masks=masks)

    @cached_property
    def _integers(self) -> dict[int, int]:
        """The alignment in bytes of the integer type of each width in bits, of those that the text has."""
        kinds = (Kind.SCHAR, Kind.SHORT, Kind.INT, Kind.LLONG)
        found = (self.data.kinds[kind] for kind in kinds if kind in self.data.kinds)
        return {sized.size * 8: sized.align for sized in found}

    @cached_property
    def _same(self) -> Mapping[Kind, Kind]:
        """The types that are the same as another one, by an option or to a compiler."""
        narrow = {Kind.LDOUBLE: Kind.DOUBLE} if self.policies.double_long_doubles else {}
        return {**self.data.same, **narrow}

    def extent(self, c_type: Type) -> Extent:
        """Size and alignment; raises `AbsentError` for a type the ABI lacks."""
        known = self._extents.get(c_type)
        if known is None:
            if len(self._extents) > REMEMBERED:
                self._extents.clear()
            known = self._extents[c_type] = self._measure(c_type)
        return known

    def _measure(self, c_type: Type) -> Extent:
        match c_type:
            case Scalar(kind):
                sized = self._sized(kind)
                natural = kind.is_int128 and self.policies.naturally_aligned_int128
                own = sized.size if natural or self._is_natural(kind, sized.size) else sized.align
                return Extent(sized.size, own, sized.clause, scalar=sized.size)
            case BitInt(width):
                return self._bit_int(width)
            case FixedPoint():
                return self._fixed_point(c_type)
            case Complex(kind):
                return self._complex(kind)
            case Enum() if self.data.open_enums and self.reading is None:
                raise SilentError(self.data.enum_clause, spelling(c_type))
            case Enum():
                sized = self.data.kind(self.enum_kind(c_type))
                clause = PACKED_ENUM if self._is_short(c_type) else self.data.enum_clause
                return Extent(sized.size, sized.align, clause, scalar=sized.size)
            case Pointer() if self.policies.naturally_aligned_words:
                return msgspec.structs.replace(_extent(self.data.pointer), align=self.data.pointer.size)
            case Pointer():
                return _extent(self.data.pointer)
            case Array(element, length):
                return self._array(element, length)
            case Vector(kind, size):
                return self._vector(kind, size)
            case Scalable() | ScalableMask():
                return scalable_extent(self.data, c_type)
            case SveVector() | SvePredicate():
                return sve_extent(self.data, c_type)
            case Atomic(base):
                return self._atomic(base)
            case Typedef(base=base, align=align):
                inner = self.extent(base)
                return (
                    inner
                    if align is None or self._ignores_name(base)
                    else msgspec.structs.replace(inner, align=align, clause=ALIGNED, user=True, loose="")
                )
            case Record():
                shape = self.shape(c_type)
                return Extent(shape.size, shape.align, shape.clause, shape.user, shape.held, shape.loose)
            case _:
                assert_never(c_type)

    def _sized(self, kind: Kind) -> Sized:
        """Size and alignment of a named arithmetic type, as a compiler has it."""
        narrow = self.policies.double_long_doubles and kind is Kind.LDOUBLE
        return self.data.kind(Kind.DOUBLE if narrow else kind)

    def _is_natural(self, kind: Kind, size: int) -> bool:
        """Return whether a compiler aligns a type to its size, whatever the text has."""
        if kind.is_floating:
            return self.policies.naturally_aligned_reals
        return size == WORD and self.policies.naturally_aligned_words

    def _ignores_name(self, base: Type) -> bool:
        """Return whether a compiler does not tell the alignment that a typedef name gives a type: tcc of none, pcc of no pointer."""
        records = self.policies.records
        return records == "tcc" or (records == "pcc" and holds_pointer(base))

    def plain(self, c_type: Type) -> Type:
        """The type under typedef names and `_Atomic`, which options may have made another one."""
        bare = strip(c_type)
        if not isinstance(bare, Scalar | Complex):
            return bare
        match bare:
            case Scalar(kind) if kind in self._same:
                return Scalar(self._same[kind])
            case Complex(kind) if kind in self._same:
                return Complex(self._same[kind])
            case Complex(kind) if (
                kind.is_integer and self.reading is not None and not self.data.complex_integers
            ):
                return parts_of(kind)
            case other:
                return other

    def is_opaque(self, c_type: Type) -> bool:
        """Return whether a part of a value is atomic, also through typedef names, to a compiler that does not look into that."""
        return self.policies.opaque_atomics and is_atomic(c_type)

    def is_addressable(self, c_type: Type) -> bool:
        """Return whether a record has a part, of C++ and non-trivial for calls, by which a compiler has it in memory; by the text none."""
        return c_type in self._addressable

    def shape(self, record: Record) -> Shape:
        """The members of a record in their places."""
        known = self._shapes.get(record)
        if known is None:
            if len(self._shapes) > REMEMBERED:
                self._shapes.clear()
            known = self._shapes[record] = self._lay_out(record)
        return known

    def _lay_out(self, record: Record) -> Shape:
        """The layout that the text gives; where it is silent, only what every reading comes to."""
        extents = tuple(self.extent(member.type) for member in record.members)
        if self.policies.records:
            pack = record.pack if record.pack is not None else self.options.pack
            return OWN_SHAPES[self.policies.records](record, extents, self.text, pack)
        asked = self.options.ms_bitfields if record.ms_struct is None else record.ms_struct
        if self.own is not None and self.reading is not None:
            return self._by_clang(record, self.own, microsoft=asked)
        if self.own is not None:
            return self._by_text(record, extents, self.own, microsoft=asked)
        microsoft = bool(asked)
        if self.reading is not None:
            shape = self._read(record, extents, self.reading, microsoft=microsoft)
            return self._forgetting(record, self._as_one(record, shape))
        if self.text.silent_unnamed:
            self._named_alone(record)
        if microsoft and self.data.ms_struct and undecided(record, extents):
            raise SilentError(
                MS_OPEN, f"{spelling(record)} has a member that records align less than its size"
            )
        shape = self._read(record, extents, Reading.GCC, microsoft=microsoft)
        if self.text.open_bits and any(member.width is not None for member in record.members):
            raise SilentError(self.text.bit_field, f"{spelling(record)} has a bit-field")
        clause = contested(record, extents, microsoft=microsoft)
        if clause and self._families_differ(record, extents, microsoft=microsoft):
            raise SilentError(clause, f"{spelling(record)} can be laid out in more than one way")
        return shape

    def _named_alone(self, record: Record) -> None:
        """Raise `SilentError` for a record with a bit-field that has no name."""
        for member in record.members:
            if member.width is not None and not member.name:
                clause = self.text.unnamed_bit_field if member.width else self.text.zero_width
                raise SilentError(clause, f"{spelling(record)} has a bit-field without a name")

    def _as_one(self, record: Record, shape: Shape) -> Shape:
        """The layout with the alignment that the dialect gives a record which it holds as one number."""
        limit = self.data.number_align if self.policies.aligned_as_number else 0
        if not limit or shape.align <= limit or shape.user:
            return shape
        # What is asked of the record's mode is its size.
        self._shapes[record] = shape
        lowered = mode_of(self, record) is Mode.NUMBER
        return msgspec.structs.replace(shape, align=limit, held=shape.align) if lowered else shape

    def _forgetting(self, record: Record, shape: Shape) -> Shape:
        """The layout, of which gcc forgets that its alignment was asked for where that is the one of the number that it holds it as."""
        gcc = self.reading is Reading.GCC
        if not (gcc and self.data.strict_alignment and shape.user and shape.size):
            return shape
        # What is asked of the record's mode is its size.
        self._shapes[record] = shape
        forgotten = shape.align == alignment_of_mode(self, record) and mode_of(self, record) is not Mode.BLOCK
        return msgspec.structs.replace(shape, user=False) if forgotten else shape

    def _families_differ(self, record: Record, extents: tuple[Extent, ...], *, microsoft: bool) -> bool:
        """Return whether compiler families lay out a contested record in different ways.

        Where a text has storage units of its own, it tells nothing of those of a typedef with an alignment of its own.
        """
        texts = [self.text]
        members = zip(record.members, extents, strict=True)
        if self.text.unit and any(contested_member(*one) == TYPEDEF_BASE for one in members):
            texts.append(replace(self.text, unit=0))
        first, *others = (
            self._read(record, extents, reading, microsoft=microsoft, text=text)
            for text in texts
            for reading in Reading
        )
        return not all(same_places(first, other) for other in others)

    def _by_text(
        self, record: Record, extents: tuple[Extent, ...], own: OwnRules, *, microsoft: bool | None
    ) -> Shape:
        """The layout by rules of the ABI's own, and GNU extensions as far as every reading comes to the same."""
        for member in record.members:
            if member.width is None and self._is_lowered(member.type):
                raise SilentError(own.lowered, f"{spelling(member.type)} is aligned less by its name")
        if microsoft is False and any(member.width is not None for member in record.members):
            raise SilentError(own.gcc_struct, f"{spelling(record)} is not to have Microsoft's bit-fields")
        clause = contested(record, extents, microsoft=False)
        if clause:
            gcc, clang = (self._read(record, extents, reading, microsoft=True) for reading in Reading)
            if not same_places(gcc, clang):
                raise SilentError(clause, f"{spelling(record)} can be laid out in more than one way")
        shape = self._placed(record, extents, Reading.GCC, own.placers, self.text)
        if self.data.empty and not shape.size:
            raise SilentError(self.data.empty, f"{spelling(record)} has no bytes")
        return self._by_default_packing(record, extents, own, shape) if own.packing else shape

    def _by_clang(self, record: Record, own: OwnRules, *, microsoft: bool | None) -> Shape:
        """The layout by the rules of an ABI's own as clang has them, which is the one family that builds for such an ABI."""
        if microsoft is False:
            raise SilentError(own.gcc_struct, f"{spelling(record)} is not to have Microsoft's bit-fields")
        extents = tuple(self.extent(unnamed(member.type)) for member in record.members)
        wanted = Required(self.extent, self.policies.vectors_ask_for_alignment)
        shape = self._placed(record, extents, Reading.CLANG, clang_placers(wanted), self.text)
        # Of a record with an attribute it is the alignment that is only now known.
        asked = shape.align if record.align else wanted.of(record)
        least = shape.align if asked >= self.data.least else self.data.least
        return shape if shape.size else msgspec.structs.replace(shape, size=least)

    def _by_default_packing(
        self, record: Record, extents: tuple[Extent, ...], own: OwnRules, shape: Shape
    ) -> Shape:
        """A layout that is the same whether or not members are packed by default; its alignment may be less then."""
        if record.pack is not None or self.options.pack is not None:
            return shape
        less = tuple(
            extent if extent.user else msgspec.structs.replace(extent, align=min(extent.align, PACKING))
            for extent in extents
        )
        packed = self._placed(record, less, Reading.GCC, own.placers, self.text)
        if not same_places(shape, msgspec.structs.replace(packed, align=shape.align)):
            raise SilentError(own.packing, f"{spelling(record)} has a member aligned to more than {PACKING}")
        return shape if packed.align == shape.align else msgspec.structs.replace(shape, loose=own.packing)

    def _is_lowered(self, c_type: Type) -> bool:
        """Return whether a typedef name aligns a type, or the elements of an array, to less than its natural alignment."""
        while isinstance(c_type, (Array, Typedef)):
            if (
                isinstance(c_type, Typedef)
                and c_type.align is not None
                and self.extent(c_type.base).align > c_type.align
            ):
                return True
            c_type = c_type.element if isinstance(c_type, Array) else c_type.base
        return False

    def _read(
        self,
        record: Record,
        extents: tuple[Extent, ...],
        reading: Reading,
        *,
        microsoft: bool,
        text: LayoutClauses | None = None,
    ) -> Shape:
        # gcc knows ms_struct on x86 and PowerPC only, as its manual says; clang applies it everywhere.
        microsoft = microsoft and (self.data.ms_struct or reading is Reading.CLANG)
        gcc = reading is Reading.GCC
        bits = BIT_BY_BIT if gcc and self.text.bit_boundary else SYSV
        placers = MICROSOFT if microsoft else bits
        shape = self._placed(record, extents, reading, placers, text or self.text)
        return shape if shape.size else msgspec.structs.replace(shape, size=self.data.least)

    def _placed(
        self,
        record: Record,
        extents: tuple[Extent, ...],
        reading: Reading,
        placers: Placers,
        text: LayoutClauses,
    ) -> Shape:
        if self.policies.packs_no_characters:
            record = msgspec.structs.replace(record, members=tuple(map(unpacked_characters, record.members)))
        if self.policies.bit_units_of_types:
            text = replace(text, unit=0)
        if self.policies.ignores_unnamed:
            text = replace(text, unnamed_align=False)
        if self.options.packed:
            record = msgspec.structs.replace(record, packed=True)
        rules = self.rules(record, reading, placers, text)
        return lay_out(record, extents, rules, placers)

    def rules(self, record: Record, reading: Reading, placers: Placers, text: LayoutClauses) -> Rules:
        """Return the rules for placing the members of a record, as far as the record and the options affect them."""
        pack = record.pack if record.pack is not None else self.options.pack
        pack_zero_width = self.options.pack if reading is Reading.GCC else None
        chunk = max(record.align or 1, self._biggest) * 8
        return Rules(
            text,
            reading,
            record.union,
            pack,
            pack_zero_width,
            self._integers,
            chunk,
            packs_ms_units=self.data.packs_ms_units and not self.policies.whole_ms_units,
            microsoft=placers is MICROSOFT,
            packs_zero_width=self.data.packs_zero_width and not self.policies.unpacked_zero_width,
            plain_flexible_arrays=self.policies.plain_flexible_arrays,
            ms_units_in_a_byte=self.policies.ms_units_in_a_byte,
            on_member=self.policies.attributes_on_member
            if reading is (self.reading or Reading.GCC)
            else None,
        )

    def layout(self, c_type: Type) -> Layout:
        """Size, alignment and scalar leaves, with the paths that `offsetof` takes."""
        extent = self.extent(c_type)
        if extent.loose:
            raise SilentError(
                extent.loose, f"{spelling(c_type)} is aligned to {extent.align}, or to {PACKING}"
            )
        return Layout(extent.size, self.alignof(c_type), tuple(self.leaves(c_type)), extent.clause)

    def alignof(self, c_type: Type) -> int:
        """Return the result of `_Alignof`, in bytes: gcc gives no more than a register's unless an attribute asked for it."""
        extent = self.extent(c_type)
        capped = self.reading is Reading.GCC and not extent.user
        most = self.policies.most_told or self.data.told or self._biggest
        return min(extent.align, most) if capped else extent.align

    @property
    def _biggest(self) -> int:
        """The alignment in bytes above which gcc knows none, unless it is asked for one."""
        return self.data.biggest or self.options.vectors

    def leaves(
        self,
        c_type: Type,
        path: str = "",
        at: int = 0,
        clause: str = "",
        whole: int = WHOLE_ARRAY,
        placed: Placed | None = None,
    ) -> Iterator[MemberPlace]:
        """The scalar leaves of a type that starts at bit `at`; nothing for a scalar without a path.

        Arrays up to `whole` elements have every element listed, longer ones the first and the last. Fields are where they are
        `placed`, where somebody is known to have them elsewhere.
        """
        match c_type:
            case Typedef(base=base):
                yield from self.leaves(base, path, at, clause, whole, placed)
            case Record(members=members) if members:
                yield from self._members(c_type, path, at, whole, placed)
            case Array(element, length) if length and (stride := self.extent(element).size):
                listed = range(length) if length <= whole else (0, length - 1)
                for index in listed:
                    yield from self.leaves(
                        element, f"{path}[{index}]", at + index * stride * 8, clause, whole, placed
                    )
            case _ if path:
                yield MemberPlace(path, at, self.extent(c_type).size * 8, clause)

    def _members(
        self, record: Record, path: str, at: int, whole: int, placed: Placed | None
    ) -> Iterator[MemberPlace]:
        """The scalar leaves of the members of a record that starts at bit `at`."""
        behind = ""
        for own in self.shape(record).fields:
            item = placed(record, own) if placed else own
            if item.is_unnamed_bit_field or (not item.member.name and not item.bit_width):
                behind = item.clause
                continue
            inner = ".".join(part for part in (path, item.member.name) if part)
            start = at + item.bit_offset
            found = [MemberPlace(inner, start, item.bit_width, item.clause, bit_field=True)]
            if not item.is_bit_field:
                found = list(self.leaves(item.type, inner, start, item.clause, whole, placed))
            # What has an alignment of its own is moved by that first.
            if (
                found
                and behind
                and not record.union
                and item.clause in {self.text.member, self.text.bit_field}
            ):
                found[0] = msgspec.structs.replace(found[0], behind=behind)
            yield from found
            behind = "" if found else self.extent(item.type).clause

    def carries(self, c_type: Type) -> bool:
        """Return whether a type has a bit that carries a value; padding, declared or not, carries none."""
        match c_type:
            case Typedef(base=base) | Atomic(base=base):
                return self.carries(base)
            case Array(element, length):
                return bool(length) and self.carries(element)
            case Record():
                return any(
                    bool(item.bit_width) if item.is_bit_field else self.carries(item.type)
                    for item in self.shape(c_type).fields
                    if not item.is_unnamed_bit_field
                )
            case _:
                return True

    def mask(self, c_type: Type) -> bytes:
        """One byte per byte of a value; set bits carry the value, clear ones are padding or undefined."""
        known = self._masks.get(c_type)
        if known is None:
            if len(self._masks) > REMEMBERED:
                self._masks.clear()
            known = self._masks[c_type] = self._significant(c_type)
        return known

    def _significant(self, c_type: Type) -> bytes:
        match c_type:
            case Typedef(base=base) | Atomic(base=base):
                return self.mask(base)
            case Array(element, length):
                return self.mask(element) * (length or 0)
            case Record():
                return self._record_mask(c_type)
            case Scalar(kind) | Complex(kind):
                size = self._sized(kind).size
                carried = self.data.significant.get(kind, size)
                empty = self.data.holes.get(kind, ())
                whole = range(2 * size if isinstance(c_type, Complex) else size)
                return bytes(0xFF * (byte % size < carried and byte not in empty) for byte in whole)
            case ScalableMask():
                bits = (1 << mask_bits(self.data, c_type)) - 1
                return bits.to_bytes(self.extent(c_type).size, "little")
            case BitInt(width, signed) if self.stores_bits_alone(c_type) or not (
                self._holds_extended or self._holds_one_bit(width, signed=signed)
            ):
                return ((1 << width) - 1).to_bytes(self.extent(c_type).size, self.data.order)
            case _:
                return b"\xff" * self.extent(c_type).size

    def stores_bits_alone(self, c_type: BitInt) -> bool:
        """Return whether a compiler stores no more bytes of a `_BitInt` than hold its bits, and has others for it."""
        return bool(self.policies.bit_ints_in_bytes) and -(-c_type.width // 8) < self.extent(c_type).size

    @property
    def _holds_extended(self) -> bool:
        """Return whether the unused bits of a `_BitInt` in memory are copies of its sign, or zero."""
        extended = self.data.bit_int_extended or self.policies.extended_bit_ints
        return extended and not self.policies.open_bit_ints

    def _holds_one_bit(self, width: int, *, signed: bool) -> bool:
        """Return whether a `_BitInt` is of one bit without a sign, and to a compiler a byte that is 0 or 1."""
        return width == 1 and not signed and self.policies.extended_one_bit

    def _record_mask(self, record: Record) -> bytes:
        shape, order = self.shape(record), self.data.order
        bits = 0
        for item in shape.fields:
            if item.is_unnamed_bit_field:
                continue
            own = (1 << item.bit_width) - 1
            if not item.is_bit_field:
                own = int.from_bytes(self.mask(item.type), order)
            end = item.bit_offset + item.bit_width
            bits |= own << (item.bit_offset if order == "little" else shape.size * 8 - end)
        return bits.to_bytes(shape.size, order)

    def _bit_int(self, width: int) -> Extent:
        """A `_BitInt`; a compiler may make a wide one of other pieces than the text does."""
        sized, chunk = self.data.bit_int(width), self.policies.bit_int_chunk
        if not chunk or width <= WIDEST:
            return _extent(sized)
        return Extent(-(-width // (8 * chunk)) * chunk, chunk, sized.clause)

    @GNU.implements("complex-integer")
    def _complex(self, kind: Kind) -> Extent:
        """A complex number, aligned as its parts; few texts have integers, which families treat alike."""
        part = self._sized(kind)
        # To gcc alone it is data that an ms_struct aligns as its parts outside of records.
        own = part.size if self.reading is Reading.GCC else 0
        if not kind.is_integer:
            align = part.size if self._is_natural(kind, part.size) else part.align
            return Extent(2 * part.size, align, part.clause, scalar=own)
        known = self.data.complex_integers
        if not known and self.reading is None:
            raise SilentError(COMPLEX_INTEGER, spelling(Complex(kind)))
        return Extent(2 * part.size, part.align, known or COMPLEX_INTEGER, scalar=own)

    @GNU.implements("fixed-point")
    def _fixed_point(self, c_type: FixedPoint) -> Extent:
        """A fixed-point type is aligned to its size wherever a family has it."""
        if self.reading is None:
            raise SilentError(FIXED_POINT, spelling(c_type))
        size = FIXED_SIZES[c_type.kind]
        return Extent(size, size, FIXED_POINT)

    def _vector(self, kind: Kind, size: int) -> Extent:
        """A vector; where the text has none of its size, families align it to its size."""
        try:
            found = _extent(self.data.vector(size, self._sized(kind)))
            most = self.policies.most_aligned_vector
            as_long = most or self.policies.vectors_as_long
            return msgspec.structs.replace(found, align=min(size, most or size)) if as_long else found
        except SilentError as silence:
            if self.reading is None:
                raise
            return Extent(size, size, silence.clause)

    def _is_short(self, enum: Enum) -> bool:
        return (enum.packed and not self.policies.packs_no_enum) or bool(self.options.short_enums)

    @GNU.implements("packed-enum")
    def enum_kind(self, enum: Enum) -> Kind:
        """The integer type of an enumeration, the smallest that will do when it is packed."""
        by_text = self.data.short_enums and self.options.short_enums is None
        kind = self.data.enum_kind(enum, short=by_text or self._is_short(enum))
        unsigned = self.policies.unsigned_enums
        if kind is Kind.UINT and self.data.enums_are_ints and not unsigned:
            return Kind.INT if all(one.value < 1 << 31 for one in enum.enumerators) else kind
        negative = any(one.value < 0 for one in enum.enumerators)
        return Kind.UINT if kind is Kind.INT and unsigned and not negative else kind

    def is_sign_open(self, c_type: Type) -> bool:
        """Return whether one may have an enumeration as an `int`, as its text does, and another as an `unsigned int`, as gcc does."""
        return (
            isinstance(c_type, Enum)
            and self.data.enum_sign_open
            and self.enum_kind(c_type) is Kind.UINT
            and all(one.value < 1 << 31 for one in c_type.enumerators)
        )

    def _array(self, element: Type, length: int | None) -> Extent:
        """An array is aligned as its element; of an atomic one no text tells the alignment, and gcc 12 gives it less than gcc 15."""
        inner = self.extent(element)
        core = innermost(element)
        atomic = isinstance(core, Atomic) and inner.align != self.extent(core.base).align
        if atomic and self.reading is None:
            raise SilentError(ATOMIC, f"an array of {spelling(core)}")
        if isinstance(core, Atomic) and self.policies.plain_atomic_arrays:
            inner = msgspec.structs.replace(inner, align=preferred(self, core.base))
        return msgspec.structs.replace(
            inner, size=inner.size * (length or 0), clause=inner.clause if length else ZERO_LENGTH
        )

    @GNU.implements("atomic-record")
    def _atomic(self, base: Type) -> Extent:
        """An atomic type: families align it to its size up to some size, and clang may also enlarge it."""
        inner = self.extent(base)
        most = self.policies.most_aligned_atomic or self.data.atomic_align
        gcc = gcc_atomic(inner, self.data.atomic[0], most)
        clang = clang_atomic(inner, self.policies.largest_atomic or self.data.atomic[1])
        settled = self.data.atomic_settled or gcc.align == inner.align
        if self.reading is None and (not settled or (gcc.size, gcc.align) != (clang.size, clang.align)):
            raise SilentError(ATOMIC, f"_Atomic({spelling(base)}) of {inner.size} bytes")
        return clang if self.reading is Reading.CLANG else gcc

    def is_signed(self, c_type: Type) -> bool:
        """Return whether an integer, enumeration or `_BitInt` type is signed."""
        match c_type:
            case BitInt(signed=signed):
                return signed
            case Enum():
                return self.data.is_signed(self.enum_kind(c_type))
            case Scalar(kind):
                return self.data.is_signed(kind)
            case _:
                return False


@cache
def parts_of(kind: Kind) -> Record:
    """A record of the two parts of a complex integer, as which compilers pass one where no text knows it."""
    return Record("", (Member(Scalar(kind), "real"), Member(Scalar(kind), "imaginary")))


def gcc_atomic(inner: Extent, largest: int, most: int) -> Extent:
    """A type whose size is that of an atomic integer gets that integer's alignment, `most` bytes at most (0: any)."""
    if inner.size and inner.size & (inner.size - 1) == 0 and inner.size <= largest:
        align = min(inner.size, most or inner.size)
        return msgspec.structs.replace(inner, align=max(inner.align, align))
    return inner


def clang_atomic(inner: Extent, largest: int) -> Extent:
    """A type that fits is enlarged to a power of two, an empty one to a byte, and aligned to it."""
    rounded = 1 << max(0, inner.size - 1).bit_length()
    if not inner.size or rounded <= largest:
        return msgspec.structs.replace(inner, size=rounded, align=max(inner.align, rounded))
    return inner


def same_places(one: Shape, other: Shape) -> bool:
    """Return whether two layouts put everything in the same places."""
    return (one.size, one.align) == (other.size, other.align) and all(
        first.bit_offset == second.bit_offset
        for first, second in zip(one.fields, other.fields, strict=True)
        if not first.is_unnamed_bit_field
    )


def unpacked_characters(member: Member) -> Member:
    """A member without `packed`, if it is a vector of characters or an array of them."""
    inner = innermost(member.type)
    ignored = member.packed and isinstance(inner, Vector) and FIXED_CHARACTERS & {inner.kind}
    return msgspec.structs.replace(member, packed=False) if ignored else member


def _extent(sized: Sized) -> Extent:
    return Extent(sized.size, sized.align, sized.clause)
