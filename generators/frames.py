"""Functions drawn for their stack frames: what makes prologues and epilogues differ, and none of what calls pass.

All have the parameters `long n`, whose value chooses paths, and some more on the stack; all call functions of another unit, of
which nothing is known. Sizes are in bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TypeAlias

import msgspec

from abiprobe.generators.draw import Draw
from abiprobe.generators.reduction.chunks import without_chunks

ALIGNMENTS = (1, 16, 32, 64, 128)
SIZES = (8, 40, 200, 5000, 70_000)
"""Of local arrays: the largest need more than one instruction, or a page, to allocate."""
ARGUMENTS = (1, 3, 7, 8, 12)
KEPT = (0, 0, 1, 2, 4, 7)
REALS = (0, 0, 0, 1, 3)
PARAMETERS = (0, 0, 1, 4, 9)
PAGE = 4096
STACKED = 8
"""Arguments behind which some are on the stack everywhere."""
DEEPEST = 2
LONGEST = 4


class Condition(Enum):
    """The condition of a branch: of the argument `n`, or of what another function returns."""

    FIRST = "n == 0"
    LARGE = "n > 2"
    SEEN = "call1(n) & 1"


class Ending(Enum):
    """The end of a function: a value, a call in tail position, or a call that does not return."""

    VALUE = "return r;"
    TAIL = "return call1(r);"
    STOP = "stop();"


ENDINGS = {Ending.VALUE: "return", Ending.TAIL: "tail call", Ending.STOP: "call that does not return"}
"""The endings as traits of a function."""


class Call(msgspec.Struct, frozen=True, tag="call"):
    """A call with so many arguments, some of them on the stack."""

    arguments: int = 1


class Local(msgspec.Struct, frozen=True, tag="local"):
    """An array whose address another function is given, `align` 1 without `_Alignas`."""

    size: int = 8
    align: int = 1


class Variable(msgspec.Struct, frozen=True, tag="variable"):
    """An array of variable length, of `alloca` if that is set."""

    alloca: bool = False


class Branch(msgspec.Struct, frozen=True, tag="branch"):
    """Statements on a condition, and the end of the function behind them, if they have one."""

    condition: Condition
    body: tuple[Statement, ...] = ()
    ending: Ending | None = None


class Loop(msgspec.Struct, frozen=True, tag="loop"):
    """Statements that run `n & 3` times."""

    body: tuple[Statement, ...] = ()


Statement: TypeAlias = Call | Local | Variable | Branch | Loop


class Function(msgspec.Struct, frozen=True):
    """A function: parameters behind `n`, values kept across its body, in general and in floating-point registers, and its end."""

    body: tuple[Statement, ...] = ()
    ending: Ending = Ending.VALUE
    parameters: int = 0
    variadic: bool = False
    kept: int = 0
    reals: int = 0


def function(draw: Draw) -> Function:
    """A function, as decided by `draw`."""
    return Function(
        body=statements(draw, DEEPEST),
        ending=draw.pick((*3 * (Ending.VALUE,), *2 * (Ending.TAIL,), Ending.STOP)),
        parameters=draw.pick(PARAMETERS),
        variadic=draw.below(8) == 7,
        kept=draw.pick(KEPT),
        reals=draw.pick(REALS),
    )


def statements(draw: Draw, depth: int) -> tuple[Statement, ...]:
    """A few statements, nested so deep at most."""
    return tuple(draw.part(lambda: statement(draw, depth)) for _ in range(draw.below(LONGEST)))


def statement(draw: Draw, depth: int) -> Statement:
    """One statement."""
    match draw.below(6 if depth else 4):
        case 0:
            return Call(draw.pick(ARGUMENTS))
        case 1 | 2:
            return Local(draw.pick(SIZES), draw.pick(ALIGNMENTS))
        case 3:
            return Variable(alloca=draw.below(2) == 1)
        case 4:
            ending = draw.pick((None, *Ending))
            return Branch(draw.pick(tuple(Condition)), statements(draw, depth - 1), ending)
        case _:
            return Loop(statements(draw, depth - 1))


def traits(one: Function) -> frozenset[str]:
    """The features of a function's frame, by which known bugs are told from others."""
    found = {name for name in ("kept", "parameters", "reals", "variadic") if getattr(one, name)}
    for each in parts(one.body):
        match each:
            case Local(size, align):
                found |= {"local", *(["large"] * (size > PAGE)), *(["realigned"] * (align > ALIGNMENTS[1]))}
            case Variable(alloca):
                found.add("alloca" if alloca else "variable array")
            case Call(arguments):
                found |= {"call", *(["stack arguments"] * (arguments > STACKED))}
            case Branch(ending=Ending() as ending):
                found.add(ENDINGS[ending])
            case _:
                pass
    return frozenset((*found, ENDINGS[one.ending]))


def parts(body: Sequence[Statement]) -> Iterator[Statement]:
    """Statements with those inside them."""
    for one in body:
        yield one
        if isinstance(one, Branch | Loop):
            yield from parts(one.body)


def simpler(one: Function) -> Iterator[Function]:
    """Functions that are a little simpler, the largest steps first."""
    yield from (msgspec.structs.replace(one, body=body) for body in simpler_bodies(one.body))
    for name, least in (("ending", Ending.VALUE), ("variadic", False)):
        if getattr(one, name) != least:
            yield msgspec.structs.replace(one, **{name: least})
    for name in ("parameters", "kept", "reals"):
        yield from (msgspec.structs.replace(one, **{name: less}) for less in smaller(getattr(one, name), 0))


def simpler_bodies(body: Sequence[Statement]) -> Iterator[tuple[Statement, ...]]:
    """Fewer statements, what is in one instead of it, or a simpler one."""
    yield from without_chunks(body)
    for at, one in enumerate(body):
        if isinstance(one, Branch | Loop):
            yield (*body[:at], *one.body, *body[at + 1 :])
        yield from ((*body[:at], less, *body[at + 1 :]) for less in simpler_statements(one))


def simpler_statements(one: Statement) -> Iterator[Statement]:
    """Simpler statements of the same kind."""
    match one:
        case Call(arguments):
            yield from (Call(less) for less in smaller(arguments, 1))
        case Local(size, align):
            yield from (Local(less, align) for less in SIZES if less < size)
            yield from (Local(size, less) for less in ALIGNMENTS if less < align)
        case Variable(alloca):
            if alloca:
                yield Variable()
        case Branch(condition, body, ending):
            if ending is not None:
                yield Branch(condition, body)
            yield from (Branch(condition, less, ending) for less in simpler_bodies(body))
        case Loop(body):
            yield from (Loop(less) for less in simpler_bodies(body))


def smaller(number: int, least: int) -> tuple[int, ...]:
    """Smaller numbers, the smallest first."""
    return tuple(dict.fromkeys(less for less in (least, number // 2, number - 1) if least <= less < number))


def size(one: object) -> float:
    """The weight of a function, or of a part of it, by which the smallest example is chosen."""
    match one:
        case bool() | int():
            return math.log2(1 + one)
        case Enum():
            return list(type(one)).index(one) + 1
        case tuple():
            return sum(map(size, one))
        case msgspec.Struct():
            return 4 + sum(size(getattr(one, name)) for name in one.__struct_fields__)
        case _:
            return 0
