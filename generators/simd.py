"""Vector functions: prototypes with `declare simd` pragmas, leaning towards the edges of registers and lengths.

A batch is a function of the seed and its number, as in `abiprobe.generators.pool`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as count_from
from typing import TYPE_CHECKING

import msgspec

from abiprobe.generators.draw import Draw
from abiprobe.generators.streams import once, seeded
from abiprobe.oracles.language.lang import (
    Array,
    Complex,
    Enum,
    Enumerator,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
)
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.language.simd import Aligned, Branch, Linear, Modifier, Simd

if TYPE_CHECKING:
    from hypothesis import strategies as st

BATCH = 250
"""How many questions one seed makes."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The questions wanted.

    `params` is the largest number of parameters. With `refused` there are types, lengths and steps of which a
    compiler may make no variants. `references` is one in how many may have C++ references, and `called` one in how
    many are of the kind that gcc calls from a loop (0: none).
    """

    params: int = 17
    refused: bool = True
    references: int = 0
    called: int = 4


EVERYTHING = Bounds(references=8)
"""The bounds of what a run draws."""

_INTEGERS = (
    Kind.INT,
    Kind.CHAR,
    Kind.SHORT,
    Kind.LONG,
    Kind.UINT,
    Kind.UCHAR,
    Kind.USHORT,
    Kind.ULONG,
    Kind.SCHAR,
    Kind.LLONG,
    Kind.BOOL,
)
_INT = Scalar(Kind.INT)
_PAIR = Record("P", (Member(_INT, "x"), Member(_INT, "y")))
_MIXED = Record("M", (Member(Scalar(Kind.DOUBLE), "x"), Member(_INT, "y")))
_WIDE = Record("W", (Member(Array(Scalar(Kind.LONG), 3), "x"),))
_ENUM = Enum("E", (Enumerator("E_A", 0), Enumerator("E_B", 300)))
INTEGERS: tuple[Type, ...] = (*map(Scalar, _INTEGERS), _ENUM)
REALS: tuple[Type, ...] = (Scalar(Kind.FLOAT), Scalar(Kind.DOUBLE))
POINTERS = tuple(
    Pointer("struct P" if isinstance(to, Record) else to.kind.value, to=to)
    for to in (_INT, Scalar(Kind.DOUBLE), Scalar(Kind.CHAR), Scalar(Kind.SHORT), _PAIR)
)
VOID = Pointer("void")
WIDE: tuple[Type, ...] = (
    Scalar(Kind.LDOUBLE),
    Scalar(Kind.INT128),
    Complex(Kind.DOUBLE),
    Complex(Kind.FLOAT),
)
RECORDS: tuple[Type, ...] = (_PAIR, _MIXED, _WIDE)

_ELEMENTS = (*INTEGERS, *REALS * 3, *POINTERS)
_COUNTED = (_INT, Scalar(Kind.LONG))
_CALLED = (*_COUNTED, Scalar(Kind.UINT), Scalar(Kind.ULONG), *REALS * 2, *POINTERS[:2])
_UPWARDS = (1, 2, 3, 7)
_COUNTS = (1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 17, 0)
_LENGTHS = (None, None, None, None, 4, 8, 2, 16, 32, 64, 128, 256)
_ODD_LENGTHS = (1, 3, 6, 12, 512, 1024, 2048)
_STEPS = (1, 1, 2, 3, -1, -3, 4, 7)
_ODD_STEPS = (0, 256, 300, -129, 40000, 65536)
_ALIGNMENTS = (16, 32, 64, 8)
_BRANCHES = (None, Branch.NOTINBRANCH, Branch.NOTINBRANCH, Branch.INBRANCH)
_LETTERS = "abcdeghijklmnopqrstuvwxyz"
_ONE_IN = 8


def vector_functions(
    *, max_params: int = 17, refused: bool = True, references: bool = False
) -> st.SearchStrategy[Prototype]:
    """Functions with one to three pragmas; `refused` and `references` as in `Bounds`."""
    from abiprobe.generators.shrinking import made

    bounds = Bounds(params=max_params, refused=refused, references=int(references))
    return made(lambda draw: a_vector_function(draw, bounds))


def pragmas(function: Prototype) -> st.SearchStrategy[Simd]:
    """Pragmas that may stand in front of `function`."""
    from abiprobe.generators.shrinking import made

    return made(lambda draw: a_pragma(draw, Bounds(), function.params))


def a_vector_function(draw: Draw, bounds: Bounds) -> Prototype:
    """The function that the decisions of `draw` make; it is called `f`."""
    if bounds.references and draw.below(bounds.references) != bounds.references - 1:
        bounds = msgspec.structs.replace(bounds, references=0)
    if bounds.called and not bounds.references and draw.below(bounds.called) == bounds.called - 1:
        return _called(draw, bounds)
    result: Type | None = draw.pick((_INT, *_ELEMENTS))
    if draw.below(_ONE_IN) == _ONE_IN - 1:
        result = None
    elif bounds.refused and draw.below(2 * _ONE_IN) == 1:
        result = draw.pick((*WIDE, *RECORDS))
    elif bounds.references and draw.below(_ONE_IN) == 1:
        result = _reference(draw)
    count = min(draw.pick(_COUNTS), bounds.params)
    one_kind = draw.pick(_ELEMENTS) if draw.below(4) == 1 else None
    params = tuple(Param(_LETTERS[number], _type(draw, bounds, one_kind)) for number in range(count))
    times = draw.pick((1, 1, 1, 2, 3))
    return Prototype("f", result, params, simd=tuple(a_pragma(draw, bounds, params) for _ in range(times)))


def _called(draw: Draw, bounds: Bounds) -> Prototype:
    """A function of one pragma that gcc calls from a loop: its vectors are of types that C does not promote."""
    count = max(1, min(draw.pick(_COUNTS), bounds.params))
    params = tuple(Param(_LETTERS[number], draw.pick(_CALLED)) for number in range(count))
    uniform: list[str] = []
    linear: list[Linear] = []
    for param in params[1:]:
        role = draw.below(_ONE_IN)
        if role == 1:
            uniform.append(param.name)
        elif role == 2 and (param.type in _COUNTED or isinstance(param.type, Pointer)):
            linear.append(Linear((param.name,), draw.pick(_UPWARDS)))
    simd = Simd(tuple(uniform), tuple(linear), (), draw.pick(_LENGTHS[:10]), Branch.NOTINBRANCH)
    return Prototype("f", draw.pick((_INT, *_ELEMENTS)), params, simd=(simd,))


def _type(draw: Draw, bounds: Bounds, one_kind: Type | None) -> Type:
    if bounds.references and draw.below(3) == 1:
        return _reference(draw)
    rare = draw.below(2 * _ONE_IN)
    if rare == 1:
        return draw.pick((*WIDE, *RECORDS, VOID))
    return one_kind if one_kind is not None and draw.below(4) else draw.pick(_ELEMENTS)


def _reference(draw: Draw) -> Pointer:
    to = draw.pick((*INTEGERS[:-1], *REALS, POINTERS[0]))
    return Pointer(_spelled(to), to=to, reference=True)


def _spelled(c_type: Type) -> str:
    return c_type.kind.value if isinstance(c_type, Scalar) else "int *"


def a_pragma(draw: Draw, bounds: Bounds, params: tuple[Param, ...]) -> Simd:
    """A pragma for these parameters; what is of a type without vectors is uniform, unless it may be refused."""
    uniform: list[str] = []
    linear: list[Linear] = []
    for param in params:
        must = isinstance(param.type, (Record, Complex)) or param.type in WIDE
        role = draw.below(_ONE_IN)
        if (must and not (bounds.refused and role == 1)) or role == 2:
            uniform.append(param.name)
        elif role in {3, 4} and not must:
            step = _linear(draw, bounds, param)
            if step is not None:
                linear.append(step)
    return Simd(
        tuple(uniform),
        _with_strides(draw, params, tuple(uniform), tuple(linear)),
        _aligned(draw, bounds, params),
        _length(draw, bounds),
        draw.pick(_BRANCHES),
    )


def _linear(draw: Draw, bounds: Bounds, param: Param) -> Linear | None:
    """A clause for a parameter that can be linear; of a reference, by its address or its value."""
    c_type = param.type
    modifier = None
    if isinstance(c_type, Pointer) and c_type.reference:
        modifier = draw.pick((None, Modifier.REF, Modifier.VAL, Modifier.UVAL))
        if modifier is not Modifier.REF and c_type.to in REALS:
            return None
    elif isinstance(c_type, Pointer):
        if not bounds.refused and c_type == VOID:
            return None
    elif c_type in REALS:
        return None
    elif isinstance(c_type, Enum) and bounds.references:
        return None  # clang's C++ has no linear enumerations
    odd = bounds.refused and draw.below(_ONE_IN) == 1
    if c_type == Scalar(Kind.BOOL) and not odd:
        return None
    return Linear((param.name,), draw.pick(_ODD_STEPS if odd else _STEPS), modifier)


def _with_strides(
    draw: Draw, params: tuple[Param, ...], uniform: tuple[str, ...], linear: tuple[Linear, ...]
) -> tuple[Linear, ...]:
    """Some clauses joined, and some with a uniform integer as their step."""
    strides = [param.name for param in params if param.name in uniform and param.type in INTEGERS[:9]]
    joined: list[Linear] = []
    for clause in linear:
        if joined and draw.below(3) == 1 and joined[-1].modifier is clause.modifier:
            last = joined.pop()
            joined.append(Linear(last.params + clause.params, last.step, last.modifier))
        elif strides and draw.below(2) == 1:
            joined.append(Linear(clause.params, draw.pick(strides), clause.modifier))
        else:
            joined.append(clause)
    return tuple(joined)


def _aligned(draw: Draw, bounds: Bounds, params: tuple[Param, ...]) -> tuple[Aligned, ...]:
    pointers = [
        param.name for param in params if isinstance(param.type, Pointer) and not param.type.reference
    ]
    chosen = tuple(name for name in pointers if draw.below(_ONE_IN) == 1)
    if not chosen:
        return ()
    values = (*_ALIGNMENTS, None) if bounds.refused else _ALIGNMENTS
    return tuple(Aligned((name,), draw.pick(values)) for name in chosen)


def _length(draw: Draw, bounds: Bounds) -> int | None:
    odd = bounds.refused and draw.below(2 * _ONE_IN) == 1
    return draw.pick(_ODD_LENGTHS if odd else _LENGTHS)


def stream(*, seed: int, bounds: Bounds | None = None) -> Iterator[Prototype]:
    """The questions of a seed one by one, without end; none comes twice."""
    limits = bounds or Bounds()
    what = f"{Sort.VECTOR_FUNCTIONS} {limits.params} {limits.refused} {limits.references} {limits.called}"
    batches = (seeded(what, seed, number) for number in count_from())
    return once(a_vector_function(decisions, limits) for decisions in batches for _ in range(BATCH))
