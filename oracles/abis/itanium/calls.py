"""Calls of C++ (sections 3.1 and 3.2) above those of a C ABI: what is passed as what, and where the C ABI puts that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.oracles.abis.itanium.definitions import is_dynamic, is_empty
from abiprobe.oracles.abis.itanium.graph import virtual_bases
from abiprobe.oracles.abis.itanium.stand_ins import StandIns, one_byte
from abiprobe.oracles.abis.itanium.triviality import (
    Special,
    destructor,
    has_non_trivial_part,
    is_non_trivial,
    moves_by_code,
    with_attributes,
)
from abiprobe.oracles.engine.data_model import EmptyClass
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.engine.policies import CallHabit
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.travelling import is_unnamed
from abiprobe.oracles.language.classes import (
    Class,
    CxxArray,
    CxxType,
    Declared,
    Reference,
    direct_classes,
    element,
    spelling,
)
from abiprobe.oracles.language.cxx_calls import THIS, CxxPrototype
from abiprobe.oracles.language.lang import (
    Array,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Passed, Passing, Register

cite, implements = citing(__package__)
PARAMETER = cite("calls.parameter")
UNNAMED = cite("calls.unnamed")
RESULT = cite("calls.result")
REFERENCE = cite("calls.reference")
THIS_CLAUSE = cite("calls.this")
VIRTUAL = cite("calls.virtual")
EMPTY = cite("calls.empty")
EMPTY_RESULT = cite("calls.empty-result")
DESTROY = cite("calls.destroy")
TRIVIAL_ABI = cite("calls.trivial-abi")
LARGE = Record("large", (Member(Array(Scalar(Kind.CHAR), 256), "_"),))
"""A record that every C ABI returns in memory."""
VECTOR = 16
"""Bytes of a vector register of POWER."""


class Travels(msgspec.Struct, frozen=True):
    """A value of a call: its name and type in C++, the type of C of its bytes, and that which the C ABI is asked about.

    An address travels for one `by` a clause, and nothing for one that is not `placed`.
    """

    name: str
    c_type: CxxType
    value: Type
    placed: Type | None
    by: str = ""

    @property
    def is_empty_value(self) -> bool:
        """Return whether this is an object of an empty class that travels itself."""
        return not self.by and isinstance(self.c_type, Class) and is_empty(self.c_type)


def travelling(asked: CxxPrototype, types: StandIns) -> Iterator[Travels]:
    """The values of a call but for the result: the object first."""
    # [cxxabi:calls.this]
    if asked.this is not None:
        by = VIRTUAL if asked.virtual else THIS_CLAUSE
        yield Travels(THIS, asked.this, types.stand_in(asked.this), Pointer(), by)
    for argument in asked.arguments:
        yield argument_of(argument.name, argument.type, types)


@implements("calls.reference", "calls.parameter", "calls.unnamed")
def argument_of(name: str, c_type: CxxType, types: StandIns) -> Travels:
    """An argument: by its address if it is a reference or non-trivial for the purposes of calls."""
    match c_type:
        # [cxxabi:calls.reference]
        case Reference(to):
            return Travels(name, c_type, types.stand_in(to), Pointer(), REFERENCE)
        # [cxxabi:calls.parameter] [cxxabi:calls.unnamed]
        case Class() if is_by_address(c_type, types) and not is_lone(c_type, types):
            if CallHabit.UNNAMED_VALUES in types.policies.calls and is_unnamed(name):
                return Travels(name, c_type, types.stand_in(c_type), as_bytes(c_type, types))
            clause = UNNAMED if is_unnamed(name) else PARAMETER
            return Travels(name, c_type, types.stand_in(c_type), Pointer(), clause)
        case Class() if is_empty(c_type):
            return Travels(name, c_type, types.stand_in(c_type), empty_argument(name, c_type, types))
        case Class() if (placed := on_stack(c_type, types)) is not None:
            return Travels(name, c_type, types.stand_in(c_type), placed)
        case Class() if CallHabit.NO_EMPTY_ARGUMENTS in types.policies.calls and is_nameless(c_type):
            return Travels(name, c_type, types.stand_in(c_type), None)
        case _:
            value = types.stand_in(c_type)
            return Travels(name, c_type, value, value)


def is_nameless(asked: Class) -> bool:
    """Return whether a class has nothing with a name: it is empty to a compiler that overlooks unnamed bit-fields.

    Of its members only those with `no_unique_address` may be such.
    """
    named = [one for one in asked.members if one.name or one.width is None]
    return (
        not is_dynamic(asked)
        and all(is_nameless(base.type) for base in asked.bases)
        and all(
            one.no_unique_address and isinstance(one.type, Class) and is_nameless(one.type) for one in named
        )
    )


@implements("calls.trivial-abi")
def is_by_address(asked: Class, types: StandIns) -> bool:
    """Return whether a value of a class travels by its address; raises `SilentError` where the attribute `trivial_abi` decides."""
    declared = CallHabit.DECLARED_DELETIONS in types.policies.calls
    found = is_non_trivial(asked, declared=declared)
    if CallHabit.MOVED_PARTS in types.policies.calls and moves_by_code(asked):
        return True
    by_clang = is_non_trivial(with_attributes(asked), declared=declared)
    # [cxxabi:calls.trivial-abi]
    if found != by_clang and types.reading is None:
        raise SilentError(TRIVIAL_ABI, f"{asked.tag} has the attribute trivial_abi, or a part with it")
    return by_clang if types.reading is Reading.CLANG else found


def is_lone(asked: Class, types: StandIns) -> bool:
    """Return whether a compiler passes a class as the one real or vector that it is made of."""
    return (
        CallHabit.LONE_REALS in types.policies.calls and lone_value(types.stand_in(asked), types) is not None
    )


def lone_value(c_type: Type, types: StandIns) -> Type | None:
    """The real or vector that is all of a record, through any depth; `None` where there is none."""
    match types.plain(c_type):
        case Record(union=False) as record:
            fields = types.shape(record).fields
            alone = fields[0].type if len(fields) == 1 and not fields[0].is_bit_field else None
            whole = alone is not None and types.extent(alone).size == types.extent(record).size
            return lone_value(alone, types) if alone is not None and whole else None
        case Array(element=element, length=1):
            return lone_value(element, types)
        case Scalar(kind) as found if kind.is_floating:
            return found
        case Vector() as found if types.extent(found).size == VECTOR:
            return found
        case _:
            return None


@implements("calls.empty")
def empty_argument(name: str, asked: Class, types: StandIns) -> Type | None:
    """The type of C that has the place of an argument of an empty class; none where a compiler passes nothing."""
    whole, unnamed = types.stand_in(asked), is_unnamed(name)
    if (CallHabit.NO_EMPTY_UNNAMED if unnamed else CallHabit.NO_EMPTY_ARGUMENTS) in types.policies.calls:
        return None
    if CallHabit.EMPTY_ON_STACK in types.policies.calls:
        return unaligned(asked.tag, types.extent(whole).size, types.extent(whole).align)
    if (CallHabit.UNNAMED_EMPTY_BYTES if unnamed else CallHabit.EMPTY_BYTES) in types.policies.calls:
        return one_byte(asked.tag)
    match types.data.empty_class[0]:
        case EmptyClass.PADDING:
            return whole
        case EmptyClass.BYTE:
            return types.with_byte(asked)
        case EmptyClass.ORDINARY | EmptyClass.SIZED:
            return as_bytes(asked, types)


@implements("calls.result", "calls.empty-result", "calls.reference")
def result_of(asked: CxxPrototype, types: StandIns) -> Travels | None:
    """The result: in memory if it is non-trivial for the purposes of calls."""
    match asked.result:
        case None:
            return None
        # [cxxabi:calls.result]
        case Class() as one if is_by_address(one, types):
            return Travels("", one, types.stand_in(one), LARGE, RESULT)
        # [cxxabi:calls.empty-result]
        case Class() as one if is_empty(one):
            return Travels("", one, types.stand_in(one), empty_result(one, types))
        case Class() as one if CallHabit.EMPTY_PARTS_IN_MEMORY in types.policies.calls and has_empty_part(
            one
        ):
            return Travels("", one, types.stand_in(one), LARGE)
        # [cxxabi:calls.reference]
        case other:
            value = types.stand_in(other)
            return Travels("", other, value, value)


def empty_result(asked: Class, types: StandIns) -> Type:
    """The type of C that is returned for a result of an empty class."""
    in_memory = CallHabit.PARTS_IN_MEMORY in types.policies.calls and has_non_trivial_part(asked)
    if in_memory or CallHabit.EMPTY_RESULTS_IN_MEMORY in types.policies.calls:
        return LARGE
    if CallHabit.SIZED_EMPTY_RESULTS in types.policies.calls:
        return as_bytes(asked, types)
    return one_byte(asked.tag)


def as_bytes(asked: Class, types: StandIns) -> Record:
    """A record of as many bytes as an object has, aligned as that is."""
    extent = types.extent(types.stand_in(asked))
    return sized_bytes(asked.tag, extent.size, extent.align)


def sized_bytes(tag: str, size: int, align: int) -> Record:
    """A record of so many bytes."""
    byte = Member(Array(Scalar(Kind.UCHAR), size), "_")
    return Record(tag, (byte,), align=align)


def on_stack(asked: Class, types: StandIns) -> Record | None:
    """The record that a compiler has in memory in place of a class that is not empty; `None` for the class itself."""
    extent, calls = types.extent(types.stand_in(asked)), types.policies.calls
    if CallHabit.EMPTY_ON_STACK in calls and not any(types.mask(types.stand_in(asked))):
        return unaligned(asked.tag, extent.size, extent.align)
    if CallHabit.EMPTY_PARTS_IN_MEMORY in calls and has_empty_part(asked):
        return unaligned(asked.tag, extent.size, extent.align)
    return None


def has_empty_part(asked: Class) -> bool:
    """Return whether a class has a member of an empty class, through any depth."""
    inner = (element(member.type) for member in asked.members)
    return any(isinstance(one, Class) and (is_empty(one) or has_empty_part(one)) for one in inner)


UNALIGNED = 3
"""The bytes of the least record with an unaligned member."""


def unaligned(tag: str, size: int, align: int) -> Record:
    """A record with an unaligned member, by which the psABI of x86-64 has it in memory, of as many bytes and this alignment in bytes.

    It has three bytes at least, which take no other place than one or two.
    """
    rest = size - UNALIGNED
    members = (Member(Scalar(Kind.UCHAR), "a"), Member(Scalar(Kind.SHORT), "b"))
    more = (Member(Array(Scalar(Kind.UCHAR), rest), "c"),) if rest > 0 else ()
    return Record(tag, members + more, packed=True, align=align)


def prototype_of(asked: CxxPrototype, values: Sequence[Travels], result: Travels | None) -> Prototype:
    """The prototype that the C ABI is asked about."""
    named = [Param(one.name, one.placed) for one in values if one.placed is not None]
    params = tuple(one for one in named if not is_unnamed(one.name))
    unnamed = tuple(one.type for one in named if is_unnamed(one.name))
    return Prototype(asked.name, None if result is None else result.placed, params, asked.variadic, unnamed)


def with_values(asked: CxxPrototype, values: Sequence[Travels], result: Travels | None) -> Prototype:
    """The same prototype with the types of the bytes that travel, or lie where an address leads."""
    as_they_are = [msgspec.structs.replace(one, placed=one.value) for one in values]
    whole = None if result is None else msgspec.structs.replace(result, placed=result.value)
    return prototype_of(asked, as_they_are, whole)


def in_places(values: Sequence[Travels], placed: Sequence[Passed], types: StandIns) -> Iterator[Passed]:
    """The values with the places that those which have one are given."""
    given = iter(placed)
    for value in values:
        if value.placed is None:
            extent, mask = types.extent(value.value), types.mask(value.value)
            spelled = spelling(value.c_type)
            yield Passed(value.name, spelled, Passing.IGNORED, (), EMPTY, extent.size, extent.align, mask)
        else:
            yield as_cxx(next(given), value, types)


def as_cxx(passed: Passed, value: Travels, types: StandIns) -> Passed:
    """A value that has its place by the C ABI, as C++ has it."""
    extent = types.extent(value.value)
    mask = passed.mask if value.placed == value.value and not value.by else types.mask(value.value)
    told = msgspec.structs.replace(
        passed, name=value.name, type=spelling(value.c_type), size=extent.size, align=extent.align, mask=mask
    )
    if not value.by and passed.passing is not Passing.INDIRECT:
        return at_front(within(told), value.value, types)
    if not value.by:
        return told
    return msgspec.structs.replace(
        told,
        passing=Passing.INDIRECT,
        clause=value.by,
        memory_align=extent.align,
        memory_clause=value.by,
    )


def at_front(passed: Passed, value: Type, types: StandIns) -> Passed:
    """A value as a compiler has it that puts the one scalar of a class at the beginning of its register, wherever it is in the class."""
    if CallHabit.LONE_SCALARS_FIRST not in types.policies.calls or not isinstance(value, Record):
        return passed
    scalars = [leaf for leaf in leaves(types, value) if not isinstance(leaf.type, Record | Array)]
    if len(scalars) != 1 or scalars[0].bit_field is not None:
        return passed
    at = scalars[0].bit_offset // 8
    pieces = (
        msgspec.structs.replace(one, start=at)
        if isinstance(one.place, Register) and one.start < at < one.end
        else one
        for one in passed.pieces
    )
    return msgspec.structs.replace(passed, pieces=tuple(pieces))


def within(passed: Passed) -> Passed:
    """A value with no more bytes than it has: what stands for one of one or two bytes may have three."""
    size = passed.size
    pieces = (
        msgspec.structs.replace(one, end=size) if one.start < size < one.end else one for one in passed.pieces
    )
    return msgspec.structs.replace(passed, pieces=tuple(pieces))


def destructions(c_type: CxxType) -> int:
    """The destructors that the user provides which run when an object goes, of a virtual base one."""
    match c_type:
        case CxxArray(inner, length):
            return destructions(inner) * length
        case Class() if destructor(c_type) is Special.NON_TRIVIAL:
            return sum(map(_destructions, (c_type, *virtual_bases(c_type))))
        case _:
            return 0


def _destructions(one: Class) -> int:
    """Those of a class without its virtual bases."""
    own = one.specials.destructor.declared is Declared.PROVIDED
    bases = sum(_destructions(base.type) for base in one.bases if not base.virtual)
    return own + bases + sum(destructions(member.type) for member in one.members)


@implements("calls.destroy", "calls.trivial-abi")
def destroyed(asked: CxxPrototype, types: StandIns) -> tuple[int, int]:
    """The destructors that the user provides which the caller runs, for its temporaries and the result, and those that the called function runs."""
    # [cxxabi:calls.destroy]
    caller = 0 if asked.result is None else destructions(asked.result)
    callee = 0
    for argument in asked.arguments:
        count = destructions(argument.type)
        # [cxxabi:calls.trivial-abi]
        if isinstance(argument.type, Class) and not is_by_address(argument.type, types):
            callee += count
        else:
            caller += count
    return caller, callee


def is_copied_from_bytes(asked: Class) -> bool:
    """Return whether a copy needs nothing but the bytes of an object: to copy a virtual base takes its virtual table, too."""
    by_user = asked.specials.copy is Declared.PROVIDED
    return by_user or (not virtual_bases(asked) and all(map(is_copied_from_bytes, direct_classes(asked))))


def require_asked(asked: CxxPrototype) -> None:
    """Raise `AbsentError` for what no C++ function has, or what no call here makes."""
    values = (*(one.type for one in asked.arguments), *(() if asked.result is None else (asked.result,)))
    for c_type in values:
        if isinstance(c_type, Class) and not is_copied_from_bytes(c_type):
            raise AbsentError(
                f"objects of {c_type.tag}, with a virtual base in it, are not copied from bytes"
            )
    if asked.virtual and (asked.this is None or not is_dynamic(asked.this)):
        # The function itself makes its class dynamic.
        raise AbsentError("a virtual function is a member of a class with a pointer to a virtual table")
