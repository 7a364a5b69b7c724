"""The parts of the values of a call that are followed one by one where no model says where they travel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.supposed import value_mask
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Record, Type, strip
from abiprobe.oracles.text.place import Passed

PART = 4
"""Bytes that travel together, unless a member begins among them."""
FOLLOWED = 6
"""Of a large value so many parts at either end are followed."""
ENOUGH = 12
"""Bits by which a part is recognised, those of all turns together, where its caller and its callee are both known."""
ENOUGH_ALONE = 20
"""Bits by which it is recognised where only one of the two is known."""
RESULT = -1
"""Stands for the number of an argument where the result is meant."""


class ValuePart(msgspec.Struct, frozen=True):
    """Bytes `[start, end)` of argument number `value`, of which the bits set in `mask` carry it.

    They are `sure` to, unless the value is a record whose layout the text leaves open. The bits in `kept` must arrive: others
    may be among them that follow from the value. A part that has no other bits is not looked for.
    """

    value: int
    start: int
    end: int
    mask: int
    name: str
    sure: bool = True
    kept: int = 0

    @property
    def what(self) -> str:
        """The part as reports name it."""
        return f"{self.name} [{self.start}..{self.end})"

    @property
    def bits(self) -> int:
        """The number of bits that carry it."""
        return self.mask.bit_count()

    def of(self, data: bytes) -> int:
        """The bits that carry this part in a value, as a number."""
        return int.from_bytes(data[self.start : self.end], "little") & self.mask

    def kept_of(self, data: bytes) -> int:
        """The bits of this part in a value that must arrive, as a number."""
        return int.from_bytes(data[self.start : self.end], "little") & self.kept


def turns_to_tell(parts: Iterable[ValuePart]) -> int:
    """Return the number of calls needed to recognise each part."""
    least = min((part.bits for part in parts if part.mask), default=ENOUGH)
    return max(len(TURNS), -(-ENOUGH // least))


def bytes_of(part: ValuePart) -> Iterator[ValuePart]:
    """The bytes of a part that carry something, each as a part."""
    for inside, mask in enumerate(part.mask.to_bytes(part.end - part.start, "little")):
        if mask:
            at = part.start + inside
            yield ValuePart(part.value, at, at + 1, mask, part.name, part.sure)


def parts_of(plan: CallPlan, types: TypeTable, written: TypeTable) -> tuple[ValuePart, ...]:
    """The parts of all arguments of a plan, and of its result, by what is supposed of types and what is `written`."""
    given = enumerate(zip(plan.assignment.params, plan.prototype.arguments, strict=True))
    found = [
        part
        for index, (passed, argument) in given
        for part in split(types, written, index, passed, argument.type)
    ]
    if plan.assignment.result is not None and plan.prototype.result is not None:
        result = msgspec.structs.replace(plan.assignment.result, name="result")
        found += split(types, written, RESULT, result, plan.prototype.result)
    return tuple(found)


def split(
    types: TypeTable, written: TypeTable, index: int, passed: Passed, c_type: Type
) -> Iterator[ValuePart]:
    """The parts of one value: no more than four bytes each, and none with the start of a member inside."""
    sure = not isinstance(strip(c_type), (Record, Array)) or is_decided(written, c_type)
    inner = (leaf.bit_offset // 8 for leaf in types.leaves(c_type, whole=2) if leaf.bit_width > 8)
    edges = sorted({*range(0, passed.size, PART), *(at for at in inner if at < passed.size), passed.size})
    carrying = value_mask(written, c_type).ljust(passed.size, b"\0")
    spans = [
        ValuePart(
            index, start, end, kept & int.from_bytes(carrying[start:end], "little"), passed.name, sure, kept
        )
        for start, end in pairwise(edges)
        if (kept := int.from_bytes(passed.mask[start:end], "little"))
    ]
    yield from spans if len(spans) <= 2 * FOLLOWED else (*spans[:FOLLOWED], *spans[-FOLLOWED:])


def is_decided(written: TypeTable, c_type: Type) -> bool:
    """Return whether the text decides the layout of a type."""
    try:
        written.mask(c_type)
    except SilentError:
        return False
    return True
