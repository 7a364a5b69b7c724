"""Laws that every model keeps, of every target and dialect, whatever the question."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from itertools import pairwise

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from laboratory.dialects import SPELLINGS

from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.types import records
from abiprobe.generators.values import TURNS, fill
from abiprobe.oracles.engine.doubles import DOUBLE, SINGLE, as_single
from abiprobe.oracles.engine.expect import contents
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    strip,
)
from abiprobe.oracles.language.question import decode, encode
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.options import DEFAULT
from abiprobe.oracles.text.place import (
    ARGUMENT_BUFFER,
    Assignment,
    Form,
    Hidden,
    Layout,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
    StackSlot,
)

drawn = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

RARE: tuple[Type, ...] = (
    *(BitInt(width, signed) for width in (1, 5, 32, 33, 64, 65, 128, 129, 200) for signed in (True, False)),
    *(Scalar(kind) for kind in (Kind.FLOAT16, Kind.BF16, Kind.FLOAT128)),
    Complex(Kind.FLOAT16),
    *(Vector(Kind.FLOAT, size) for size in (8, 16, 32)),
    Atomic(Scalar(Kind.INT)),
    Typedef("wide_t", Scalar(Kind.INT), 16),
    Typedef("narrow_t", Scalar(Kind.DOUBLE), 2),
    Record("R0", (Member(BitInt(65), "a"), Member(Scalar(Kind.FLOAT), "b"))),
    Record("R1", (Member(Scalar(Kind.FLOAT16), "a"), Member(BitInt(7), "b"))),
)
"""Types that the generators leave out, for they are not what every compiler has."""


@st.composite
def dressed(draw: st.DrawFn) -> Record:
    """A record with attributes, which the generators leave out, on itself and its members."""
    record = draw(records(max_members=6, max_depth=2))
    members = tuple(
        msgspec.structs.replace(
            member, packed=draw(st.booleans()), align=draw(st.sampled_from((None, 2, 16)))
        )
        if member.name and member.width is None
        else member
        for member in record.members
    )
    return msgspec.structs.replace(
        record,
        members=members,
        packed=draw(st.booleans()),
        align=draw(st.sampled_from((None, 1, 8, 16, 64))),
        pack=draw(st.sampled_from((None, 1, 2, 4, 16))),
    )


def undressed(record: Record) -> Record:
    """The record without attributes on itself and its members."""
    members = tuple(Member(member.type, member.name, member.width) for member in record.members)
    return Record(record.tag, members, union=record.union)


@st.composite
def calls(draw: st.DrawFn) -> Prototype:
    """A prototype with rare types among its parameters, perhaps with unnamed arguments."""
    prototype = draw(prototypes(max_params=12))
    rare = draw(st.lists(st.one_of(st.sampled_from(RARE), dressed()), max_size=3))
    params = [*prototype.params, *(Param(f"rare{index}", c_type) for index, c_type in enumerate(rare))]
    params = draw(st.permutations(params)) if rare else params
    unnamed = [param.type for param in params[1:] if is_promoted(param.type)]
    if not unnamed or draw(st.booleans()):
        return msgspec.structs.replace(prototype, params=tuple(params))
    named = tuple(param for param in params if param.type not in unnamed)
    return msgspec.structs.replace(prototype, params=named, variadic=True, unnamed=tuple(unnamed))


def is_promoted(c_type: Type) -> bool:
    """Return whether a value of this type is an unnamed argument as it is."""
    match strip(c_type):
        case Scalar(kind):
            return kind in {Kind.INT, Kind.LONG, Kind.DOUBLE, Kind.LDOUBLE, Kind.INT128}
        case Pointer() | Record():
            return True
        case _:
            return False


some_models = st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=4, unique=True)
"""Names of models; a failing example names one."""


def layouts(names: list[str], c_type: Type) -> Iterator[tuple[AbiModel, Layout]]:
    """The models among `names` that lay out a type, each with its answer."""
    for name in names:
        model = find_model(name)
        answer = model.layout(c_type)
        if isinstance(answer, Layout):
            yield model, answer


def assignments(names: list[str], prototype: Prototype) -> Iterator[tuple[AbiModel, Assignment]]:
    """The models among `names` that assign places to a call, each with its answer."""
    for name in names:
        model = find_model(name)
        answer = model.assign(prototype)
        if isinstance(answer, Assignment):
            yield model, answer


# Layouts


def hidden_by_result(answer: Assignment) -> list[tuple[Piece, ...]]:
    """The places of hidden arguments, but for the pointer to a buffer, which is there for unnamed arguments alone."""
    return [one.pieces for one in answer.hidden if one.role != ARGUMENT_BUFFER]


@drawn
@given(some_models, st.one_of(records(), dressed()))
def test_a_size_is_a_multiple_of_the_alignment(names: list[str], record: Record) -> None:
    for _, answer in layouts(names, record):
        assert answer.align > 0
        assert answer.align & (answer.align - 1) == 0
        assert answer.size % answer.align == 0


@drawn
@given(some_models, st.one_of(records(), dressed()))
def test_members_lie_within_the_record(names: list[str], record: Record) -> None:
    for _, answer in layouts(names, record):
        for member in answer.members:
            assert member.bit_offset >= 0
            assert member.bit_offset + member.bit_width <= answer.size * 8


@drawn
@given(some_models, st.one_of(records(), dressed()))
def test_members_of_structs_do_not_overlap(names: list[str], record: Record) -> None:
    for model, _ in layouts(names, record):
        for whole in records_in(record):
            if not whole.union:
                fields = model.types.shape(whole).fields
                for one, next_one in pairwise(fields):
                    assert one.bit_offset + one.bit_width <= next_one.bit_offset


@drawn
@given(some_models, st.one_of(records(), dressed()))
def test_members_of_unions_start_at_zero(names: list[str], record: Record) -> None:
    for model, _ in layouts(names, record):
        for union in records_in(record):
            if union.union:
                assert all(item.bit_offset == 0 for item in model.types.shape(union).fields)


@drawn
@given(some_models, records().map(undressed))
def test_offsets_are_aligned(names: list[str], record: Record) -> None:
    for model, answer in layouts(names, record):
        for item in model.types.shape(record).fields:
            extent = model.types.extent(item.type)
            if item.is_bit_field and is_bit_by_bit(model):
                continue
            if not item.is_bit_field:
                assert item.bit_offset % (extent.align * 8) == 0
            elif item.bit_width:
                # Some take the units of an over-aligned typedef name to be as large as the type.
                unit = model.types.text.unit
                past_boundary = item.bit_offset % (unit or min(extent.align, extent.size) * 8)
                assert past_boundary + item.bit_width <= (unit or extent.size * 8)
            if item.member.name and not is_unaligned_by_clang(model, record, item):
                # gcc's _Alignof says no more of a vector than a register has.
                assert answer.align % model.types.alignof(item.type) == 0


def is_bit_by_bit(model: AbiModel) -> bool:
    """Return whether bit-fields follow each other bit by bit, as gcc has them for m68k, whatever their types."""
    return model.types.reading is Reading.GCC and bool(model.types.text.bit_boundary)


def is_unaligned_by_clang(model: AbiModel, record: Record, item: Field) -> bool:
    """Return whether an item is a bit-field of a union of Microsoft's for clang, which aligns its record to no more than a byte."""
    asked = model.types.options.ms_bitfields if record.ms_struct is None else record.ms_struct
    microsoft = bool(asked) or model.types.own is not None
    return microsoft and model.types.reading is Reading.CLANG and record.union and item.is_bit_field


