"""Isolation of signatures that crash ptxas: which are asked alone, and how a batch is split, so that crashes cost little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from abiprobe.harness.observers.device.assembler.assemble import halves
from abiprobe.oracles.abis.ptx.parameter import Signature
from abiprobe.oracles.abis.ptx.sass.places import RESULT_LIMIT


class Shape(NamedTuple):
    """The properties on which the crashes of ptxas seen so far depend; a wrong guess costs time, and nothing else."""

    parameters: bool
    result_in_memory: bool


def shape(own: Signature) -> Shape:
    """The shape of a signature."""
    return Shape(bool(own.params), own.result is not None and own.result.size > RESULT_LIMIT)


def groups(batch: Sequence[Signature], crashed: AbstractSet[Shape]) -> Iterator[Sequence[Signature]]:
    """A batch without the signatures of shapes that crashed, and each of those alone."""
    yield [own for own in batch if shape(own) not in crashed]
    yield from ([own] for own in batch if shape(own) in crashed)


def split_batch(batch: Sequence[Signature]) -> tuple[Sequence[Signature], Sequence[Signature]]:
    """The signatures of the rarest shape, and the others; two halves when all are of one shape."""
    counted = Counter(map(shape, batch))
    if len(counted) == 1:
        return halves(batch)
    rarest = min(counted, key=lambda one: (counted[one], one))
    return [own for own in batch if shape(own) == rarest], [own for own in batch if shape(own) != rarest]
