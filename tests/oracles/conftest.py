"""Questions in C and answers on one line, so that a row of a table is a line or two.

Places of a call: `a0:sign, fa0[0:4]:nan-box a1[4:8] -> *a0` is a first parameter in a0, sign-extended; a second whose bytes
`[0, 4)` are in fa0 and `[4, 8)` in a1; and a result in memory whose address a0 holds. Parameters are separated by
commas, pieces by blanks. The byte range is left out where one piece is the whole value, and the extension where the piece
fills its place; `[bits 3:8]` is a bit-field that travels alone, `stack+8` is memory at the stack pointer plus 8, `&a1` is an address in a1, and `-` is nothing.

Layouts: `8/4 a@0 b@4:10` is size 8, alignment 4, `a` at byte 0, and `b` a bit-field of 10 bits from bit 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import msgspec
import pytest

from abiprobe.harness.declarations import read
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.options import DEFAULT, LayoutOptions
from abiprobe.oracles.place import (
    Assignment,
    Extension,
    Layout,
    MemberPlace,
    Passed,
    Passing,
    Piece,
    Register,
    Unspecified,
)
from abiprobe.oracles.registry import find_model


class Answer(NamedTuple):
    """An answer on one line, and the clauses cited for what the row is about.

    That is the result, or for a function returning void its last argument; for a layout the record and its last member.
    """

    line: str
    clauses: frozenset[str]


Ask: TypeAlias = Callable[[str], Answer]


def places(
    target: str, triple: str, source: str, *, any_extension: bool, options: LayoutOptions = DEFAULT
) -> Answer:
    """The answer about the first function in `source`; the parameters of a second one are unnamed arguments."""
    prototype, *more = read(source, filename="row.h", triple=triple).functions
    if more:
        unnamed = tuple(param.type for param in more[0].params)
        prototype = msgspec.structs.replace(prototype, unnamed=unnamed)
    assert isinstance(prototype, Prototype)
    answer = find_model(target, options).assign(prototype)
    if isinstance(answer, Assignment):
        about = (answer.result or answer.params[-1],) if answer.result or answer.params else ()
        cited = {clause for passed in about for clause in _clauses(passed)}
        cited |= {piece.clause for hidden in answer.hidden for piece in hidden.pieces}
        return Answer(_call(answer, any_extension=any_extension), frozenset(cited))
    return _no_answer(answer)


def layout(target: str, triple: str, source: str) -> Answer:
    """The answer about the last record in `source`."""
    record = read(source, filename="row.h", triple=triple).records[-1]
    assert isinstance(record, Record)
    answer = find_model(target).layout(record)
    if isinstance(answer, Layout):
        line = " ".join([f"{answer.size}/{answer.align}", *map(_member, answer.members)])
        cited = {answer.clause} | {member.clause for member in answer.members[-1:]}
        return Answer(line, frozenset(cited))
    return _no_answer(answer)


def _no_answer(answer: object) -> Answer:
    if isinstance(answer, Unspecified):
        return Answer("unspecified", frozenset({answer.clause}))
    return Answer("unsupported", frozenset())


def _clauses(passed: Passed) -> set[str]:
    return {passed.clause} | {
        clause for piece in passed.pieces for clause in (piece.clause, piece.extension_clause) if clause
    }


def _call(answer: Assignment, *, any_extension: bool) -> str:
    line = ", ".join(_passed(param, any_extension=any_extension) for param in answer.params)
    if answer.result is None:
        return line
    result = _passed(answer.result, any_extension=any_extension)
    if answer.result.passing is Passing.INDIRECT:
        address = answer.hidden[0].pieces[0]
        result = f"*{_place(address)}" + "".join(
            f" {_place(piece).removeprefix('&')}" for piece in answer.result.pieces
        )
    return f"{line} -> {result}".strip()


def _passed(passed: Passed, *, any_extension: bool) -> str:
    if passed.passing is Passing.IGNORED:
        return "-"
    size = 8 if passed.passing is Passing.INDIRECT else passed.size
    mark = "&" if passed.passing is Passing.INDIRECT else ""
    return " ".join(mark + _piece(piece, size, any_extension=any_extension) for piece in passed.pieces)


def _piece(piece: Piece, size: int, *, any_extension: bool) -> str:
    text = _place(piece)
    if piece.bit is not None and piece.bits is not None:
        text += f"[bits {piece.bit}:{piece.bit + piece.bits}]"
    elif (piece.start, piece.end) != (0, size):
        text += f"[{piece.start}:{piece.end}]"
    full = piece.end - piece.start == piece.width and piece.bit is None
    if piece.extension is None or full or (piece.extension is Extension.ANY and not any_extension):
        return text
    return f"{text}:{piece.extension.value}"


def _place(piece: Piece) -> str:
    return piece.place.name if isinstance(piece.place, Register) else f"stack+{piece.place.offset}"


def _member(member: MemberPlace) -> str:
    if member.bit_field:
        return f"{member.path}@{member.bit_offset}:{member.bit_width}"
    return f"{member.path}@{member.bit_offset // 8}"


@pytest.fixture
def lp64d() -> Ask:
    """Asks `riscv64-lp64d` about a function."""
    return lambda source: places("riscv64-lp64d", "riscv64-linux-gnu", source, any_extension=True)


@pytest.fixture
def lp64d_layout() -> Ask:
    """Asks `riscv64-lp64d` about a record."""
    return lambda source: layout("riscv64-lp64d", "riscv64-linux-gnu", source)


@pytest.fixture
def sysv() -> Ask:
    """Asks `x86_64-sysv` about a function; nothing is said of undefined bits, which are most of a vector register."""
    return lambda source: places("x86_64-sysv", "x86_64-linux-gnu", source, any_extension=False)


@pytest.fixture
def with_vectors() -> Callable[[str, int, str], Answer]:
    """Asks an x86 target about a function, with vector registers of so many bytes."""

    def ask(target: str, vectors: int, source: str) -> Answer:
        triple = "i386-linux-gnu" if target.startswith("i386") else "x86_64-linux-gnu"
        return places(target, triple, source, any_extension=False, options=LayoutOptions(vectors=vectors))

    return ask


@pytest.fixture
def ms() -> Ask:
    """Asks `x86_64-ms` about a function; nothing is said of undefined bits."""
    return lambda source: places("x86_64-ms", "x86_64-linux-gnu", source, any_extension=False)


@pytest.fixture
def i386() -> Ask:
    """Asks `i386-sysv` about a function; nothing is said of undefined bits."""
    return lambda source: places("i386-sysv", "i386-linux-gnu", source, any_extension=False)


@pytest.fixture
def sysv_layout() -> Ask:
    """Asks `x86_64-sysv` about a record."""
    return lambda source: layout("x86_64-sysv", "x86_64-linux-gnu", source)


@pytest.fixture
def read_as() -> Callable[[str, str, str], Answer]:
    """Asks x86-64 or i386 System V about a record, as written (`""`) or in a family's reading."""

    def ask(target: str, reading: str, source: str) -> Answer:
        triple = "i386-linux-gnu" if target.startswith("i386") else "x86_64-linux-gnu"
        return layout(f"{target}@{reading}" if reading else target, triple, source)

    return ask