def test_a_bit_field_is_no_wider_than_its_type() -> None:
    for name in SPELLINGS:
        types = find_model(name).types
        # A text may be silent on `long long`.
        for kind in (one for one in (Kind.CHAR, Kind.INT, Kind.LONG, Kind.LLONG) if one in types.data.kinds):
            wide = Record("R", (Member(Scalar(kind), "a", types.extent(Scalar(kind)).size * 8 + 1),))
            with pytest.raises(AbsentError):
                types.shape(wide)


@drawn
@given(some_models, st.one_of(records(), dressed()))
def test_a_nested_record_is_laid_out_as_it_is_alone(names: list[str], record: Record) -> None:
    for model, answer in layouts(names, record):
        for item in model.types.shape(record).fields:
            # What has neither a name nor bytes is not listed.
            if isinstance(item.type, Record) and (item.member.name or item.bit_width):
                alone = model.layout(item.type)
                assert isinstance(alone, Layout)
                prefix = f"{item.member.name}." if item.member.name else ""
                for leaf in alone.members:
                    moved = (prefix + leaf.path, item.bit_offset + leaf.bit_offset, leaf.bit_width)
                    assert moved in {(leaf.path, leaf.bit_offset, leaf.bit_width) for leaf in answer.members}


@drawn
@given(
    some_models,
    st.one_of(records(), dressed()),
    st.sampled_from((Scalar(Kind.CHAR), Scalar(Kind.DOUBLE), *RARE)),
)
def test_a_further_member_moves_no_earlier_one(names: list[str], record: Record, c_type: Type) -> None:
    longer = msgspec.structs.replace(record, members=(*record.members, Member(c_type, "last")))
    for model, answer in layouts(names, record):
        after = model.layout(longer)
        if isinstance(after, Layout):
            assert after.members[: len(answer.members)] == answer.members


