"""The differences between IPU calling conventions: worker or supervisor code, text or compiler."""

from __future__ import annotations

from dataclasses import dataclass

INTEGERS = ("m0", "m1", "m2", "m3")
FLOATS = ("a0", "a1", "a2", "a3", "a4", "a5")
RESULT_FLOATS = FLOATS[:4]
WORD = 4
PAIR = 8
QUAD = 16


@dataclass(frozen=True)
class Convention:
    """`worker` code has $a registers, supervisor code has none.

    The rest is where text and compiler part: whether an aggregate of a single member travels as that member
    (`unwraps`), whether a scalar of 64 bits takes an aligned pair (`pairs`) and a vector of 128 bits an aligned quad
    (`quads`), and the registers of floating point results.
    """

    worker: bool
    unwraps: bool
    pairs: bool
    quads: bool
    result_floats: tuple[str, ...]


def as_written(*, worker: bool) -> Convention:
    """The convention of the text."""
    return Convention(worker, unwraps=True, pairs=True, quads=True, result_floats=RESULT_FLOATS)


def by_compiler(*, worker: bool) -> Convention:
    """The convention of the public LLVM fork."""
    return Convention(worker, unwraps=False, pairs=False, quads=False, result_floats=FLOATS)
