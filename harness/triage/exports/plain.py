"""A call of words and reals that has its values where a model puts those of another call.

No compiler is asked: candidates are put to the model, argument by argument, until every byte that the text defines has an
argument in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.oracles.engine.expect import Expected, contents
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
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import (
    RESULT_POINTER,
    Assignment,
    Extension,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
    StackSlot,
)

Key: TypeAlias = tuple[str, int]
"""A byte of a register by its name, or of the stack (the empty name)."""

WORD, REAL, SINGLE = Scalar(Kind.ULONG), Scalar(Kind.DOUBLE), Scalar(Kind.FLOAT)
ADDRESS = Pointer()
WIDE = (Vector(Kind.CHAR, 16), Scalar(Kind.FLOAT128), Scalar(Kind.LDOUBLE))
BASES = (WORD, REAL, SINGLE)
"""The possible arguments that lead to a place, first choice first."""
FARTHEST = 40
"""Arguments after which a place is not looked for any more."""
RESULT = -1
"""The number of the object for a result in memory; parameters are numbered from 0."""


class Content(msgspec.Struct, frozen=True):
    """The content of a byte that the text defines: the bits that count in it, and whether they are the value's own.

    Bytes that are not are what extends a value.
    """

    bits: int
    care: int
    own: bool


class Argument(msgspec.Struct, frozen=True):
    """An argument, or the result, of a plain call: where its bytes are, and the number of the object whose address it is."""

    type: Type
    passed: Passed
    address_of: int | None = None

    @property
    def size(self) -> int:
        """Its bytes in memory."""
        return self.passed.size


class Plain(msgspec.Struct, frozen=True):
    """A plain call: its arguments and result. Of a variadic function, the last `unnamed` arguments are unnamed."""

    arguments: tuple[Argument, ...]
    result: Argument | None
    unnamed: int = 0


class Needed(msgspec.Struct, frozen=True):
    """The bytes of places that a text defines: those of values, and those of what extends them."""

    own: frozenset[Key]
    beside: frozenset[Key]

    @classmethod
    def of(cls, passed: Sequence[Passed]) -> Needed:
        """Return the needed bytes in the places of values that are passed directly."""
        found = wanted(passed, [bytes(one.size) for one in passed])
        own = {where for where, content in found.items() if content.care and content.own}
        return cls(
            frozenset(own), frozenset({where for where, content in found.items() if content.care} - own)
        )

    def within(self, register: str) -> Needed:
        """Return the needed bytes of one register."""
        own, beside = (
            frozenset(where for where in found if where[0] == register) for found in (self.own, self.beside)
        )
        return Needed(own, beside)

    @property
    def every(self) -> frozenset[Key]:
        """The keys of all needed bytes."""
        return self.own | self.beside


class NoPlainCall(Exception):  # noqa: N818 - it is no error that C has no such call
    """Raised with the reason where words and reals have no such places."""


def keys(piece: Piece) -> Iterator[tuple[int, Key]]:
    """Each byte of a value in a piece, and where it lies."""
    for byte in range(piece.start, piece.end):
        yield byte, key(piece.place, piece.at + byte - piece.start)


def key(place: Place, byte: int) -> Key:
    """A byte of a place."""
    match place:
        case Register(name):
            return name, byte
        case StackSlot(offset):
            return "", offset + byte


def spread(places: Sequence[Expected]) -> dict[Key, Content]:
    """Return the content that each byte of some places must have."""
    found: dict[Key, Content] = {}
    for place in places:
        for byte in range(place.width):
            bits, care, own = (
                number >> 8 * byte & 0xFF for number in (place.bits, place.care, place.value_bits)
            )
            before = found.get(where := key(place.place, byte), Content(0, 0, own=False))
            found[where] = Content(before.bits | bits & care, before.care | care, before.own or bool(own))
    return found


def wanted(passed: Sequence[Passed], values: Sequence[bytes]) -> dict[Key, Content]:
    """Return the content that each byte must have in which directly passed values travel."""
    direct = (
        place
        for one, value in zip(passed, values, strict=True)
        if one.passing is Passing.DIRECT
        for place in contents(one, value)
    )
    return spread(tuple(direct))


def plain_call(
    model: AbiModel, function: Prototype, places: Assignment, stack_align: int, *, exact: bool
) -> Plain:
    """The plain call for a function; raises `NoPlainCall` where there is none.

    The stack arguments of every call start at a multiple of `stack_align` bytes. With `exact` an argument shows all bits of its register, and not only those of a `float`.
    """
    if any(one.param for one in places.params):
        raise NoPlainCall("a call of declarations has no ordinary one beside it")
    needed = Needed.of(places.params)
    for result, hidden in results(model, function, places, exact=exact):
        addresses = {
            where: number
            for number, one in enumerate(places.params)
            if one.passing is Passing.INDIRECT
            for where in first_byte(one.pieces)
        }
        if hidden is not None:
            addresses |= dict.fromkeys(first_byte(hidden), RESULT)
        search = Search(model, function, needed, addresses, result, exact=exact)
        try:
            found = search.arguments()
        except NoPlainCall:
            continue
        made = Plain(found, result, search.unnamed(found) if function.variadic else 0)
        assigned = search.assigned([one.type for one in found])
        if assigned.pops == places.pops and places.area_align <= max(stack_align, assigned.area_align):
            return made
    raise NoPlainCall("no ordinary call has its values in these places, on a stack that is aligned so")


def first_byte(pieces: Sequence[Piece]) -> tuple[Key, ...]:
    """Return the place of an address, by its first byte."""
    return tuple(key(piece.place, piece.at) for piece in pieces if piece.start == 0)


def results(
    model: AbiModel, function: Prototype, places: Assignment, *, exact: bool
) -> Iterator[tuple[Argument | None, tuple[Piece, ...] | None]]:
    """Results in the places of the function's, each with the pieces of an address that an argument has to be."""
    asked = places.result
    if asked is None or asked.passing is Passing.IGNORED:
        yield None, None
        return
    if asked.passing is Passing.INDIRECT:
        pointer = next((one.pieces for one in places.hidden if one.role == RESULT_POINTER), ())
        result = answered(model, function, ADDRESS) if asked.pieces else None
        if result is None or first_byte(result.pieces) == first_byte(asked.pieces):
            yield None if result is None else Argument(ADDRESS, result, RESULT), pointer
        body = Member(Array(Scalar(Kind.CHAR), asked.size), "bytes", align=asked.align)
        yield from same_hidden(model, function, Record("in_memory", (body,)), pointer)
        return
    needed = Needed.of((asked,))
    for c_type in result_types():
        returned = answered(model, function, c_type)
        if (
            returned is not None
            and returned.passing is Passing.DIRECT
            and covers(returned.pieces, needed, exact=exact)
        ):
            yield Argument(c_type, returned), None


