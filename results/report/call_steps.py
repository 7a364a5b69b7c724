"""The derivation of a call: for each value, the clauses that decided how it travels and what each came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from abiprobe.oracles.engine.cxx_call import CxxCall
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.declaration import declare, one_line
from abiprobe.oracles.language.lang import Array, Prototype, Record, Type, Typedef, strip
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Hidden,
    MemberPlace,
    ParamVariable,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
)
from abiprobe.results.report.layout_rows import plural
from abiprobe.results.report.pieces import Above, above, carriers, with_types

REMEMBERED = 2048
"""Types whose leaves are kept."""
LONGEST_TYPE = 60
"""A record whose members take more columns than this is shown by its tag alone."""
NAMED_MEMBERS = 3
"""Of more members than this in one place, the first and the last are named."""
LISTED = 128
"""Arrays up to this length have every element named: no fewer than the bytes that a map lists word by word."""


@dataclass(frozen=True)
class DerivationStep:
    """One clause and what it decided; an `outcome` that is empty was only a step on the way."""

    clause: str
    outcome: str


@dataclass(frozen=True)
class DerivedValue:
    """Something that travels: its name, its type as people read it, and how it came to its places."""

    name: str
    type: str
    steps: tuple[DerivationStep, ...]


def derivation(types: TypeTable, function: Prototype, assignment: Assignment) -> Iterator[DerivedValue]:
    """The result first, because its memory may cost an argument register; then hidden arguments and parameters."""
    if assignment.result is not None and function.result is not None:
        yield value(types, assignment.result, function.result, "result")
    for hidden in assignment.hidden:
        within = "" if hidden.bounds is None else "{} to {} ".format(*hidden.bounds)
        steps = (DerivationStep(piece.clause, within + where(piece.place)) for piece in hidden.pieces)
        yield DerivedValue(hidden.role, "hidden argument", tuple(steps))
    for passed, c_type in with_types(assignment, function):
        yield value(types, passed, c_type, passed.name)


def cxx_derivation(call: CxxCall) -> Iterator[DerivedValue]:
    """The same of a call of C++, with the types that are declared there."""
    told = derivation(call.types, call.prototype, call.assignment)
    for derived, (one, _) in zip(told, carriers(call.assignment, call.prototype), strict=True):
        spelled = "" if isinstance(one, Hidden) else f"{one.type}, {plural(one.size, 'byte')}"
        yield replace(derived, type=spelled or derived.type)


def value(types: TypeTable, passed: Passed, c_type: Type, name: str) -> DerivedValue:
    """A parameter, unnamed argument or result."""
    shown = f"{type_text(c_type)}, {plural(passed.size, 'byte')}"
    return DerivedValue(name, shown, tuple(merged(steps(types, passed, c_type))))


def merged(found: Iterable[DerivationStep]) -> Iterator[DerivationStep]:
    """The steps, neighbours of one clause in one."""
    for clause, group in groupby(found, lambda step: step.clause):
        yield DerivationStep(clause, "; ".join(step.outcome for step in group))


def type_text(c_type: Type) -> str:
    """The type, a short record with its members."""
    record = strip(c_type)
    if isinstance(record, Record) and len(text := one_line(record)) <= LONGEST_TYPE:
        return text
    return str(declare(c_type, ""))


def steps(types: TypeTable, passed: Passed, c_type: Type) -> Iterator[DerivationStep]:
    """The clause of the value as a whole, those of its pieces where they differ, then of what stands above."""
    if passed.param is not None:
        yield DerivationStep(passed.param.clause, declared(passed.param))
        if passed.param.offset is not None:
            return
    if not passed.pieces:
        yield DerivationStep(passed.clause, without_pieces(passed))
        return
    if passed.clause != passed.pieces[0].clause:
        yield DerivationStep(passed.clause, "")
    for piece in passed.pieces:
        yield DerivationStep(piece.clause, outcome(types, piece, passed, c_type))
    yield from extensions(passed, c_type)


def declared(param: ParamVariable) -> str:
    """A declaration, and where a kernel finds what it declares."""
    if param.offset is None:
        return param.declaration
    others = "".join(f", {offset} on {arch}" for arch, offset in param.offsets)
    return f"{param.declaration}, at byte {param.offset} of the parameters{others}"


def without_pieces(passed: Passed) -> str:
    """Describe how a value without a place of its own is passed."""
    if passed.passing is Passing.INDIRECT:
        return "in memory, at the address that the result pointer holds"
    return "nothing travels"


def outcome(types: TypeTable, piece: Piece, passed: Passed, c_type: Type) -> str:
    """Describe which bytes lie in a place: `x.a in fa0`."""
    if passed.passing is Passing.INDIRECT:
        return f"its address {where(piece.place)}"
    if piece.group:
        return f"bytes {span(piece.start, piece.end)} {where(piece.place)} of {piece.group}"
    whole = piece.start == 0 and piece.end == passed.size and piece.bits is None
    what = "" if whole else members(types, piece, c_type) or f"bytes {span(piece.start, piece.end)}"
    return f"{what} {where(piece.place)}".lstrip()


def extensions(passed: Passed, c_type: Type) -> Iterator[DerivationStep]:
    """Yield the extensions that the text demands above the value; where it allows anything, the byte map shows it."""
    for piece in passed.pieces:
        extended = above(piece, passed, c_type)
        if extended is not None and extended.extension is not Extension.ANY:
            yield DerivationStep(extension_clause(piece), above_text(piece.place, extended))


def above_text(at: Place, extended: Above) -> str:
    """`bits [32..64) of a0 are zeros`."""
    # On a big-endian machine the value is behind what extends it.
    sign = extended.first - 1 if extended.first else extended.end
    held = {
        Extension.SIGN: f"copies of bit {sign}",
        Extension.ZERO: "zeros",
        Extension.NAN_BOX: "ones (a NaN box)",
        Extension.ANY: "undefined",
    }
    return f"bits {span(extended.first, extended.end)} of {place(at)} are {held[extended.extension]}"


def place(at: Place) -> str:
    """A register by its name; memory by its offset from the stack pointer at callee entry."""
    return at.name if isinstance(at, Register) else f"stack{at.offset:+}"


def where(at: Place) -> str:
    """`in a0`, `at stack+8`."""
    return f"{'in' if isinstance(at, Register) else 'at'} {place(at)}"


@lru_cache(maxsize=REMEMBERED)
def span(first: int, end: int) -> str:
    """A half-open range."""
    return f"[{first}..{end})"


def members(types: TypeTable, piece: Piece, c_type: Type) -> str:
    """The members of a record that a piece of it holds, wholly or in part; nothing for other types."""
    if not isinstance(c_type, (Record, Array, Typedef)):
        return ""
    first = piece.start * 8 if piece.bit is None else piece.bit
    end = piece.end * 8 if piece.bits is None else first + piece.bits
    return shortened(
        leaf.path
        for leaf in leaves_of(types, c_type)
        if leaf.bit_offset < end and leaf.bit_offset + leaf.bit_width > first
    )


@lru_cache(maxsize=REMEMBERED)
def leaves_of(types: TypeTable, c_type: Type) -> tuple[MemberPlace, ...]:
    """The scalar leaves of a type, which every place of a value looks through."""
    return tuple(types.leaves(c_type, whole=LISTED))


def shortened(paths: Iterable[str]) -> str:
    """A list of names; a long one by its ends."""
    names = list(paths)
    return ", ".join(names) if len(names) <= NAMED_MEMBERS else f"{names[0]} to {names[-1]}"


def cited(assignment: Assignment, function: Prototype) -> tuple[str, ...]:
    """Every clause that the answer rests on, in the order of the derivation, extensions included."""
    found: list[str] = []
    for carrier, c_type in carriers(assignment, function):
        found += [carrier.clause] if isinstance(carrier, Passed) else []
        for piece in carrier.pieces:
            extended = above(piece, carrier, c_type)
            found += [piece.clause, *([] if extended is None else [extension_clause(piece)])]
    return tuple(dict.fromkeys(found))


def undefined(assignment: Assignment, function: Prototype) -> tuple[str, ...]:
    """The clauses that leave bits above a value undefined."""
    found = (
        extension_clause(piece)
        for carrier, c_type in carriers(assignment, function)
        for piece in carrier.pieces
        if (extended := above(piece, carrier, c_type)) and extended.extension is Extension.ANY
    )
    return tuple(dict.fromkeys(found))


def extension_clause(piece: Piece) -> str:
    """The clause that says what stands above the value in its place."""
    return piece.extension_clause or piece.clause
