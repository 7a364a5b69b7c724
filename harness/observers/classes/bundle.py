"""The bundle of a class: a program that stores its layout, or assertions where no program is run."""

from __future__ import annotations

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.class_units import (
    WORD,
    assertions_unit,
    constants_unit,
    namespace,
    telling_unit,
)
from abiprobe.harness.machines.runtime.build import TABLE
from abiprobe.harness.machines.runtime.machine import Machine, machine
from abiprobe.harness.machines.runtime.script import Call, Enter
from abiprobe.harness.observers.bundle import Bundle, Ways
from abiprobe.harness.observers.classes.plan import ALIGNMENT, BEHIND, SIZE, ClassPlan, Fact
from abiprobe.harness.observers.image.bundle import one_turn
from abiprobe.harness.observers.program_bundle import BundleRow, Tables, program_bundle
from abiprobe.oracles.model import Target
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint
from abiprobe.results.verdicts.values import BitRange

UNKNOWN_SIZE = 512
"""The bytes that the bits of an object may take where no family's reading gives its size."""
LARGEST = 16384
"""The bytes of its memory that the driver of a bundle clears."""


def class_bundle(plan: ClassPlan, about: Target, fingerprint: Fingerprint) -> Bundle:
    """The bundle of one class on a target; raises `Problem` where it cannot be shown."""
    if fingerprint.symptom in CRASHES:
        return Bundle(constants_unit([plan.asked]))
    runs = bool(about.machine) and about.registers is not None and not machine(about.machine).signatures
    size = size_of(plan)
    if runs and words(plan) * WORD + plan.asked.out_bytes(size) <= LARGEST:
        return program(plan, size, about)
    if plan.silence is not None:
        raise Problem(
            f"no program for {about} can show two layouts of the class", "abiprobe report prints them"
        )
    return Bundle(assertions_unit(plan.asked, wanted_constants(plan)))


def size_of(plan: ClassPlan) -> int:
    """The bytes of an object of the class, or those that it has at most where no text decides."""
    told = [plan.facts] if plan.facts else list(plan.readings.values())
    sizes = [number(fact) for facts in told for fact in facts if fact.what == SIZE]
    return max(sizes, default=UNKNOWN_SIZE)


def names(plan: ClassPlan) -> tuple[str, ...]:
    """The subjects of the constants of a class, in the order in which a unit stores them."""
    behind = tuple(BEHIND[tag] for tag in plan.asked.behind)
    return (SIZE, ALIGNMENT, *(one.name for one in plan.asked.offsets), *behind)


def words(plan: ClassPlan) -> int:
    """The number of the constants of a class."""
    return len(names(plan))


def wanted_constants(plan: ClassPlan) -> dict[str, int]:
    """The constants of a class as the text gives them, by what they are about."""
    facts = {fact.what: fact for fact in plan.facts}
    return {what: number(facts[what]) for what in names(plan)}


def number(fact: Fact) -> int:
    """The number of bytes that a fact is about."""
    assert not isinstance(fact.value, BitRange), "bits are shown as bytes of an object"
    return fact.value.bytes


def program(plan: ClassPlan, size: int, about: Target) -> Bundle:
    """The bundle of a program that stores constants, offsets of bases and the bits of each bit-field."""
    here = machine(about.machine)
    open_ = plan.silence is not None
    text = telling_unit(plan.asked, size)
    rows = places(plan, size, here)
    tables = Tables()
    turn = turn_of(tables, here, [] if open_ else rows)
    head = ["#define OUTPUTS"] if open_ else []
    outputs = [f"static const struct place outputs[] = {{{', '.join(map(tables.place, rows))}}};"]
    functions = f"extern void (*const {TABLE}[])(void), (*const other_{TABLE}[])(void);"
    values = "\n".join(
        [
            *head,
            functions,
            *tables.lines,
            f"static const struct turn turns[] = {{{turn}}};",
            *(outputs if open_ else []),
            "",
        ]
    )
    made = program_bundle(text, values, about)
    if not open_:
        return made
    return msgspec.structs.replace(made, apart=(TABLE,), own=(namespace(0),), ways=Ways.BESIDE)


def turn_of(tables: Tables, here: Machine, rows: list[BundleRow]) -> str:
    """The initialiser of the one turn, in which a function without parameters stores what is compared."""
    call = Call(index=0, enter=here.initial, returns=here.initial)
    return one_turn(tables, call, Enter(index=1, enter=here.initial), (), rows)


def places(plan: ClassPlan, size: int, here: Machine) -> list[BundleRow]:
    """The places of what a unit stores, with what the text says of each; nothing where it does not decide."""
    said = {fact.what: fact.value for fact in plan.facts}
    rows, at = [], 0
    for what in (*names(plan), *(base.what for base in plan.asked.bases)):
        value = said.get(what)
        want = b"" if value is None or isinstance(value, BitRange) else value.bytes.to_bytes(WORD, here.order)
        rows.append(stored(f"{what}, bytes", at, want or bytes(WORD)))
        at += WORD
    for item in plan.asked.bit_fields:
        value = said.get(item.name)
        want = bits(value, size, here) if isinstance(value, BitRange) else bytes(size)
        rows.append(stored(f"all bits of {item.name}", at, want))
        at += size
    return rows


def bits(value: BitRange, size: int, here: Machine) -> bytes:
    """The bytes of an object of which some bits are set."""
    before = value.offset if here.order == "little" else size * 8 - value.offset - value.width
    return (((1 << value.width) - 1) << before).to_bytes(size, here.order)


def stored(what: str, at: int, want: bytes) -> BundleRow:
    """One place of what a unit stores, all of which counts."""
    return BundleRow(what, "OUT", at, want, b"\xff" * len(want))