def same_hidden(
    model: AbiModel, function: Prototype, c_type: Type, pointer: Sequence[Piece]
) -> Iterator[tuple[Argument | None, tuple[Piece, ...] | None]]:
    """A result of a type in memory, if its address is where that of the function's result is."""
    found = assign(model, function, c_type, ())
    hidden = next((one.pieces for one in found.hidden if one.role == RESULT_POINTER), ()) if found else ()
    if (
        found is not None
        and found.result is not None
        and hidden
        and first_byte(hidden) == first_byte(pointer)
    ):
        yield Argument(c_type, found.result), None


def result_types() -> Iterator[Type]:
    """Types of results, simple ones first."""
    yield from (WORD, SINGLE, REAL, *WIDE)
    parts = (WORD, SINGLE, REAL)
    for first in parts:
        for second in parts:
            yield Record("two", (Member(first, "a"), Member(second, "b")))
    for part in (SINGLE, REAL, *WIDE):
        for count in (3, 4):
            yield Record("more", tuple(Member(part, "abcd"[number]) for number in range(count)))
    for part in WIDE:
        yield Record("two", (Member(part, "a"), Member(part, "b")))


def answered(model: AbiModel, function: Prototype, c_type: Type) -> Passed | None:
    """Return how a type is returned; `None` if the model has no answer."""
    found = assign(model, function, c_type, ())
    return None if found is None else found.result


def assign(
    model: AbiModel,
    function: Prototype,
    result: Type | None,
    arguments: Sequence[Type],
    named: int | None = None,
) -> Assignment | None:
    """The places of a call of the function's convention; the arguments from number `named` on are unnamed."""
    params = tuple(Param(f"a{number}", c_type) for number, c_type in enumerate(arguments[:named]))
    unnamed = () if named is None else tuple(arguments[named:])
    asked = Prototype(
        function.name,
        result,
        params,
        variadic=named is not None,
        unnamed=unnamed,
        convention=function.convention,
        regparm=function.regparm,
        isa=function.isa,
    )
    found = model.assign(asked)
    return found if isinstance(found, Assignment) else None


def covers(pieces: Sequence[Piece], needed: Needed, *, exact: bool) -> bool:
    """Return whether some pieces have every byte that is needed, and a needed byte each.

    A NaN box is covered by the `float` in it, if not asked to be `exact`.
    """
    if any(piece.bit is not None or piece.lane or piece.form is not None for piece in pieces):
        return False
    found = {where for piece in pieces for _, where in keys(piece)}
    boxes = set() if exact else {where for piece in pieces for where in boxed(piece)}
    each = all(any(where in needed.every for _, where in keys(piece)) for piece in pieces)
    return each and needed.own <= found and needed.beside <= found | boxes


