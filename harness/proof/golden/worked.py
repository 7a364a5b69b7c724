"""Calls on the IPU and the DPU, worked out from the documents: places of arguments and result on one line.

`m0, a0[0:4] a1[4:8] -> *m2` is a first argument in m0, a second in two registers, and a result in memory whose address m2 holds; `&m0` is
an address in m0, and `stack+4` memory at the stack pointer plus 4 bytes. A row that says `m0:sign` anywhere says everywhere what stands above
a value that is narrower than its place.
"""

from __future__ import annotations

import re

import msgspec

from abiprobe.harness.declarations import read
from abiprobe.harness.proof.golden import Fact, table
from abiprobe.harness.toolchains.front_end import front_end
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Passed, Passing, Place, Register, Unspecified, Unsupported

ABOVE = re.compile(":(sign|zero|any)")
IPU = "#include <ipudef.h>\ntypedef int int8 __attribute__((vector_size(32)));\n"


def rows() -> list[tuple[str, str, str]]:
    """Target, declarations in C, and the line expected."""
    text = table("accelerators", "calls.tsv").read_text("utf-8")
    found = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return [(target, source, expected) for target, source, expected in found]


def facts(base: str) -> tuple[Fact, ...]:
    """The rows about a target and its modes."""
    return tuple(fact(*row) for row in rows() if row[0].startswith(base))


def fact(target: str, source: str, expected: str) -> Fact:
    """A row as a fact."""
    asked = question(target, source)
    return Fact(source, target, lambda _, model: says(model, asked, expected))


def question(target: str, source: str) -> Prototype:
    """The first function that `source` declares; the parameters of a second one are unnamed arguments of a call."""
    as_if = front_end(target)
    text = (IPU if "ipu" in target else "") + source
    prototype, *more = read(text, filename="row.h", triple=as_if.triple, options=as_if.options).functions
    if more:
        unnamed = tuple(param.type for param in more[0].params)
        prototype = msgspec.structs.replace(prototype, unnamed=unnamed)
    return prototype


def says(model: AbiModel, asked: Prototype, expected: str) -> bool:
    """Whether a model answers what a row expects."""
    return line(model.assign(asked), above=ABOVE.search(expected) is not None) == expected


def line(found: Assignment | Unspecified | Unsupported, *, above: bool = False) -> str:
    """An answer on one line, with what stands above narrow values if that is asked for."""
    match found:
        case Unspecified(clause=clause):
            return f"unspecified {clause}"
        case Unsupported():
            return "unsupported"
        case Assignment(params=params, result=result, hidden=hidden):
            told = ", ".join(passed(value, above=above) for value in params)
            if result is None:
                return told
            if result.passing is Passing.INDIRECT:
                return f"{told} -> *{place(hidden[0].pieces[0].place)}"
            return f"{told} -> {passed(result, above=above)}"


def passed(value: Passed, *, above: bool = False) -> str:
    """One argument or result."""
    mark = "&" if value.passing is Passing.INDIRECT else ""
    whole = bool(mark) or (
        len(value.pieces) == 1 and (value.pieces[0].start, value.pieces[0].end) == (0, value.size)
    )
    return " ".join(
        mark
        + place(piece.place)
        + ("" if whole else f"[{piece.start}:{piece.end}]")
        + (f":{piece.extension.value}" if above and piece.extension is not None else "")
        for piece in value.pieces
    )


def place(at: Place) -> str:
    """A register, or memory by its offset in bytes."""
    return at.name if isinstance(at, Register) else f"stack{at.offset:+}"