@drawn
@given(some_models, st.one_of(records(), dressed()))
def test_the_mask_is_of_the_leaves(names: list[str], record: Record) -> None:
    for model, answer in layouts(names, record):
        mask, order = model.types.mask(record), model.types.data.order
        assert len(mask) == answer.size
        significant, leaves = int.from_bytes(mask, order), 0
        # Where an empty record has a size, its bytes mean nothing.
        empty = {8 * model.types.extent(one).size for one in records_in(record) if not one.members}
        for leaf in model.types.leaves(record, whole=1 << 12):
            before = leaf.bit_offset
            if order == "big":
                before = answer.size * 8 - leaf.bit_offset - leaf.bit_width
            own = ((1 << leaf.bit_width) - 1) << before
            leaves |= own
            assert significant & own or not leaf.bit_width or leaf.bit_width in empty
            assert significant & own == own or not leaf.bit_field
        assert significant & ~leaves == 0


@drawn
@given(some_models, st.one_of(records(), dressed()))
def test_names_do_not_change_a_layout(names: list[str], record: Record) -> None:
    other = renamed(record)
    assert isinstance(other, Record)
    for model, answer in layouts(names, record):
        again = model.layout(other)
        assert isinstance(again, Layout)
        assert (again.size, again.align, again.clause) == (answer.size, answer.align, answer.clause)
        anonymous = [msgspec.structs.replace(leaf, path="") for leaf in again.members]
        assert anonymous == [msgspec.structs.replace(leaf, path="") for leaf in answer.members]
        assert [leaf.path for leaf in again.members] == [
            ".".join(f"new_{part}" for part in leaf.path.split(".")) for leaf in answer.members
        ]


# Calls


@drawn
@given(some_models, calls())
def test_pieces_hold_each_significant_bit_exactly_once(names: list[str], prototype: Prototype) -> None:
    for model, answer in assignments(names, prototype):
        for passed in (*answer.params, *([answer.result] if answer.result else [])):
            assert len(passed.mask) == passed.size
            held = 0
            # What is unnamed may travel twice, all of it: ms_abi has a double in registers of both files.
            for bits in dict.fromkeys(map(bits_of, passed.pieces)):
                assert not held & bits
                held |= bits
            if passed.passing is Passing.DIRECT:
                assert not int.from_bytes(passed.mask, "little") & ~held
                assert held < 1 << passed.size * 8
            elif passed.passing is Passing.IGNORED:
                assert not any(passed.mask)
                assert not held
            elif passed is not answer.result:
                assert held == (1 << model.types.data.pointer.size * 8) - 1


