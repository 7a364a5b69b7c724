"""What is worded once for several subjects: whoever shares it must be asked what it would be asked alone."""

from __future__ import annotations

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.machines.runtime.messages import message
from abiprobe.harness.machines.workbench import bench
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.image.decoding import as_given
from abiprobe.harness.observers.image.operations import operations, pair_operations
from abiprobe.harness.observers.image.plan import CallPlan, plan_call
from abiprobe.harness.observers.image.units import Wording, calls_text, pair_script, script
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Assignment
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.verdicts.record import Judgement

TARGET = "x86_64-sysv"
CHAR, LONG, SHORT = Scalar(Kind.CHAR), Scalar(Kind.LONG), Scalar(Kind.SHORT)
MIXED = Record("S", (Member(CHAR, "a"), Member(LONG, "b"), Member(CHAR, "c")))
PACKS = Prototype("f", LONG, (Param("s", MIXED), Param("t", MIXED), Param("n", LONG)))
NARROW = Prototype("g", SHORT, (Param("a", CHAR), Param("b", SHORT), Param("c", Scalar(Kind.DOUBLE))))


def planned(function: Prototype) -> CallPlan:
    model = find_model(TARGET)
    assignment = model.assign(function)
    assert isinstance(assignment, Assignment)
    return plan_call(model.types, probe(function).id, function, assignment)


def test_subjects_of_other_layouts_are_asked_another_text() -> None:
    subjects = (("gcc-12", "O0"), ("gcc-12 -fpack-struct=1", "O0"))
    if not installed(parse_subject("gcc-12"), (find_target(TARGET),)):
        pytest.skip("gcc-12 is not installed")
    together = run_job(spelled_job(TARGET, 0, Sort.PROTOTYPES, (PACKS, NARROW), subjects, pairs=Pairs.ALL))
    apart = [run_job(spelled_job(TARGET, 0, Sort.PROTOTYPES, (PACKS, NARROW), (one,)))[0] for one in subjects]
    assert [done.verdicts for done in together] == [done.verdicts for done in apart]
    assert {verdict.verdict for done in apart for verdict in done.verdicts} == {Judgement.AGREES}


def test_shared_operations_are_those_made_for_each_number() -> None:
    plans, wording, here = [planned(NARROW), planned(PACKS)], Wording(), bench(find_target(TARGET))
    for order in (plans, plans[::-1]):
        numbered = [(plan, i) for i, plan in enumerate(order)]
        assert script(dict(enumerate(order)), here, wording) == [
            message(op, here.machine)
            for plan, i in numbered
            for op in operations(plan, i, here.machine, here.registers)
        ]
        assert pair_script([(plan, i, i + 3) for plan, i in numbered], here, wording) == [
            message(op, here.machine)
            for plan, i in numbered
            for op in pair_operations(plan, i, i + 3, here.machine, here.registers)
        ]
        assert calls_text(order, wording) == calls_text(order)


def test_another_plan_of_the_same_probe_is_worded_anew() -> None:
    wording, plan = Wording(), planned(NARROW)
    calls_text([plan], wording)
    other = CallPlan(plan.probe, PACKS, plan.assignment, planned(PACKS).slots, plan.turns)
    assert calls_text([other], wording) == calls_text([other]) != calls_text([plan], wording)


@pytest.mark.parametrize("function", [NARROW, PACKS])
def test_all_parameters_at_once_and_one_by_one_are_the_same_question(function: Prototype) -> None:
    plan = planned(function)
    for turn in plan.turns:
        good = bytearray(b"\xee" * plan.slots.size)
        for slot, view in zip(plan.slots.params, turn.views, strict=True):
            good[slot.offset : slot.offset + slot.size] = view.bits.to_bytes(slot.size, "little")
        for bit in range(8 * len(good)):
            bad = bytearray(good)
            bad[bit // 8] ^= 1 << bit % 8
            one_by_one = any(
                view.differs(bytes(bad[slot.offset : slot.offset + slot.size]))
                for slot, view in zip(plan.slots.params, turn.views, strict=True)
            )
            assert as_given(turn, bytes(bad)) is not one_by_one
        assert as_given(turn, bytes(good))
