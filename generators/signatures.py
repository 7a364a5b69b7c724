"""Prototypes, leaning towards calls in which the registers have just run out or are about to."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import TypeAlias

from abiprobe.generators.aggregates import PASSED, Flavour, again, record
from abiprobe.generators.extent import LEAST_ROOM, after, extent
from abiprobe.generators.rare import value
from abiprobe.generators.scalars import enumeration, real, wide, word
from abiprobe.generators.scope import Scope
from abiprobe.generators.small import hollow, parts
from abiprobe.oracles.language.lang import Convention, Param, Prototype, Type
from abiprobe.oracles.language.promotion import promoted

RECORD_ROOM = 512
"""The size in bytes that each record of a prototype keeps within."""

PARAMS_ROOM = 4032
"""The size in bytes that all parameters of a prototype together keep within."""

STEP = 64
"""The largest alignment in bytes, and what is kept for each parameter to come."""

_Maker: TypeAlias = Callable[[Scope, int], Type]


class _Lead(Enum):
    """The kind of the first parameters, which precede those that meet nearly exhausted registers."""

    NONE = "nothing in particular"
    WORDS = "integers and pointers"
    REALS = "`float` and `double`"
    BOTH = "three words to four reals"


_LEADS = (*(_Lead.NONE,) * 7, *(_Lead.WORDS,) * 6, _Lead.REALS, _Lead.REALS, _Lead.BOTH, _Lead.BOTH)
_COUNTS = (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 10, 11, 11, 12, 13, 15, 16, 18, 20)
HOLLOW = 12
"""How many records without elements come upon the others where such a record may end with a flexible array: compilers die
of `struct { int a[0]; int b[]; }` by value."""

OPEN = frozenset({"complex integer"})
"""Features that leave a whole call without an answer: beside them stands only what compilers agree on, or what they disagree
about elsewhere would be taken for a difference here."""

_TAILS = (1, 2, 2, 3, 4)
_UNNAMED = (*(0,) * 28, 1, 2, 3, 4, 6, 10)
"""How many of the arguments are unnamed; C needs a parameter before them."""


def prototype(scope: Scope) -> Prototype:
    """A prototype called `f`: how many arguments first, then its result, then the arguments."""
    draw = scope.draw
    count = min(draw.pick(_COUNTS), scope.bounds.params)
    convention, regparm = _convention(scope, count)
    # What an attribute makes of a variadic function is told by few: most compilers ignore it then.
    plain = convention is None and regparm is None and "scalable vector" not in scope.dialect
    may_be_variadic = count and plain
    unnamed = min(draw.pick(_UNNAMED), count - 1) if may_be_variadic else 0
    makers = _makers(count, draw.pick(_LEADS), draw.pick(_TAILS))
    result = draw.part(lambda: draw.pick(_RESULTS)(scope, RECORD_ROOM))
    params: list[Param] = []
    end = 0
    for maker in makers:
        reserve = STEP * (count - len(params))
        room = min(RECORD_ROOM, max(LEAST_ROOM, PARAMS_ROOM - reserve - end))
        c_type = draw.part(partial(maker, scope, room))
        if len(params) >= count - unnamed:
            c_type = promoted(c_type)
        params.append(Param(scope.name(), c_type))
        end = after(end, *extent(c_type))
    named = tuple(params[: count - unnamed])
    rest = tuple(param.type for param in params[len(named) :])
    return Prototype("f", result, named, bool(unnamed), rest, convention=convention, regparm=regparm)


def _convention(scope: Scope, count: int) -> tuple[Convention | None, int | None]:
    """The calling convention that the dialect allows, and how many registers its `regparm` asks for.

    Of several the number of arguments, which was drawn before, chooses one: that leaves all other questions as they are.
    """
    asked = [each for each in Convention if each.value in scope.dialect]
    convention = asked[count % len(asked)] if asked else None
    return convention, 1 + scope.draw.below(3) if "regparm" in scope.dialect else None


def _makers(count: int, lead: _Lead, tail: int) -> list[_Maker]:
    first = max(0, count - tail)
    match lead:
        case _Lead.NONE:
            first, words = 0, 0
        case _Lead.WORDS:
            words = first
        case _Lead.REALS:
            words = 0
        case _Lead.BOTH:
            words = first * 3 // 7
    return [_word] * words + [_real] * (first - words) + [_any] * (count - first)


def _any(scope: Scope, room: int) -> Type:
    return scope.draw.pick(_PARAMS)(scope, room)


def _word(scope: Scope, _room: int) -> Type:
    scope.draw.burden(1)  # as many choices as `_any` needs for the same type
    return word(scope)


def _real(scope: Scope, _room: int) -> Type:
    scope.draw.burden(1)
    return real(scope)


def _scalar(scope: Scope, room: int) -> Type:
    return value(scope, room)


def _wide(scope: Scope, _room: int) -> Type:
    return wide(scope)


def _enumeration(scope: Scope, _room: int) -> Type:
    return enumeration(scope)


def _aggregate(scope: Scope, room: int) -> Type:
    if OPEN & scope.dialect:
        flavours: tuple[Flavour, ...] = (parts,)
    else:
        flavours = (*PASSED, *(hollow,) * HOLLOW) if scope.allows("flexible array") else PASSED
    return record(scope, room=room, depth=scope.bounds.depth, flavours=flavours)


def _again(scope: Scope, room: int) -> Type:
    return again(scope, room, scope.bounds.depth)


def _void(_scope: Scope, _room: int) -> None:
    return None


_PARAMS: tuple[_Maker, ...] = (*(_scalar,) * 6, *(_aggregate,) * 6, _again, _wide, _wide, _enumeration)
_RESULTS: tuple[Callable[[Scope, int], Type | None], ...] = (
    *(_void,) * 3,
    *(_scalar,) * 4,
    *(_aggregate,) * 7,
    _wide,
    _enumeration,
)
