"""The classification algorithm: a class for each eightbyte of a value (AMD64 psABI 3.2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce

import msgspec

from abiprobe.oracles.abis.x86.classes import Class
from abiprobe.oracles.abis.x86.data import PACKED_TYPES
from abiprobe.oracles.abis.x86.pcc import classes_by_beginning
from abiprobe.oracles.engine.emptiness import has_flexible_array
from abiprobe.oracles.engine.leaves import Leaf, leaves
from abiprobe.oracles.engine.llvm_unions import HALVES, bytes_of_reals, real_at
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import REMEMBERED, TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    FixedPoint,
    Kind,
    Member,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
    components,
    spelling,
    strip,
)
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
INTEGER = cite("class.integer")
SSE = cite("class.sse")
SSEUP = cite("class.sseup")
X87 = cite("class.x87")
INT128 = cite("class.int128")
BIT_INT = cite("class.bit-int")
COMPLEX = cite("class.complex")
COMPLEX_X87 = cite("class.complex-x87")
LARGE = cite("class.large")
EACH_EIGHTBYTE = cite("class.each-eightbyte")
CLEANUP = cite("class.cleanup")
NESTED_CLEANUP = cite("class.nested-cleanup")
VECTOR_SIZE = cite("class.vector-size")
VECTOR_OF_ONE = cite("class.vector-of-one")
UNALIGNED_NO_ELEMENT = cite("class.unaligned-no-element")
UNNAMED = cite("class.unnamed-bit-field")
NO_ELEMENT = cite("class.no-element")
ZERO_WIDTH = cite("class.zero-width")

EIGHTBYTE = 8


class Classes(msgspec.Struct, frozen=True):
    """The classes of a value's eightbytes in order, and the clause that gave the value its kind of class."""

    eightbytes: tuple[Class, ...]
    clause: str


@lru_cache(maxsize=REMEMBERED)
@implements("class.integer", "class.sse", "class.sseup", "class.x87", "class.int128", "class.bit-int")
def classify(types: TypeTable, c_type: Type) -> Classes:
    """The class of every eightbyte of a type; a MEMORY value has MEMORY throughout."""
    count = size_in_eightbytes(types, c_type)
    match types.plain(c_type):
        case Complex() | Record() if types.is_opaque(c_type):
            return Classes((Class.MEMORY,) * count, COMPLEX)
        case Scalar(Kind.LDOUBLE):
            return Classes((Class.X87, Class.X87UP), X87)
        case Scalar(Kind.FLOAT128 | Kind.DECIMAL128):
            return Classes((Class.SSE, Class.SSEUP), SSEUP)
        case Scalar(Kind.INT128 | Kind.UINT128):
            return Classes((Class.INTEGER, Class.INTEGER), INT128)
        case Scalar(kind) if kind.is_floating:
            return Classes((Class.SSE,), SSE)
        case Scalar() | Enum() | Pointer() | FixedPoint():
            return Classes((Class.INTEGER,), INTEGER)
        case BitInt():
            integers = (Class.INTEGER,) * count
            return Classes(integers, INTEGER) if count == 1 else Classes(clean_up(integers), BIT_INT)
        case Complex(Kind.LDOUBLE):
            return Classes((Class.COMPLEX_X87,) * count, COMPLEX_X87)
        case Complex(Kind.FLOAT128):
            return Classes((Class.MEMORY,) * count, COMPLEX)
        case Complex():
            return Classes((Class.SSE,) * count, COMPLEX)
        case Vector(kind=kind, size=size):
            return Classes(classify_vector(types, kind, size), SSE if size == EIGHTBYTE else SSEUP)
        case Record() as record if types.is_addressable(record):
            return Classes((Class.MEMORY,) * count, EACH_EIGHTBYTE)
        case Record() as record if types.policies.classes_by_beginning:
            return Classes(classes_by_beginning(types, record), EACH_EIGHTBYTE)
        case aggregate if types.policies.one_class:
            return Classes(classify_as_one(types, aggregate, count), EACH_EIGHTBYTE)
        case aggregate:
            return classify_aggregate(types, aggregate, count)