@drawn
@given(some_models, calls())
def test_no_place_holds_two_things(names: list[str], prototype: Prototype) -> None:
    for _, answer in assignments(names, prototype):
        arguments = [piece for passed in answer.params for piece in passed.pieces]
        arguments += [piece for hidden in answer.hidden for piece in hidden.pieces]
        for pieces in (arguments, answer.result.pieces if answer.result else ()):
            registers = [piece.place.name for piece in pieces if isinstance(piece.place, Register)]
            assert len(registers) == len(set(registers))
        for (_, end), (start, _) in pairwise(sorted(map(slots_of, on_stack(arguments)))):
            assert end <= start


@drawn
@given(some_models, calls())
def test_stack_slots_are_aligned_and_within_the_area(names: list[str], prototype: Prototype) -> None:
    for model, answer in assignments(names, prototype):
        first, second = stack_words(model)
        word = abs(second - first)
        # An area that grows down ends where its first word does.
        base = first if second > first else first + word - answer.stack_bytes
        for passed in answer.params:
            for piece in on_stack(passed.pieces):
                start, end = slots_of(piece)
                assert 0 <= start - base <= end - base <= answer.stack_bytes
                assert (start - base) % word == 0


@drawn
@given(
    some_models,
    calls(),
    st.one_of(st.sampled_from((Scalar(Kind.INT), Scalar(Kind.FLOAT), *RARE)), records(max_depth=2)),
)
def test_a_further_argument_moves_no_earlier_one(
    names: list[str], prototype: Prototype, c_type: Type
) -> None:
    if prototype.variadic:
        longer = msgspec.structs.replace(prototype, unnamed=(*prototype.unnamed, c_type))
    else:
        longer = msgspec.structs.replace(prototype, params=(*prototype.params, Param("last", c_type)))
    for model, answer in assignments(names, prototype):
        after = model.assign(longer)
        if isinstance(after, Assignment):
            assert after.params[:-1] == answer.params
            assert after.result == answer.result
            assert hidden_by_result(after) == hidden_by_result(answer)
            assert after.stack_bytes >= answer.stack_bytes


@drawn
@given(some_models, calls())
def test_a_result_does_not_depend_on_the_parameters(names: list[str], prototype: Prototype) -> None:
    alone = msgspec.structs.replace(prototype, params=(), unnamed=())
    for model, answer in assignments(names, prototype):
        again = model.assign(alone)
        assert isinstance(again, Assignment)
        assert again.result == answer.result
        assert hidden_by_result(again) == hidden_by_result(answer)


@drawn
@given(some_models, calls())
def test_parameters_depend_on_the_result_only_through_its_address(
    names: list[str], prototype: Prototype
) -> None:
    # Those that pass their first parameters in other registers pass the address as no parameter; nor does ptxas.
    assume(prototype.convention is None and prototype.regparm is None)
    parameters = [name for name in names if not name.startswith("nvptx64")]
    for model, answer in assignments(parameters, prototype):
        addresses = [hidden for hidden in answer.hidden if hidden.role == "result pointer"]
        # Some have a register for the address in which no parameter is.
        counted = [hidden for hidden in addresses if places(hidden) == pointer_alone(model, prototype)]
        first = tuple(Param("address", Pointer()) for _ in counted)
        plain = msgspec.structs.replace(prototype, result=None, params=(*first, *prototype.params))
        again = model.assign(plain)
        assert isinstance(again, Assignment)
        assert again.params[len(first) :] == answer.params
        taken = [place for passed in again.params[len(first) :] for place in places(passed)]
        assert not any(place in taken for hidden in addresses for place in places(hidden))


