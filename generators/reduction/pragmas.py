"""Simpler `declare simd` pragmas, and pragmas that fit a function which has lost parameters."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.generators.reduction.chunks import without_chunks
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.simd import Aligned, Linear, Simd


def simpler_pragmas(function: Prototype) -> Iterator[Prototype]:
    """The function with fewer pragmas or clauses, the most drastic first; one pragma stays."""
    if len(function.simd) > 1:
        yield from (replace(function, simd=(one,)) for one in function.simd)
    for index, simd in enumerate(function.simd):
        for changed in _simpler(simd):
            yield replace(function, simd=(*function.simd[:index], changed, *function.simd[index + 1 :]))


def _simpler(simd: Simd) -> Iterator[Simd]:
    bare = Simd(branch=simd.branch, attribute=simd.attribute)
    if simd != bare:
        yield bare
    yield from (replace(simd, uniform=names) for names in without_chunks(simd.uniform))
    yield from (replace(simd, linear=clauses) for clauses in without_chunks(simd.linear))
    yield from (replace(simd, aligned=clauses) for clauses in without_chunks(simd.aligned))
    if simd.simdlen is not None:
        yield replace(simd, simdlen=None)
    for index, clause in enumerate(simd.linear):
        for changed in _plainer(clause):
            yield replace(simd, linear=(*simd.linear[:index], changed, *simd.linear[index + 1 :]))


def _plainer(clause: Linear) -> Iterator[Linear]:
    yield from (replace(clause, params=names) for names in without_chunks(clause.params) if names)
    if clause.step != 1:
        yield replace(clause, step=1)


def fitted(function: Prototype) -> Prototype:
    """The function with its pragmas naming only parameters that it has."""
    if not function.simd:
        return function
    names = {param.name for param in function.params}
    return replace(function, simd=tuple(_fitted(simd, names) for simd in function.simd))


def _fitted(simd: Simd, names: set[str]) -> Simd:
    uniform = tuple(name for name in simd.uniform if name in names)
    linear = (
        replace(clause, params=tuple(name for name in clause.params if name in names))
        for clause in simd.linear
        if isinstance(clause.step, int) or clause.step in uniform
    )
    aligned = (
        Aligned(tuple(name for name in clause.params if name in names), clause.bytes)
        for clause in simd.aligned
    )
    return replace(
        simd,
        uniform=uniform,
        linear=tuple(clause for clause in linear if clause.params),
        aligned=tuple(clause for clause in aligned if clause.params),
    )
