"""On which clauses the blame falls when a compiler is made of a wrong model, and which clauses that model breaks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, filed, slots
from abiprobe.harness.machines.runtime.machine import X86_64
from abiprobe.harness.machines.runtime.x86 import WIDER
from abiprobe.harness.machines.workbench import described
from abiprobe.harness.observers.image.judging import judged_call
from abiprobe.harness.observers.image.plan import CallPlan, TooLargeError, plan_call
from abiprobe.harness.observers.objects.layouts import LayoutPlan, plan_layout
from abiprobe.harness.runs.golden import options_of, question
from abiprobe.oracles import golden
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.golden import REGISTERS, Row
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.model import AbiModel, RegisterConvention, Target
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.oracles.text.place import Assignment, Layout, Register, RegisterFile
from abiprobe.results.causes.fingerprint import fingerprints
from abiprobe.results.verdicts.judge import judge_layout
from abiprobe.results.verdicts.record import Verdict
from laboratory.dialects import made_anew
from laboratory.loading import targets
from laboratory.menu import Mutant
from laboratory.policy import located
from laboratory.simulated import Compiler

ELSEWHERE = frozenset({"vfabi", "ptx", "ptx_guide", "ptx_sass", "riscv_isa"})
"""Sheets of targets whose calls are judged in ways of their own."""
CITED = re.compile(r"\[(\w+:[\w.-]+)\]")
NO_CONVENTION = RegisterConvention((), "", 8, "")


@dataclass(frozen=True)
class Asked:
    """A golden vector about bytes: the right plan, and what its programs would run on."""

    row: Row
    plan: CallPlan | LayoutPlan
    machine: Machine
    registers: RegisterConvention


@dataclass(frozen=True)
class Blame:
    """The clauses on which the blame falls for one question, the first cause first."""

    target: str
    question: str
    clauses: tuple[str, ...]
    words: tuple[str, ...]


@cache
def asked(families: tuple[str, ...]) -> tuple[Asked, ...]:
    """The golden vectors of targets whose names begin with one of `families`, as far as the text answers them."""
    rows = [row for row in golden.rows() if row.source != REGISTERS and row.target.startswith(families)]
    return tuple(
        one
        for row in rows
        if TARGETS[row.target.partition("@")[0]].sheet not in ELSEWHERE
        for one in planned(row)
    )


def model_of(found: Mapping[str, Target], row: Row) -> AbiModel:
    """The model that a row is put to."""
    return made_anew(found, row.target, options_of(row))


def planned(row: Row) -> Iterator[Asked]:
    """The plan of a row, if there is one."""
    model, about = model_of(TARGETS, row), question(row)
    try:
        if isinstance(about, Record):
            plan = plan_layout(model.types, probe(about).id, about)
            yield Asked(row, plan, X86_64, NO_CONVENTION)
            return
        answer = model.assign(about)
        if isinstance(answer, Assignment):
            call = plan_call(model.types, probe(about).id, model.declared(about), answer)
            yield Asked(row, call, *run_on(row.target, call))
    except (TooLargeError, SilentError, AbsentError):
        return


def run_on(target: str, plan: CallPlan) -> tuple[Machine, RegisterConvention]:
    """The machine of a target; where nothing runs its programs, one with all registers that models name."""
    about = find_target(target)
    if not about.machine:
        return IMAGINED, about.registers or NO_CONVENTION
    machine, registers = described(about)
    if registers_in(plan.assignment) <= set(machine.registers):
        return machine, registers
    return WIDER[machine.full_name][-1], registers


def registers_in(assignment: Assignment) -> set[str]:
    """The registers of a call."""
    values = (
        *assignment.params,
        *(() if assignment.result is None else (assignment.result,)),
        *assignment.hidden,
    )
    return {piece.place.name for one in values for piece in one.pieces if isinstance(piece.place, Register)}


IMAGINED_GENERAL, IMAGINED_FLOATING = (
    " ".join(f"{prefix}{number}" for prefix in prefixes for number in range(32))
    for prefixes in (("a", "m", "r", "s", "t"), ("fa", "fs", "ft"))
)
IMAGINED = replace(
    X86_64,
    name="imagined",
    pointer=4,
    return_address=0,
    sp="sp",
    state_bytes=16 * 258,
    registers=MappingProxyType(slots(f"{IMAGINED_GENERAL} {IMAGINED_FLOATING} sp ra", 0, 16, 16)),
    files=filed(
        (RegisterFile.GENERAL, f"{IMAGINED_GENERAL} sp ra"), (RegisterFile.FLOATING, IMAGINED_FLOATING)
    ),
    initial=bytes(16 * 258),
    steady=frozenset({"sp"}),
)


def blamed(packages: Sequence[str], mutant: Mutant, put: Sequence[Asked]) -> tuple[Blame, ...]:
    """Where the blame falls of each question that a liar answers otherwise; for a process of its own."""
    found = targets(packages, mutant)
    return tuple(
        one for each in put if each.row.target.partition("@")[0] in found for one in blame(found, each)
    )


def blame(
    found: Mapping[str, Target], each: Asked, registers: RegisterConvention | None = None
) -> Iterator[Blame]:
    """Where the blame falls if a liar follows the models of `found`, and keeps what `registers` say if they are given."""
    try:
        model = model_of(found, each.row)
        verdicts = (
            of_layout(each.plan, model)
            if isinstance(each.plan, LayoutPlan)
            else of_call(each, found, model, registers)
        )
    except Exception:  # noqa: BLE001 - a wrong model may raise anything
        return
    yield from blames(each, verdicts)


def of_layout(plan: LayoutPlan, model: AbiModel) -> tuple[Verdict, ...]:
    """The verdict on a record that a liar lays out as a wrong model says."""
    return of_own_layout(plan, plan_layout(model.types, plan.probe, plan.record).predicted)


def of_own_layout(plan: LayoutPlan, own: Layout) -> tuple[Verdict, ...]:
    """The verdict on a record that a liar lays out in a way of its own."""
    places = {one.path: (one.bit_offset, one.bit_width) for one in own.members}
    return (judge_layout(plan.probe, plan.predicted, own.size, own.align, places),)


def of_call(
    each: Asked, found: Mapping[str, Target], model: AbiModel, kept: RegisterConvention | None
) -> tuple[Verdict, ...]:
    """The verdicts on a call that a liar makes and takes as a wrong model says, keeping what it says or what is `kept`."""
    plan = each.plan
    assert isinstance(plan, CallPlan)
    asked_of = question(each.row)
    assert isinstance(asked_of, Prototype)
    own = model.assign(asked_of)
    base = each.row.target.partition("@")[0]
    registers = kept or found[base].registers or NO_CONVENTION
    if not isinstance(own, Assignment) or (own == plan.assignment and registers == each.registers):
        return ()
    if [one.size for one in own.params] != [one.size for one in plan.assignment.params]:
        return ()
    return of_own_call(each, own, registers)


def of_own_call(each: Asked, own: Assignment, registers: RegisterConvention) -> tuple[Verdict, ...]:
    """The verdicts on a call that a liar makes and takes in a way of its own."""
    assert isinstance(each.plan, CallPlan)
    compiler = Compiler(each.machine, model_of(TARGETS, each.row).types, registers)
    seen = compiler.observed(each.plan, own, each.registers)
    return judged_call(each.plan, seen, each.machine.files)


def blame_of_answer(each: Asked, own: Assignment | Layout) -> Iterator[Blame]:
    """Where the blame falls if a liar has an answer of its own to a question."""
    if isinstance(own, Layout):
        assert isinstance(each.plan, LayoutPlan)
        verdicts = of_own_layout(each.plan, own)
    else:
        verdicts = of_own_call(each, own, each.registers)
    yield from blames(each, verdicts)


def blames(each: Asked, verdicts: tuple[Verdict, ...]) -> Iterator[Blame]:
    """The blame that verdicts on a question lay, if any."""
    causes = fingerprints(each.row.target, verdicts)
    if causes:
        said = tuple(one.detail for one in verdicts if one.detail)
        yield Blame(
            each.row.target, each.row.source.split("\n")[-1], tuple(one.clause for one in causes), said
        )


def broken_by(mutant: Mutant) -> frozenset[str]:
    """The clauses of the place at which a wrong model is changed: of the branch, or else of the function."""
    tree = ast.parse(mutant.original)
    node = list(located(tree, ""))[mutant.place][1]
    lines = mutant.original.splitlines()
    line = getattr(node, "lineno", 0)
    owner = next(
        (
            one
            for one in sorted(
                (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)),
                key=lambda one: -one.lineno,
            )
            if one.lineno <= line <= (one.end_lineno or 0)
        ),
        None,
    )
    if owner is None:
        return frozenset()
    for number in range(line - 1, owner.lineno - 1, -1):
        told = CITED.findall(lines[number - 1]) if lines[number - 1].lstrip().startswith("#") else []
        if told:
            return frozenset(told)
    return frozenset(implemented(owner))


def implemented(function: ast.FunctionDef) -> Iterator[str]:
    """What the decorator of a function names, without the sheet."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("implements"):
            yield from (
                one.value
                for one in decorator.args
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )
