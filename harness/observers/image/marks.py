"""Marks of functions: what the object file of a unit says of the symbols of callees, where functions with their convention must be marked.

Callers have the convention of their callees, too; what a prototype asks about is the callee.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from abiprobe.harness.machines.readers.elf import markings
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Scalable, ScalableMask, Type
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.model import AbiModel, RegisterConvention, SymbolMark
from abiprobe.oracles.text.place import Assignment, Passed, Passing
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.record import Difference, Outcome, Verdict, from_differences, unobserved
from abiprobe.results.verdicts.values import Constant, Mark

UNTOLD = "no symbol of the function was read"
FIELD = Named("st_other")


def marks_of(path: Path, count: int) -> list[int | None]:
    """`st_other`, without the visibility, of the callees of so many probes; `None` where there is no such symbol."""
    found = markings(path.read_bytes())
    return [found.get(f"callee_{number}") for number in range(count)]


def asked_mark(
    model: AbiModel, registers: RegisterConvention | None, asked: Prototype, call: Assignment
) -> SymbolMark | None:
    """Return the mark that a function must have; of one that a compiler does not mark, by its dialect, none."""
    mark = registers.of(call).mark if registers is not None else None
    policies = model.types.policies
    if mark is None or not (policies.marks_no_scalars or policies.marks_no_tuples):
        return mark
    types = (asked.result, *(one.type for one in asked.params))
    found = set(map(partial(fields, model.types), types, (call.result, *call.params)))
    unmarked = policies.marks_no_tuples if max(found) > 1 else policies.marks_no_scalars
    return None if unmarked and 1 not in found else mark


def fields(types: TypeTable, c_type: Type | None, passed: Passed | None) -> int:
    """The scalable vectors that a value in registers consists of, several of a tuple; 0 for any other value."""
    plain = None if c_type is None else types.plain(c_type)
    if (
        passed is None
        or passed.passing is not Passing.DIRECT
        or not isinstance(plain, Scalable | ScalableMask)
    ):
        return 0
    return plain.fields if isinstance(plain, Scalable) else 1


def judged_mark(probe: str, mark: SymbolMark, seen: int | Failed | None) -> Verdict:
    """Judge whether a function with the convention of the target is marked; `seen` is its `st_other`."""
    if isinstance(seen, Failed):
        return unobserved(probe, ProbeKind.SYMBOL, seen.outcome, seen.words)
    if seen is None:
        return unobserved(probe, ProbeKind.SYMBOL, Outcome.UNDECODED, UNTOLD)
    asked = Mark(mark.name, mark.bits)
    lacking = Difference("callee", "the symbol", FIELD, asked, Constant(seen), mark.clause)
    return from_differences(probe, ProbeKind.SYMBOL, () if seen & mark.bits else (lacking,))


def mark_bundle(text: str, mark: SymbolMark) -> Bundle:
    """The bundle of a function without its mark, which compilers ask the assembler for by a directive."""
    asked = f"grep -o '[.]{mark.directive}[[:blank:]]*callee_0' $@.out | tr -s '[:blank:]' ' '"
    return Bundle(text, expected=(f".{mark.directive} callee_0",), extract=asked, options="-S")
