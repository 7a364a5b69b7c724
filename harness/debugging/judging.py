"""The places of parameters by debug information, held against the values that were passed, and what is said of the declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

import msgspec

from abiprobe.harness.debugging.debug_info import NORMAL, Described, Parameter, Subprogram
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.language.lang import Complex, Kind, Record, Scalar, Type, Vector, strip
from abiprobe.oracles.unwinding import locations
from abiprobe.oracles.unwinding.locations import Frame, Nested
from abiprobe.oracles.unwinding.rules import UndefinedError, UnknownOperationError

NUMBERED = re.compile(r"^(b?reg|lit)\d+$")
TURN = 1
"""The values that are passed: those whose bytes tell them apart."""


class Point(Enum):
    """A point at which a function is stopped."""

    ENTRY = "at the first instruction"
    BREAKPOINT = "behind the prologue"
    CALL = "at the first call"
    PASSED = "as it is passed on"


class Shown(Enum):
    """The bytes that debug information shows of a parameter."""

    RIGHT = "right"
    """the value that was passed"""
    ABSENT = "optimised out"
    """nothing, or a part of the value"""
    WRONG = "wrong"
    """other bytes, or a place where nothing can be"""
    UNKNOWN = "not evaluated"
    """an operation that is not evaluated here"""


class Fact(msgspec.Struct, frozen=True):
    """A parameter at a point, as debug information shows it; values are in hexadecimal, `..` for what is not there."""

    point: Point
    name: str
    shown: Shown
    type: str
    location: str
    clause: str
    expected: str = ""
    found: str = ""

    @property
    def kind(self) -> str:
        """The way in which it is shown: by which operations, at which point."""
        return f"{self.location}, {self.point.value}"


class Declared(msgspec.Struct, frozen=True):
    """Something that is said of a function and is not so."""

    what: str
    clause: str
    expected: str
    found: str

    @property
    def kind(self) -> str:
        """The way in which it is wrong."""
        return self.what


def fact(point: Point, address: int, plan: CallPlan, index: int, parameter: Parameter, frame: Frame) -> Fact:
    """A parameter as its location shows it at an address."""
    passed, value = plan.assignment.params[index], plan.turns[TURN].values[index]
    there = parameter.at(address)
    sort = sort_of(plan.prototype.params[index].type)
    of = f"{'an entry of a list' if parameter.listed else 'the one location'} {spelled(there)}"
    if there is None or not there.operations:
        return Fact(point, passed.name, Shown.ABSENT, sort, of, locations.LIST)
    clause = locations.clause(there.operations, listed=parameter.listed)
    try:
        found, known = locations.found(there.operations, passed.size, frame)
    except UndefinedError as error:
        return Fact(point, passed.name, Shown.WRONG, sort, of, clause, value.hex(), str(error))
    except UnknownOperationError as error:
        return Fact(point, passed.name, Shown.UNKNOWN, sort, of, clause, value.hex(), str(error))
    bits = zip(value, found, known, passed.mask, strict=True)
    wrong = any((one ^ other) & seen & mask for one, other, seen, mask in bits)
    whole = all(seen or not mask for seen, mask in zip(known, passed.mask, strict=True))
    shown = Shown.WRONG if wrong else Shown.RIGHT if whole else Shown.ABSENT
    return Fact(
        point,
        passed.name,
        shown,
        sort,
        of,
        clause,
        hexadecimal(value, passed.mask),
        hexadecimal(found, known),
    )


def passed_on(number: int, operations: Nested | None, held: bytes, name: str, frame: Frame) -> Fact:
    """A parameter of a call as its entry gives it, by no `operations` where that has none, held against the register in which it is passed."""
    words = "no call value" if operations is None else f"the call value {spelled(Described(operations))}"
    where = Point.PASSED, name
    order, clause = frame.now.order, locations.CALL_VALUE
    if operations is None:
        return Fact(*where, Shown.ABSENT, f"register {number}", words, clause)
    try:
        found = locations.on_top(operations, frame).to_bytes(len(held), order)
    except UndefinedError as error:
        return Fact(*where, Shown.WRONG, f"register {number}", words, clause, held.hex(), str(error))
    except UnknownOperationError as error:
        return Fact(*where, Shown.UNKNOWN, f"register {number}", words, clause, held.hex(), str(error))
    shown = Shown.RIGHT if found == held else Shown.WRONG
    return Fact(*where, shown, f"register {number}", words, clause, held.hex(), found.hex())


def hexadecimal(value: bytes, known: bytes) -> str:
    """Bytes in the order of memory, `..` for those of which nothing is known."""
    return "".join(f"{byte:02x}" if seen else ".." for byte, seen in zip(value, known, strict=True))


def spelled(described: Described | None) -> str:
    """The operations of a description without numbers and offsets, each once."""
    names = (name for name, _ in described.operations) if described is not None else ()
    plain = (
        NUMBERED.sub(r"\1", name.removeprefix("DW_OP_")) for name in names if name != "DW_OP_plus_uconst"
    )
    return " ".join(dict.fromkeys(plain)) or "nothing"


def sort_of(c_type: Type) -> str:
    """A type in a word."""
    match strip(c_type):
        case Record():
            return "record"
        case Vector():
            return "vector"
        case Complex():
            return "_Complex"
        case Scalar(kind) if kind in {Kind.INT128, Kind.UINT128}:
            return "__int128"
        case Scalar(Kind.LDOUBLE):
            return "long double"
        case Scalar(kind) if kind.is_floating:
            return "real"
        case Scalar():
            return "integer"
        case other:
            return type(other).__name__


def declared(
    subprogram: Subprogram, plan: CallPlan, *, skipped: bool, returns: bool = True
) -> Iterator[Declared]:
    """Everything that is said of a function and is not so; `skipped` says that it ran and did not come where breakpoints go."""
    asked = plan.prototype
    said = [
        ("prototype", locations.PROTOTYPED, True, subprogram.is_prototyped),
        ("unspecified parameters", locations.PARAMETERS, asked.variadic, subprogram.is_variadic),
        ("number of parameters", locations.PARAMETERS, len(asked.params), len(subprogram.parameters)),
        ("result", locations.RETURN_TYPE, asked.result is not None, subprogram.has_result),
    ]
    said.append(("place of breakpoints", locations.BREAKPOINT, True, not skipped))
    said.append(("return", locations.NORETURN, returns, not subprogram.is_noreturn))
    if asked.convention is None:
        said.append(("calling convention", locations.CONVENTION, NORMAL, subprogram.convention))
    for what, clause, expected, found in said:
        if expected != found:
            yield Declared(what, clause, str(expected), str(found))