def boxed(piece: Piece) -> Iterator[Key]:
    """The bytes of a register that make up the NaN box around a value."""
    if piece.extension is Extension.NAN_BOX:
        for byte in range(piece.width):
            yield key(piece.place, byte)


class Search:
    """Looks for the arguments whose places have the bytes `needed`, and the addresses of objects."""

    def __init__(
        self,
        model: AbiModel,
        function: Prototype,
        needed: Needed,
        addresses: Mapping[Key, int],
        result: Argument | None,
        *,
        exact: bool,
    ) -> None:
        self.model, self.function = model, function
        self.needed, self.addresses = needed, addresses
        self.result, self.exact = result, exact

    def assigned(self, types: Sequence[Type], named: int | None = None) -> Assignment:
        """The places of arguments of some types; raises `NoPlainCall` where the model has none."""
        found = assign(self.model, self.function, self.result.type if self.result else None, types, named)
        if found is None:
            raise NoPlainCall("the model has no answer for an ordinary call")
        return found

    def arguments(self) -> tuple[Argument, ...]:
        """The arguments; raises `NoPlainCall` where no arguments have these places."""
        types: list[Type] = []
        open_bytes = set(self.needed.every) | set(self.addresses)
        while open_bytes:
            types += self.next_types(types, open_bytes)
            for one in self.assigned(types).params[-1:]:
                open_bytes -= {where for piece in one.pieces for _, where in keys(piece)}
                open_bytes -= (
                    set() if self.exact else {where for piece in one.pieces for where in boxed(piece)}
                )
            if len(types) > FARTHEST:
                raise NoPlainCall("no ordinary call has so many arguments")
        return tuple(
            Argument(c_type, passed, self.address_of(passed))
            for c_type, passed in zip(types, self.assigned(types).params, strict=True)
        )

    def address_of(self, passed: Passed) -> int | None:
        """The number of the object whose address an argument is."""
        found = [self.addresses[where] for where in first_byte(passed.pieces) if where in self.addresses]
        return found[0] if found else None

    def next_types(self, types: Sequence[Type], wanted: set[Key]) -> list[Type]:
        """The shortest row of arguments of one type that ends in a place that is still needed."""
        rows = [row for base in BASES if (row := self.row(types, base, wanted))]
        if not rows:
            raise NoPlainCall("no ordinary argument is passed there")
        found = min(rows, key=lambda row: (self.is_real_on_stack([*types, *row]), len(row)))
        before = [*types, *found[:-1]]
        return [*found[:-1], self.best(before, found[-1])]

    def is_real_on_stack(self, types: Sequence[Type]) -> bool:
        """Return whether the last argument is a real on the stack, where x87 would not leave every byte as it is."""
        last = self.assigned(types).params[-1]
        return types[-1] is not WORD and any(isinstance(piece.place, StackSlot) for piece in last.pieces)

    def row(self, types: Sequence[Type], base: Type, wanted: set[Key]) -> list[Type]:
        """Arguments of one type until one has a byte that is needed; none where it takes too many."""
        for count in range(1, FARTHEST):
            last = self.assigned([*types, *[base] * count]).params[-1]
            if any(where in wanted for piece in last.pieces for _, where in keys(piece)):
                return [base] * count
        return []

    def best(self, before: Sequence[Type], base: Type) -> Type:
        """The type for the last of a row: an address, or the simplest that has all that is needed of its register."""
        last = self.assigned([*before, base]).params[-1]
        if any(where in self.addresses for where in first_byte(last.pieces)):
            return ADDRESS
        register = last.pieces[0].place
        if not isinstance(register, Register):
            return base
        here = self.needed.within(register.name)
        order: tuple[Type, ...] = (
            (WORD,) if base is WORD else (*(() if self.function.variadic else (SINGLE,)), REAL, *WIDE)
        )
        for c_type in order:
            found = assign(
                self.model, self.function, self.result.type if self.result else None, [*before, c_type]
            )
            if found is not None and covers(found.params[-1].pieces, here, exact=self.exact):
                return c_type
        raise NoPlainCall(f"no ordinary argument fills {register.name}")

    def unnamed(self, arguments: Sequence[Argument]) -> int:
        """Return how many arguments can be unnamed, so that the call is that of a variadic function; raises `NoPlainCall`."""
        types = [one.type for one in arguments]
        places = [one.passed.pieces for one in arguments]
        for named in range(1, len(types) + 1):
            found = assign(self.model, self.function, self.result.type if self.result else None, types, named)
            if found is None:
                continue
            if [where(one.pieces) for one in found.params] == [where(one) for one in places]:
                return len(types) - named
        raise NoPlainCall("no ordinary call of a variadic function has its values in these places")


def where(pieces: Sequence[Piece]) -> tuple[tuple[int, int, Place, int], ...]:
    """The places of a value, whatever decides them."""
    return tuple((piece.start, piece.end, piece.place, piece.at) for piece in pieces)