def size_in_eightbytes(types: TypeTable, c_type: Type) -> int:
    """Return the number of eightbytes that hold a value; the last one may be held in part."""
    return -(-types.extent(c_type).size // EIGHTBYTE)


@implements("class.sseup", "class.vector-size", "class.vector-of-one")
def classify_vector(types: TypeTable, kind: Kind, size: int) -> tuple[Class, ...]:
    """`__m64` is SSE, larger ones are SSE and SSEUP; the text has no answer for other sizes, nor for one double."""
    is_said = size in PACKED_TYPES and size <= types.options.vectors
    if types.reading is not None and (not is_said or (kind is Kind.DOUBLE and size == EIGHTBYTE)):
        return vector_by_families(types, kind, size)
    if kind is Kind.DOUBLE and size == EIGHTBYTE:
        raise SilentError(VECTOR_OF_ONE, "a vector of one double")
    if not is_said:
        widest = types.options.vectors
        raise SilentError(
            VECTOR_SIZE, f"a vector of {size} bytes on a processor with {widest}-byte vector registers"
        )
    if is_in_memory(types, kind, size):
        return (Class.MEMORY,) * (size // EIGHTBYTE)
    # [x86_64:class.sseup]
    return (Class.SSE, *(Class.SSEUP,) * (size // EIGHTBYTE - 1))


def vector_by_families(types: TypeTable, kind: Kind, size: int) -> tuple[Class, ...]:
    """A vector that the text leaves open: INTEGER where it is smaller than `__m64`, else in memory, for gcc and clang.

    One of a single real is in memory for gcc.
    """
    single = types.reading is Reading.GCC and kind.is_floating and size == types.data.kind(kind).size
    own = Class.INTEGER if size < EIGHTBYTE and not single else Class.MEMORY
    return (own,) * -(-size // EIGHTBYTE)


def is_in_memory(types: TypeTable, kind: Kind, size: int) -> bool:
    """Return whether a compiler has a wide vector in memory for what it is of, or for the options of its unit."""
    of_int128 = types.policies.int128_vectors_in_memory and kind.is_int128
    return size > 16 and (of_int128 or types.policies.vectors_of_unit)


class Counting(msgspec.Struct, frozen=True):
    """The unnamed bit-fields that count as fields.

    Unnamed bit-fields of non-zero width, zero-width ones.
    """

    padding: bool = False
    zero_width: bool = False


@implements(
    "class.large",
    "class.each-eightbyte",
    "class.complex",
    "class.complex-x87",
    "class.unnamed-bit-field",
    "class.unaligned-no-element",
)
def classify_aggregate(types: TypeTable, aggregate: Type, count: int) -> Classes:
    """Merge the classes of all fields, eightbyte by eightbyte, and clean up."""
    if count > 8 or has_unaligned_field(types, aggregate) or is_beside_wide_vector(types, aggregate):
        return Classes((Class.MEMORY,), LARGE)
    if is_opaque(types, aggregate):
        return Classes((Class.MEMORY,), NO_ELEMENT)
    empty = has_empty_array(aggregate)
    if empty and has_unaligned_field(types, aggregate, empty=True):
        if types.reading is not None:
            return Classes((Class.MEMORY,), UNALIGNED_NO_ELEMENT)
        raise SilentError(
            UNALIGNED_NO_ELEMENT, f"an unaligned array without elements in {spelling(aggregate)}"
        )

    # [x86_64:class.complex] [x86_64:class.complex-x87]
    def classes(counting: Counting) -> tuple[Class, ...]:
        return departed(types, aggregate, merged_classes(types, aggregate, counting))

    merged = classes(Counting())
    if Class.MEMORY not in merged:
        refuse_memory_within(types, aggregate)
    unnamed = has_unnamed_bit_field(aggregate)
    if unnamed and merged != (counted := classes(Counting(padding=True))):
        if types.reading is None:
            raise SilentError(
                UNNAMED, f"the classes of {spelling(aggregate)} depend on its unnamed bit-fields"
            )
        return Classes(merged if types.policies.skips_unnamed_bit_fields else counted, UNNAMED)
    if unnamed and merged != classes(Counting(zero_width=True)):
        return Classes(merged, ZERO_WIDTH)
    if empty:
        return Classes(merged, NO_ELEMENT)
    return Classes(merged, CLEANUP if Class.MEMORY in merged else EACH_EIGHTBYTE)


def is_opaque(types: TypeTable, aggregate: Type) -> bool:
    """Return whether a compiler has a value in memory for its flexible array."""
    if types.policies.opaque_flexible_arrays and has_flexible_array(aggregate, in_elements=True):
        return True
    return types.policies.memory_unions and has_flexible_union(aggregate)


def has_flexible_union(c_type: Type) -> bool:
    """Return whether a type is, or contains, a union of which a member itself is a flexible array.

    One in a struct that is a member gcc passes over, as in any other struct.
    """
    match c_type:
        case Record(union=True, members=members) if any(map(is_flexible, members)):
            return True
        case Array(length=length) if not length:
            return False
        case _:
            return any(map(has_flexible_union, components(c_type)))


def is_flexible(member: Member) -> bool:
    """Return whether a member is a flexible array."""
    own = strip(member.type)
    return isinstance(own, Array) and own.length is None


def without_long_arrays(types: TypeTable, aggregate: Type) -> Type:
    """A union without its arrays of more than 16 bytes and one element; whatever else as it is."""
    match types.plain(aggregate):
        case Record(union=True, members=members) as union:
            kept = tuple(one for one in members if not is_long_array(types, types.plain(one.type)))
            return msgspec.structs.replace(union, members=kept)
        case other:
            return other


def is_long_array(types: TypeTable, c_type: Type) -> bool:
    """Return whether a type is an array of more than 16 bytes and one element."""
    return isinstance(c_type, Array) and types.extent(c_type).size > 16 and c_type.length != 1


def is_beside_wide_vector(types: TypeTable, aggregate: Type) -> bool:
    """Return whether a compiler that has wide vectors alone in a struct finds something beside one."""
    if not types.policies.wide_vectors_alone:
        return False
    outers = (one for one in (aggregate, *inner_structs(aggregate)) if isinstance(one, Record))
    return any(has_smaller_member(types, outer) for outer in outers if not outer.union)


def has_smaller_member(types: TypeTable, struct: Record) -> bool:
    """Return whether a struct of more than 16 bytes has a member that is smaller; a bit-field without a name is none."""
    size = types.extent(struct).size
    named = (one.type for one in struct.members if one.name or one.width is None)
    return size > 16 and any(types.extent(inner).size != size for inner in named)


def inner_structs(c_type: Type) -> Iterator[Type]:
    """The parts of a type, at any depth; there are none in an array without elements."""
    for inner in components(c_type) if not isinstance(c_type, Array) or c_type.length else ():
        yield strip(inner)
        yield from inner_structs(inner)


def departed(types: TypeTable, aggregate: Type, merged: tuple[Class, ...]) -> tuple[Class, ...]:
    """The classes of an aggregate after what a compiler does to some of two eightbytes."""
    pair = merged == (Class.SSE, Class.SSE)
    if types.policies.float128_unions_in_integers and pair and has_float128(types, aggregate):
        return (Class.INTEGER, Class.SSE)
    if types.policies.small_reals_in_integers and is_widened_to_integer(types, aggregate, merged):
        return (Class.INTEGER, merged[1])
    return merged


def is_widened_to_integer(types: TypeTable, aggregate: Type, merged: tuple[Class, ...]) -> bool:
    """Return whether clang widens the first of two eightbytes to an integer, so that the second begins at byte 8 for LLVM.

    It widens one half and one `float` to a `double`, and forgets other reals.
    Source: LLVM, clang/lib/CodeGen/Targets/X86.cpp, GetX86_64ByValArgumentPair.
    """
    if len(merged) != 2 or merged[0] is not Class.SSE or merged[1] not in {Class.SSE, Class.INTEGER}:
        return False
    size = types.extent(aggregate).size
    first, width = real_at(types, aggregate, 0), bytes_of_reals(types, aggregate, 0, size)
    forgotten = first is Kind.BF16 if width == 2 else width == 4 and first in HALVES
    if merged[1] is Class.SSE:
        return forgotten and bytes_of_reals(types, aggregate, 8, size) < 8
    return forgotten and is_short_integer(types, aggregate, size)


def is_short_integer(types: TypeTable, aggregate: Type, size: int) -> bool:
    """Return whether LLVM has an integer of up to four bytes for what is in the second eightbyte."""
    if size <= 12:
        return True
    behind = [one for one in leaves(types, aggregate) if one.bit_offset >= 64]
    return len(behind) == 1 and behind[0].bit_offset == 64 and types.extent(behind[0].type).size <= 4


def has_float128(types: TypeTable, aggregate: Type) -> bool:
    """Return whether a `__float128` is in an aggregate."""
    return any(leaf.type == Scalar(Kind.FLOAT128) for leaf in leaves(types, aggregate))


def classify_as_one(types: TypeTable, aggregate: Type, count: int) -> tuple[Class, ...]:
    """One class for all eightbytes of an aggregate of one or two, MEMORY for a larger one."""
    own = class_of_members(types, aggregate)
    if count > 2 or own is Class.MEMORY:
        return (Class.MEMORY,) * count
    return (Class.X87, Class.X87UP) if own is Class.X87 else (own,) * count


def class_of_members(types: TypeTable, c_type: Type) -> Class:
    """The class of a value as the merger of those of its members; an array is the pointer that it decays to."""
    match types.plain(c_type):
        case Record(members=members):
            return reduce(merge, (class_of_members(types, one.type) for one in members), Class.NO_CLASS)
        case Array():
            return Class.INTEGER
        case scalar:
            return classify(types, scalar).eightbytes[0]


def merged_classes(types: TypeTable, aggregate: Type, counting: Counting) -> tuple[Class, ...]:
    """The classes of the eightbytes of an aggregate."""
    merged = [Class.NO_CLASS] * size_in_eightbytes(types, aggregate)
    if types.policies.overlooks_arrays:
        merge_fields(types, without_long_arrays(types, aggregate), merged, counting)
        return clean_up(as_long_as_union(merged))
    merge_fields(types, aggregate, merged, counting)
    return clean_up(tuple(merged))


def as_long_as_union(classes: Sequence[Class]) -> tuple[Class, ...]:
    """The classes of a union whose arrays are overlooked: a wide vector goes on to the end of the union."""
    is_wide = tuple(classes[:3]) == (Class.SSE, Class.SSEUP, Class.SSEUP)
    return tuple(Class.SSEUP if is_wide and own is Class.NO_CLASS else own for own in classes)


@implements("class.nested-cleanup")
def refuse_memory_within(types: TypeTable, c_type: Type) -> None:
    """Refuse a value in registers in which a record, cleaned up by itself, would be MEMORY; raises `SilentError`."""
    if isinstance(c_type, Array) and not c_type.length:
        return
    for inner in components(c_type):
        if isinstance(inner, Record) and Class.MEMORY in merged_classes(types, inner, Counting()):
            raise SilentError(NESTED_CLEANUP, f"{spelling(inner)} would be MEMORY by itself")
        refuse_memory_within(types, inner)


@implements("class.no-element")
def merge_fields(
    types: TypeTable, aggregate: Type, into: list[Class], counting: Counting, at: int = 0
) -> None:
    """Merge the classes of all fields of an aggregate that starts at bit `at` into eightbytes."""
    for leaf in leaves(types, aggregate, at):
        if leaf.bit_field is not None:
            if is_misaligned_to_gcc(types, leaf):
                merge_span(into, leaf.bit_offset, 1, Class.MEMORY)
            if not leaf.bit_field.is_unnamed_bit_field or counts(types, leaf, counting):
                merge_span(into, leaf.bit_offset, leaf.bit_field.bit_width or 1, Class.INTEGER)
            continue
        match leaf.type:
            case Array(element=element, length=0) if types.policies.counts_empty_arrays:
                if leaf.bit_offset % 64:
                    merge_span(
                        into, leaf.bit_offset, 1, class_of_absent(types, element, leaf.bit_offset % 64)
                    )
            case Record() | Array():
                continue
            case BitInt() if types.policies.unaligned_bit_ints:
                merge_span(into, leaf.bit_offset, types.extent(leaf.type).size * 8, Class.INTEGER)
            case Scalar(Kind.FLOAT128) if types.policies.float128_in_memory:
                merge_span(into, leaf.bit_offset, 128, Class.MEMORY)
            case Atomic() | FixedPoint():
                # An atomic type only where a compiler does not look into it; clang has no class for fixed-point numbers.
                merge_span(into, leaf.bit_offset, types.extent(leaf.type).size * 8, Class.MEMORY)
            case Complex(kind) if kind is not Kind.LDOUBLE:
                width = types.data.kind(kind).size * 8
                for part in (leaf.bit_offset, leaf.bit_offset + width):
                    merge_scalar(types, Scalar(kind), part, into)
                if types.policies.half_complex_goes_on and width == 16 and leaf.bit_offset % 64:
                    merge_span(into, leaf.bit_offset + 64, 1, Class.SSE)
            case scalar:
                merge_scalar(types, scalar, leaf.bit_offset, into)


def is_misaligned_to_gcc(types: TypeTable, leaf: Leaf) -> bool:
    """Return whether a bit-field of a union is where the mode that gcc gives it, the least integer that holds it, would be unaligned.

    Source: GCC, i386.cc, classify_argument, which looks at the bit-fields of structs alone by themselves.
    """
    field = leaf.bit_field
    if (
        not types.policies.union_bit_fields_by_mode
        or field is None
        or not leaf.in_union
        or not field.bit_width
    ):
        return False
    mode = max(8, 1 << (field.bit_width - 1).bit_length())
    return mode <= 64 and leaf.bit_offset % mode != 0


def class_of_absent(types: TypeTable, element: Type, offset: int) -> Class:
    """The class of an element that is not there, at a bit of an eightbyte: an aggregate that would go beyond two is MEMORY."""
    match types.plain(element):
        case Array(element=inner, length=0):
            return class_of_absent(types, inner, offset)
        case Array() | Record() if types.extent(element).size * 8 + offset > 128:
            return Class.MEMORY
        case Record() as nothing if not types.extent(nothing).size:
            merge_fields(types, nothing, into := [Class.NO_CLASS], Counting(), offset)
            return into[0]
        case _:
            return next(iter(classify(types, element).eightbytes), Class.NO_CLASS)


def merge_scalar(types: TypeTable, scalar: Type, at: int, into: list[Class]) -> None:
    """Merge the classes of what starts at bit `at` of an aggregate."""
    own_classes = classify(types, scalar).eightbytes
    if types.policies.halves_int128_vectors and is_int128_vector(scalar):
        own_classes = own_classes[:1]
    for slot, own in enumerate(own_classes, at // 64):
        into[slot] = merge(into[slot], own)


def is_int128_vector(scalar: Type) -> bool:
    """Return whether a type is a vector of one `__int128`."""
    return isinstance(scalar, Vector) and scalar.size == 16 and scalar.kind.is_int128


@implements("class.zero-width")
def counts(types: TypeTable, leaf: Leaf, counting: Counting) -> bool:
    """Return whether an unnamed bit-field counts as a field."""
    assert leaf.bit_field is not None
    if leaf.bit_field.bit_width:
        return counting.padding
    if leaf.in_union:
        in_unions = types.policies.zero_width_in_unions and (leaf.in_bytes or leaf.bit_offset % 64 != 0)
        return counting.zero_width or in_unions
    return counting.zero_width or (types.policies.zero_width_in_structs and leaf.bit_offset % 64 != 0)


def merge_span(into: list[Class], at: int, width: int, own: Class) -> None:
    """Merge `own` into every eightbyte that the bits `[at, at + width)` touch."""
    for slot in range(at // 64, min((at + width - 1) // 64 + 1, len(into))):
        into[slot] = merge(into[slot], own)


@implements("class.merge")
def merge(one: Class, other: Class) -> Class:
    """The class of an eightbyte that holds fields of two classes."""
    if one is other:
        return one
    both = {one, other}
    if Class.NO_CLASS in both:
        return other if one is Class.NO_CLASS else one
    if Class.MEMORY in both:
        return Class.MEMORY
    if Class.INTEGER in both:
        return Class.INTEGER
    if both & {Class.X87, Class.X87UP, Class.COMPLEX_X87}:
        return Class.MEMORY
    return Class.SSE


@implements("class.cleanup")
def clean_up(classes: tuple[Class, ...]) -> tuple[Class, ...]:
    """The post merger clean up."""
    memory = (Class.MEMORY,) * len(classes)
    if Class.MEMORY in classes:
        return memory
    if any(
        own is Class.X87UP and (not i or classes[i - 1] is not Class.X87) for i, own in enumerate(classes)
    ):
        return memory
    if len(classes) > 2 and (
        classes[0] is not Class.SSE or any(own is not Class.SSEUP for own in classes[1:])
    ):
        return memory
    return reduce(_append_up, classes, ())


def _append_up(done: tuple[Class, ...], own: Class) -> tuple[Class, ...]:
    """An SSEUP that follows neither SSE nor SSEUP is an SSE."""
    follows = bool(done) and done[-1] in {Class.SSE, Class.SSEUP}
    return (*done, Class.SSE if own is Class.SSEUP and not follows else own)


def has_unnamed_bit_field(c_type: Type) -> bool:
    """Return whether a type contains an unnamed bit-field."""
    if isinstance(c_type, Record) and any(
        not member.name and member.width is not None for member in c_type.members
    ):
        return True
    return any(has_unnamed_bit_field(inner) for inner in components(c_type))


def has_empty_array(c_type: Type) -> bool:
    """Return whether a type contains an array without elements, such as a flexible one."""
    if isinstance(c_type, Array) and not c_type.length:
        return True
    return any(has_empty_array(inner) for inner in components(c_type))


def has_unaligned_field(types: TypeTable, c_type: Type, at: int = 0, *, empty: bool = False) -> bool:
    """Return whether a field at bit `at` of the value lies off the natural alignment of its type; bit-fields never do.

    An array without elements is none, save if `empty` asks where an element of it would lie.
    """
    first = 1 if types.policies.aligned_first_elements else 8
    if any(is_unaligned(types, leaf, empty=empty) for leaf in leaves(types, c_type, at, elements=first)):
        return True
    return not types.policies.records_are_no_fields and has_unaligned_record(types, c_type, at, empty=empty)


def has_unaligned_record(types: TypeTable, c_type: Type, at: int, *, empty: bool) -> bool:
    """Return whether a field that is a record, at bit `at` of the value or within it, lies off the alignment of its type.

    Each field of an object is classified by itself, whatever is in it: of a record of bit-fields no part can lie so.
    """
    match types.plain(c_type):
        case Record() as record:
            return at % (types.extent(record).align * 8) != 0 or any(
                has_unaligned_record(types, item.type, at + item.bit_offset, empty=empty)
                for item in types.shape(record).fields
                if not item.is_bit_field
            )
        case Array(element=element, length=length) if length or (
            empty and types.reading is not Reading.CLANG
        ):
            stride = types.extent(element).size * 8
            return any(
                has_unaligned_record(types, element, at + index * stride, empty=empty)
                for index in range(min(length or 1, 8))
            )
        case _:
            return False


def is_unaligned(types: TypeTable, leaf: Leaf, *, empty: bool) -> bool:
    """Return whether a leaf lies off its natural alignment; with `empty`, an element of an array that has none."""
    match leaf.type:
        case _ if leaf.bit_field is not None:
            return types.policies.filling_bit_fields_are_members and is_unaligned_member(leaf, leaf.bit_field)
        case BitInt(width=width) if types.policies.unaligned_bit_ints and 32 < width <= 64:
            return False
        case Array(element=element) if empty and types.reading is Reading.CLANG:
            # Clang asks the alignment of the element, and nothing of what is in it.
            return leaf.bit_offset % (types.extent(element).align * 8) != 0
        case Array(element=element):
            return empty and has_unaligned_field(types, element, leaf.bit_offset, empty=empty)
        case Record():
            return False
        case scalar:
            return leaf.bit_offset % (types.extent(scalar).align * 8) != 0


def is_unaligned_member(leaf: Leaf, item: Field) -> bool:
    """Return whether a bit-field fills an aligned integer of its record, and lies off that alignment in the value."""
    width = item.bit_width
    packed = item.member.packed and width > 8
    fills = width in {8, 16, 32, 64} and item.bit_offset % width == 0 and not packed
    return fills and leaf.bit_offset % width != 0
