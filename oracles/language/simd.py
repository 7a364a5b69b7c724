"""OpenMP's `declare simd` as frozen values: what a pragma says about a function, in terms of C alone."""

from __future__ import annotations

from enum import Enum

import msgspec

from abiprobe.oracles.language.names import Bytes, Count, Identifier, Step


class Branch(Enum):
    """From where a vector function is called; the value is the clause."""

    INBRANCH = "inbranch"
    """always under a condition: only masked variants"""
    NOTINBRANCH = "notinbranch"
    """never under a condition: only unmasked variants"""


class Modifier(Enum):
    """The part of a reference parameter that is linear; the value is the keyword."""

    VAL = "val"
    """the value that each lane's reference refers to"""
    REF = "ref"
    """the address"""
    UVAL = "uval"
    """the value, under one address for all lanes"""


class Linear(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """One `linear` clause: its parameters, and by how much each grows from lane to lane.

    `step` is a number, in elements of what a pointer points to, or the name of a uniform parameter.
    """

    params: tuple[Identifier, ...]
    step: Step = 1
    modifier: Modifier | None = None


class Aligned(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """One `aligned` clause: its pointers, and what their values are multiples of, in bytes."""

    params: tuple[Identifier, ...]
    bytes: Bytes | None = None


class Simd(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """One `#pragma omp declare simd` in front of a function.

    `uniform` names parameters with one value for all lanes; `simdlen` is the number of lanes. `attribute` says that
    it was written as the GNU attribute `simd`, which has no clause but `branch`.
    """

    uniform: tuple[Identifier, ...] = ()
    linear: tuple[Linear, ...] = ()
    aligned: tuple[Aligned, ...] = ()
    simdlen: Count | None = None
    branch: Branch | None = None
    attribute: bool = False


def pragma(simd: Simd) -> str:
    """The pragma or attribute as C writes it, on one line."""
    if simd.attribute:
        return f"__attribute__((simd{'' if simd.branch is None else f'({chr(34)}{simd.branch.value}{chr(34)})'}))"
    return " ".join(("#pragma omp declare simd", *_clauses(simd)))


def _clauses(simd: Simd) -> list[str]:
    found = [f"simdlen({simd.simdlen})"] if simd.simdlen is not None else []
    if simd.branch is not None:
        found.append(simd.branch.value)
    if simd.uniform:
        found.append(f"uniform({', '.join(simd.uniform)})")
    found += [_linear(clause) for clause in simd.linear]
    for clause in simd.aligned:
        number = "" if clause.bytes is None else f":{clause.bytes}"
        found.append(f"aligned({', '.join(clause.params)}{number})")
    return found


def _linear(clause: Linear) -> str:
    names = ", ".join(clause.params)
    if clause.modifier is not None:
        names = f"{clause.modifier.value}({names})"
    return f"linear({names}:{clause.step})"