@drawn
@given(some_models, calls())
def test_names_do_not_change_places(names: list[str], prototype: Prototype) -> None:
    other = msgspec.structs.replace(
        prototype,
        name=f"new_{prototype.name}",
        result=renamed(prototype.result) if prototype.result else None,
        params=tuple(Param(f"new_{param.name}", renamed(param.type)) for param in prototype.params),
        unnamed=tuple(map(renamed, prototype.unnamed)),
    )
    for model, answer in assignments(names, prototype):
        again = model.assign(other)
        assert isinstance(again, Assignment)
        assert [nameless(passed) for passed in again.params] == [nameless(passed) for passed in answer.params]
        assert (again.result and nameless(again.result)) == (answer.result and nameless(answer.result))
        assert again.hidden == answer.hidden


@drawn
@given(some_models, calls(), dressed())
def test_the_same_question_has_the_same_answer(
    names: list[str], prototype: Prototype, record: Record
) -> None:
    copy = decode(encode(prototype))
    assert isinstance(copy, Prototype)
    for name in names:
        target = find_target(name)
        known, new = find_model(name), target.dialects[target.dialect](DEFAULT)
        assert new.layout(record) == known.layout(record)
        assert new.assign(copy) == known.assign(prototype)


@drawn
@given(some_models, calls())
def test_contents_lie_within_their_places_and_tell_the_value(names: list[str], prototype: Prototype) -> None:
    types = [param.type for param in prototype.params] + list(prototype.unnamed)
    for model, answer in assignments(names, prototype):
        travellers = list(zip(types, answer.params, strict=True))
        if prototype.result and answer.result:
            travellers.append((prototype.result, answer.result))
        for index, (c_type, passed) in enumerate(travellers):
            for turn in TURNS if passed.passing is Passing.DIRECT else ():
                value = fill(model.types, c_type, index, turn)
                assert told(passed, value) == int.from_bytes(value, "little") & int.from_bytes(
                    passed.mask, "little"
                )


@drawn
@given(calls(), st.sampled_from([name for name in SPELLINGS if name.startswith("aarch64-aapcs64")]))
def test_the_byte_order_moves_values_within_their_places_only(prototype: Prototype, name: str) -> None:
    little = find_model(name).assign(prototype)
    big = find_model(name.replace("aarch64-", "aarch64_be-")).assign(prototype)
    assert type(little) is type(big)
    if not isinstance(little, Assignment) or not isinstance(big, Assignment):
        return
    types = [param.type for param in prototype.params] + list(prototype.unnamed)
    for c_type, one, other in zip(types, little.params, big.params, strict=True):
        assert places(one) == places(other)
        assert [(piece.start, piece.end, piece.width) for piece in one.pieces] == [
            (piece.start, piece.end, piece.width) for piece in other.pieces
        ]
        # A number is at the end of its place that is its least significant one; a composite begins where its place does.
        for piece in other.pieces if isinstance(strip(c_type), (Scalar, Enum, BitInt)) else ():
            assert piece.at == max(piece.width - (piece.end - piece.start), 0)


@drawn
@given(
    st.one_of(records(), dressed()),
    st.sampled_from([name for name in SPELLINGS if name.startswith("aarch64-aapcs64")]),
)
def test_the_byte_order_changes_no_layout(record: Record, name: str) -> None:
    big = name.replace("aarch64-", "aarch64_be-")
    assert find_model(name).layout(record) == find_model(big).layout(record)


def pointer_alone(model: AbiModel, prototype: Prototype) -> list[Place]:
    """Where a pointer is that is the only parameter of a function of the kind of `prototype`."""
    pointer = (Param("p", Pointer()),)
    alone = model.assign(msgspec.structs.replace(prototype, result=None, params=pointer, unnamed=()))
    assert isinstance(alone, Assignment)
    return places(alone.params[0])


def places(traveller: Passed | Hidden) -> list[Place]:
    return [piece.place for piece in traveller.pieces]


def told(passed: Passed, value: bytes) -> int:
    """The value that its predicted contents tell, as an integer, its insignificant bits zero."""
    whole = 0
    for piece, expected in zip(passed.pieces, contents(passed, value), strict=True):
        assert len(value) == passed.size
        assert expected.place == piece.place
        assert 0 <= expected.bits <= expected.care < 1 << expected.width * 8
        assert not expected.bits & ~expected.care
        start = piece.start * 8 if piece.bit is None else piece.bit
        assert piece.at == expected.at
        assert piece.at + piece.end - piece.start <= expected.width
        whole |= (held(expected.bits, piece) << start) & bits_of(piece)
    return whole


