"""Callees that spoil what they should keep, and one that changes what it may.

A wrong model that claims less than the right one is told by no honest compiler: it misses a lie. So each register that a
target preserves is spoilt by a callee of its own, and what is forbidden is done. A lie is a statement before the callee's return.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abiprobe.harness.machines.executors.replay import observe
from abiprobe.harness.machines.runtime.build import TABLE
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.attempt import Attempt, Failed, compiled
from abiprobe.harness.observers.image.judging import judged_call
from abiprobe.harness.observers.image.observe import linked, seen_calls
from abiprobe.harness.observers.image.operations import operations
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.units import calls_text
from abiprobe.harness.observers.prediction import prepare
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.model import AbiModel, RegisterConvention
from abiprobe.results.verdicts.record import Judgement

ASKED = Prototype("lie", Scalar(Kind.INT), (Param("a", Scalar(Kind.LONG)),))
VARIADIC = Prototype(
    "uncounted", None, (Param("a", Scalar(Kind.LONG)),), variadic=True, unnamed=(Scalar(Kind.LONG),)
)
FRAME = frozenset({"rbp", "ebp", "s0", "sp", "gp", "tp", "ra"})
"""Registers that an unoptimised callee needs itself until it returns."""
RETURN = re.compile(r"^  return ", re.MULTILINE)


def asm(*lines: str, operands: str = "") -> str:
    """A statement of assembly."""
    text = r"\n\t".join(lines)
    return f'__asm__ volatile("{text}"{operands});'


def changing(kind: str, store: str, change: str, load: str) -> str:
    """A statement that changes a control word in memory and loads it again."""
    said = asm(f"{store} %0", f"{change}, %0", f"{load} %0", operands=' : "+m"(word)')
    return f"{{ {kind} word; {said} }}"


X86: Mapping[str, str] = {
    "direction flag": asm("stc", "std"),
    "MMX": asm("movd %eax, %mm0"),
    "x87 stack": asm("fld1"),
    # Above the argument, and above the parameter area by Microsoft's convention.
    "frame of the caller": "((volatile unsigned long *)__builtin_dwarf_cfa())[4] = 0;",
    "status of MXCSR": changing("unsigned", "stmxcsr", "xorl $63", "ldmxcsr"),
    "control of MXCSR": changing("unsigned", "stmxcsr", "xorl $0x8000", "ldmxcsr"),
    "control word of x87": changing("unsigned short", "fnstcw", "xorw $0x400", "fldcw"),
}


def statements(machine: str, registers: RegisterConvention) -> Iterator[tuple[str, str]]:
    """The lies of a machine, by name."""
    kept = [one.register for one in registers.preserved if one.register not in FRAME]
    if machine.startswith("riscv"):
        for name in kept:
            yield name, asm(f"fmv.w.x {name}, zero" if name.startswith("f") else f"li {name}, 7")
        yield "fs2 where it may change", asm("fmv.w.x fs2, zero")
        yield "what is above a float in fs3", asm("fmv.x.w t0, fs3", "fmv.w.x fs3, t0")
        return
    yield from X86.items()
    for name in kept:
        if re.fullmatch(r"[er][a-z]{2}|r\d+", name):
            yield name, asm(f"mov $7, %{name}")


def uncounted(model: AbiModel) -> list[tuple[Sequence[CallPlan], str | None]]:
    """A call of a variadic function whose caller takes it for one that is not, so that it tells no number of vector registers."""
    plans = [plan for plan in prepare(model, (probe(VARIADIC),)).plans if isinstance(plan, CallPlan)]
    return [(plans, calls_text(plans).replace("(long, ...)", "(long, long)"))] if plans else []


@dataclass(frozen=True)
class Lie:
    """A program with one lie, by its name: the image answers about `plan`, and the right model notices or does not."""

    name: str
    plan: CallPlan
    path: Path
    noticed: bool


def lies(attempt: Attempt, model: AbiModel) -> Iterator[Lie]:
    """The lies of a target's machine, as far as the compiler takes them."""
    bench = attempt.bench
    assert bench is not None, "calls of the target are run"
    plans = [plan for plan in prepare(model, (probe(ASKED),)).plans if isinstance(plan, CallPlan)]
    for name, statement in statements(bench.machine.name, bench.registers):
        text = RETURN.sub(lambda _: f"  {statement}\n  return ", calls_text(plans))  # noqa: B023 - used at once
        unit = compiled(attempt, text, len(plans))
        image = unit if isinstance(unit, Failed) else linked(attempt, TABLE, unit)
        if isinstance(image, Path):
            yield Lie(name, plans[0], image, notices(bench, plans[0], image, bench.registers))


def notices(bench: Bench, plan: CallPlan, image: Path, registers: RegisterConvention) -> bool:
    """Return whether a probe deviates when registers stand as a convention says."""
    ops = list(operations(plan, 0, bench.machine, registers))
    limits = Limits()
    answers = observe(
        bench.executor, image, ops, bench.machine, timeout=limits.seconds(1), memory=limits.memory
    )
    (seen,) = seen_calls([plan], answers, bench.machine, registers)
    return any(one.verdict is Judgement.DEVIATES for one in judged_call(plan, seen, bench.machine.files))
