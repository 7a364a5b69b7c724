"""The `target` attribute of a function on x86, as far as it has a say in where arguments travel: by the registers of wide vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from abiprobe.oracles.language.lang import Isa, Prototype, widest_vector

if TYPE_CHECKING:
    from abiprobe.harness.input.reading import Reading

X86 = re.compile(r"(?:x86_64|amd64|i[3-6]86)\b")
TAKEN_AWAY = re.compile(r"no-|general-regs-only|soft-float")
"""Options that leave a function without registers that arguments travel in."""
AVX = re.compile(r"avx(?!10)|fma|f16c|xop|vaes|vpclmulqdq")
"""Options that bring vector registers of 32 bytes at least."""
UNKNOWN = re.compile(r"arch=|avx10")
"""Options of which it takes the compiler to know what vector registers they bring."""
EVERY_PROCESSOR = 16
"""Bytes of the vector registers that every x86 here has."""


def isa_of(reading: Reading, cursor: Any, written: Iterable[str], function: Prototype) -> Isa | None:
    """Return the vector registers that the `target` attributes of a function add for its values.

    `None` where none of its values is wider than those of every processor, or the attributes bring none. Raises `Problem`
    for attributes that take registers away, or of which this is unknown, and on other machines.
    """
    words = [word.strip() for text in written for word in text.split(",") if word.strip()]
    if not words:
        return None
    said = f'attribute target("{",".join(words)}") is not something abiprobe can express'
    if not X86.match(reading.unit.source.triple) or any(map(TAKEN_AWAY.match, words)):
        raise reading.problem(cursor, said)
    widest = widest_vector(function)
    if widest <= EVERY_PROCESSOR:
        return None
    if any(map(UNKNOWN.match, words)):
        raise reading.problem(cursor, f"{said} with a vector of {widest} bytes")
    if any(word.startswith("avx512") for word in words):
        return Isa.AVX512
    return Isa.AVX if any(map(AVX.match, words)) else None