def held(bits: int, piece: Piece) -> int:
    """The bits of the value that stand in a place, in the order of memory."""
    if piece.form is Form.EXTENDED:
        return narrowed(bits, piece)
    if piece.form is Form.DOUBLE:
        double = int.from_bytes(bits.to_bytes(DOUBLE, "little"), piece.order)
        return int.from_bytes(as_single(double).to_bytes(SINGLE, piece.order), "little")
    return bits >> piece.at * 8


def narrowed(bits: int, piece: Piece) -> int:
    """The bits of the `float` or `double` whose value a number of 80 bits has."""
    sign, exponent, significand = bits >> 79, bits >> 64 & 0x7FFF, bits & ((1 << 64) - 1)
    value = (-1) ** sign * math.ldexp(significand, exponent - 16383 - 63)
    size = piece.end - piece.start
    return int.from_bytes(struct.pack("<f" if size == 4 else "<d", value), "little")


def bits_of(piece: Piece) -> int:
    """The bits of the value that a piece holds, as a set."""
    if piece.bit is not None and piece.bits is not None:
        return ((1 << piece.bits) - 1) << piece.bit
    return (1 << piece.end * 8) - (1 << piece.start * 8)


def on_stack(pieces: tuple[Piece, ...] | list[Piece]) -> list[Piece]:
    return [piece for piece in pieces if isinstance(piece.place, StackSlot)]


def slots_of(piece: Piece) -> tuple[int, int]:
    """The bytes of the stack that a piece occupies, as a half-open range."""
    assert isinstance(piece.place, StackSlot)
    return piece.place.offset, piece.place.offset + max(piece.width, piece.end - piece.start)


def stack_words(model: AbiModel) -> tuple[int, int]:
    """The byte offsets of the first two words of stack arguments from the stack pointer at callee entry.

    They are unnamed where named arguments are never on the stack.
    """
    number = Scalar(Kind.INT)
    params = tuple(Param(f"p{index}", number) for index in range(40))
    for asked in (
        Prototype("f", None, params),
        Prototype("f", None, params, variadic=True, unnamed=(number,) * 2),
    ):
        answer = model.assign(asked)
        assert isinstance(answer, Assignment)
        found = [slots_of(piece)[0] for passed in answer.params for piece in on_stack(passed.pieces)]
        if found:
            return found[0], found[1]
    raise AssertionError("there is no stack")


def records_in(c_type: Type) -> Iterator[Record]:
    """A type and what it is made of, as far as they are records."""
    inner = strip(c_type)
    if isinstance(inner, Record):
        yield inner
        for member in inner.members:
            yield from records_in(member.type)
    elif isinstance(inner, Array):
        yield from records_in(inner.element)


def renamed(c_type: Type) -> Type:
    """The same type under other names."""
    match c_type:
        case Record(tag=tag, members=members):
            return msgspec.structs.replace(
                c_type,
                tag=f"new_{tag}",
                members=tuple(
                    msgspec.structs.replace(
                        member, type=renamed(member.type), name=f"new_{member.name}" if member.name else ""
                    )
                    for member in members
                ),
            )
        case Enum(tag=tag):
            return msgspec.structs.replace(c_type, tag=f"new_{tag}")
        case Typedef(name=name, base=base):
            return msgspec.structs.replace(c_type, name=f"new_{name}", base=renamed(base))
        case Array(element=element):
            return msgspec.structs.replace(c_type, element=renamed(element))
        case Atomic(base=base):
            return Atomic(renamed(base))
        case _:
            return c_type


def nameless(passed: Passed) -> Passed:
    param = passed.param and msgspec.structs.replace(passed.param, declaration="")
    return msgspec.structs.replace(passed, name="", type="", param=param)
