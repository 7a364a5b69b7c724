"""Structures and unions as arguments, but for those of one real or vector (3.2.3 Parameter Passing)."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD, Doublewords
from abiprobe.oracles.abis.powerpc.elfv1.in_register import right_aligned
from abiprobe.oracles.abis.powerpc.elfv1.scalars import ALIGNED
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing

cite, implements = citing(__package__)
NOTHING = cite("pass.nothing")
NOTHING_ALIGNED = cite("pass.nothing-aligned")
OF_PADDING = cite("pass.record-of-padding")
MORE = cite("pass.alignment-more")
RECORD = cite("pass.record")
RIGHT = cite("pass.record-right")
TAIL = cite("pass.record-tail")


@implements("pass.nothing", "pass.nothing-aligned")
def pass_nothing(types: TypeTable, arguments: Doublewords, value: Travelling) -> Passed:
    """An argument of size zero, which aligns the list to compilers."""
    # [elfv1:pass.nothing-aligned]
    if types.reading is not None:
        arguments.align(value.align)
    elif arguments.next * DOUBLEWORD % value.align:
        raise SilentError(NOTHING_ALIGNED, f"{value.name} has no size and is aligned to {value.align}")
    # [elfv1:pass.nothing]
    return value.passed(Passing.IGNORED, NOTHING)


@implements("pass.record", "pass.record-right", "pass.record-tail")
def pass_record(types: TypeTable, arguments: Doublewords, value: Travelling, because: str) -> Passed:
    """An aggregate or union, in the next doublewords of the list.

    `because` is the clause that keeps it from other registers, if one does.
    """
    if types.reading is None and not types.carries(value.declared):
        raise SilentError(OF_PADDING, f"{value.name} has a size but no named member")
    moved = align(types, arguments, value)
    # [elfv1:pass.record-right] [elfv1:pass.record-tail]
    before = bytes_before(types, value)
    beside = RIGHT if before else TAIL
    clause = because or (ALIGNED if moved else RIGHT if before else "")
    # [elfv1:pass.record]
    pieces = arguments.place_bytes(0, value.size, clause, Extension.ANY, beside, before)
    return value.passed(Passing.DIRECT, RECORD, *pieces)


def bytes_before(types: TypeTable, value: Travelling) -> int:
    """Return the bytes of its first doubleword in front of an aggregate or union."""
    return 0 if is_taken_from_left(types, value) else right_aligned(value.size)


def is_taken_from_left(types: TypeTable, value: Travelling) -> bool:
    """Return whether `va_arg` of a compiler takes a small record from the beginning of its doubleword."""
    return types.policies.va_arg_takes_left_records and value.is_unnamed


@implements("pass.alignment", "pass.alignment-more")
def align(types: TypeTable, arguments: Doublewords, value: Travelling) -> bool:
    """Align the list for an aggregate or union, to compilers to a quadword at most; whether a doubleword was skipped."""
    # [elfv1:pass.alignment-more]
    here = arguments.next * DOUBLEWORD
    more = value.align > QUADWORD and types.reading is None
    if more and round_up(here, value.align) != round_up(here, QUADWORD):
        raise SilentError(MORE, f"{value.name} is aligned to {value.align}")
    # [elfv1:pass.alignment]
    return arguments.align(value.align)
