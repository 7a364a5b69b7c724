"""Further witnesses of a class, held against the compiler's own code: debug information, and the layouts that it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import msgspec

from abiprobe.harness.machines.readers.debug_types import DebugRecord, DebugType, place
from abiprobe.harness.machines.readers.dwarf import class_types
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.machines.render.class_units import constants_unit, namespace
from abiprobe.harness.observers.attempt import Attempt
from abiprobe.harness.observers.classes.dumps import Dumped, clang_dump, gnu_dump
from abiprobe.harness.observers.classes.observing import ClassObservation
from abiprobe.harness.observers.classes.plan import ALIGNMENT, BEHIND, SIZE, ClassPlan
from abiprobe.harness.subjects.compile import classify, run_compiler
from abiprobe.harness.subjects.families.cxx import GXX
from abiprobe.harness.subjects.subject import Family
from abiprobe.results.verdicts.record import Outcome
from abiprobe.results.verdicts.values import BitRange

DEBUG = ("-g", "-fno-eliminate-unused-debug-types")
"""Options for debug information about types of which there is no object."""
Told: TypeAlias = Mapping[str, int]
"""The numbers that a witness tells of a class by what they are of: bytes, of a bit-field the bit where it begins."""


def statements(attempt: Attempt, family: Family, plan: ClassPlan, shows: ClassObservation) -> Iterator[str]:
    """Yield a line for each witness that tells numbers which code shows, too: that they are the same, or where they are not."""
    code = comparable(plan, shows)
    for name, told in witnesses(attempt, family, plan):
        both = [what for what in code if what in told]
        against = [f"{what} {told[what]}, not {code[what]}" for what in both if told[what] != code[what]]
        if against:
            yield f"{name} contradicts the code of the same compiler: {'; '.join(against)}"
        elif both:
            yield f"{name} says the same: {', '.join(f'{what} {code[what]}' for what in both)}"


def comparable(plan: ClassPlan, shows: ClassObservation) -> Told:
    """The numbers that code shows; of bit-fields those of which all bits can be written."""
    facts = {fact.what: fact.value for fact in plan.facts}
    whole = {item.name: item.width for item in plan.asked.bit_fields}
    found = {}
    for what, told in shows.items():
        value = facts.get(what)
        if isinstance(told, int):
            found[what] = told
        elif isinstance(value, BitRange) and value.width == whole[what]:
            found[what] = told[0]
    return found


def witnesses(attempt: Attempt, family: Family, plan: ClassPlan) -> Iterator[tuple[str, Told]]:
    """Each witness by its name with what it tells; none where the compiler does not take the options."""
    output, dump = attempt.scratch(".o"), attempt.scratch(".class")
    gnu = family is GXX
    own = (
        ("-femit-class-debug-always", f"-fdump-lang-class={dump}")
        if gnu
        else ("-fstandalone-debug", "-Xclang", "-fdump-record-layouts")
    )
    built = msgspec.structs.replace(attempt.built, command=(*attempt.built.command, *DEBUG, *own))
    done = run_compiler(built, constants_unit([plan.asked]), output, attempt.limits, 1)
    if classify(done, output) is not Outcome.OBSERVED:
        return
    try:
        types = class_types(output, namespace(0))
    except UnreadError:
        types = {}
    yield "its debug information", of_debug_info(plan, types)
    name = f"{namespace(0)}::{plan.asked.asked.tag}"
    if gnu and dump.exists():
        yield "-fdump-lang-class", of_dump(plan, gnu_dump(dump.read_text("utf-8", "replace"), name))
    elif not gnu:
        text = done.stdout.decode("utf-8", "replace")
        yield "-fdump-record-layouts", of_dump(plan, clang_dump(text, name))


def of_debug_info(plan: ClassPlan, types: Mapping[str, DebugType]) -> Told:
    """The numbers that debug information has: the size, members, direct bases, and what lies behind the class."""
    whole = types.get(plan.asked.asked.tag)
    if not isinstance(whole, DebugRecord):
        return {}
    found = {SIZE: whole.size} | ({} if whole.align is None else {ALIGNMENT: whole.align})
    for items, unit in ((plan.asked.offsets, 8), (plan.asked.bit_fields, 1)):
        places = ((item.name, place(whole, item.name)) for item in items)
        found |= {name: at[0] // unit for name, at in places if at is not None}
    direct = {base.name: base.bit_offset // 8 for base in whole.bases}
    found |= {
        base.what: direct[base.path[0].tag]
        for base in plan.asked.bases
        if len(base.path) == 1 and base.path[0].tag in direct
    }
    behind = ((BEHIND[tag], place(types[tag], "c")) for tag in plan.asked.behind if tag in types)
    return found | {what: at[0] // 8 for what, at in behind if at is not None}


def of_dump(plan: ClassPlan, dumped: Dumped | None) -> Told:
    """The numbers that a compiler has printed."""
    if dumped is None:
        return {}
    found = {SIZE: dumped.size, ALIGNMENT: dumped.align}
    for items, unit in ((plan.asked.offsets, 8), (plan.asked.bit_fields, 1)):
        found |= {
            item.name: dumped.members[item.name] // unit for item in items if item.name in dumped.members
        }
    bases = ((base.what, base.path[-1].tag) for base in plan.asked.bases)
    return found | {what: dumped.bases[tag] for what, tag in bases if tag in dumped.bases}
