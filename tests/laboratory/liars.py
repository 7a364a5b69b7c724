"""For each clause of a sheet a liar that breaks it: a compiler made of the model with one change where the clause is followed.

The change is sought near the places of the source that name the clause, and among the golden vectors that rest on it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from itertools import islice, zip_longest
from pathlib import Path

from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.oracles.golden import REGISTERS, rows
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.registry import TARGETS
from abiprobe.oracles.text.clause import Clause, sheets
from abiprobe.oracles.text.place import Assignment, Layout
from abiprobe.results.coverage.decided import cited_clauses
from laboratory.blaming import Asked, Blame, blame, blame_of_answer, model_of, planned
from laboratory.forking import forked
from laboratory.loading import Finder, targets
from laboratory.menu import Mutant, mutants
from laboratory.mistakes import mistakes
from laboratory.policy import located

ABIS = "abiprobe.oracles.abis"
ENGINE = "abiprobe.oracles.engine"
PACKAGES: Mapping[str, tuple[str, ...]] = {
    "riscv": (f"{ABIS}.riscv",),
    "x86_64": (f"{ABIS}.x86",),
    "i386": (f"{ABIS}.x86",),
    "ms": (f"{ABIS}.x86",),
    "windows": (f"{ABIS}.x86",),
    "gnu": (f"{ABIS}.x86", f"{ABIS}.riscv"),
    "aapcs64": (f"{ABIS}.aarch64",),
    "darwin": (f"{ABIS}.aarch64",),
    "windows_arm64": (f"{ABIS}.aarch64",),
    "aapcs32": (f"{ABIS}.arm",),
    "lzsabi": (f"{ABIS}.s390x",),
    "lapcs": (f"{ABIS}.loongarch",),
    "elfv1": (f"{ABIS}.powerpc",),
    "elfv2": (f"{ABIS}.powerpc",),
    "ppc32": (f"{ABIS}.powerpc",),
    "hexagon": (f"{ABIS}.hexagon",),
    "m68k": (f"{ABIS}.m68k",),
    "scd": (f"{ABIS}.sparc",),
    "sparc32": (f"{ABIS}.sparc",),
    "xtensa": (f"{ABIS}.xtensa",),
    "ipu": (f"{ABIS}.ipu",),
    "dpu": (f"{ABIS}.dpu",),
    "wasm": (f"{ABIS}.wasm",),
}
"""The packages whose models follow a sheet, of the sheets whose answers a simulated compiler can give."""
SHARED_MODULES = (
    "attributes",
    "types",
    "records",
    "sysv_bits",
    "ms_bits",
    "gcc_places",
    "windows_records",
    "flatten",
    "travelling",
    "cursor",
    "leaves",
)
"""Modules of the machinery that all models share in which clauses are followed for them."""
TRIES, QUESTIONS = 48, 8
"""So many changes are tried for a clause, each on so many golden vectors."""


TABLE = Path(__file__).with_name("liars.tsv")
CANNOT, MISSING = "cannot", "missing"


@dataclass(frozen=True)
class Liar:
    """A compiler that breaks `clause`, by a wrong model, and the golden vector for which the blame falls on it."""

    clause: str
    mutant: str
    target: str
    question: str

    @property
    def row(self) -> str:
        """The line of the table."""
        return f"{self.clause}\t{self.mutant}\t{self.target}\t{self.question}"


def table() -> Iterator[tuple[str, ...]]:
    """The cells of every row of the table of liars: clause, mistake, target and question; or clause, `cannot`, and why."""
    for line in TABLE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield tuple(line.split("\t"))


@cache
def plans(sheet: str) -> tuple[tuple[Asked, frozenset[str]], ...]:
    """The golden vectors that the models of a sheet are put to, each with the clauses that it rests on."""
    names = {
        target.name for target in TARGETS.values() if target.sheet == sheet or sheet in {"gnu", target.name}
    }
    if sheet == "gnu":
        names = {"x86_64-sysv", "i386-sysv", "riscv64-lp64d"}
    mine = [row for row in rows() if row.source != REGISTERS and row.target.partition("@")[0] in names]
    mine.sort(key=lambda row: len(row.source.split("\n")[-1]))
    return tuple((one, rests_on(one)) for row in mine for one in planned(row))


def rests_on(one: Asked) -> frozenset[str]:
    """The clauses that a golden vector, or what is kept over its call, rests on."""
    kept = one.registers
    frame = (*cited_clauses(kept), kept.stack_pointer, kept.stack_alignment) if kept.stack_pointer else ()
    return frozenset((*cited_clauses(one.plan), *behind(one.plan), *frame))


def behind(plan: CallPlan | LayoutPlan) -> Iterator[str]:
    """The clauses of what cannot be asked for and may move what is behind it."""
    if isinstance(plan, LayoutPlan):
        yield from (one.behind for one in plan.predicted.members if one.behind)


@cache
def sources(packages: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The modules of packages, and of the machinery that they share, with their sources."""
    found = []
    for package in packages:
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        folder = Path(spec.origin).parent
        for path in sorted(folder.rglob("*.py")):
            inner = ".".join(path.relative_to(folder).with_suffix("").parts)
            if not inner.endswith("__init__"):
                found.append((f"{package}.{inner}", path.read_text("utf-8")))
    for name in SHARED_MODULES:
        spec = find_spec(f"{ENGINE}.{name}")
        assert spec is not None
        assert spec.origin is not None
        found.append((f"{ENGINE}.{name}", Path(spec.origin).read_text("utf-8")))
    return tuple(found)


def fields_of(packages: tuple[str, ...], clause: Clause) -> tuple[str, ...]:
    """The fields of tables of clauses in which a model lends a clause to the machinery that all share."""
    named = re.compile(
        rf'^    (\w+)=(?:\w+\.)?cite\("{re.escape(clause.id.partition(":")[2])}"\)', re.MULTILINE
    )
    return tuple(found for _, source in sources(packages) for found in named.findall(source))


def mentions(source: str, clause: Clause, fields: Sequence[str] = ()) -> list[int]:
    """The lines of a module that name a clause, or use the constant or one of the `fields` that stand for it."""
    name = clause.id.partition(":")[2]
    named = re.compile(rf'"{re.escape(name)}"|\[{re.escape(clause.id)}\]')
    lines = source.splitlines()
    found = [number for number, line in enumerate(lines, 1) if named.search(line)]
    constants = {
        match[1]
        for number in found
        if (match := re.match(r"\s*(?:\w+\.)?(\w+)\s*(?:=|:)", lines[number - 1]))
        and "cite" in lines[number - 1]
    } | set(fields)
    used = [
        number
        for number, line in enumerate(lines, 1)
        if any(re.search(rf"\b{constant}\b", line) for constant in constants)
    ]
    return sorted({*found, *used})


@cache
def menu(module: str, source: str) -> tuple[tuple[int, Mutant], ...]:
    """Every wrong model of a module, with its line."""
    nodes = list(located(ast.parse(source), ""))
    return tuple((getattr(nodes[one.place][1], "lineno", 0), one) for one in mutants(module, source))


def candidates(packages: tuple[str, ...], clause: Clause) -> Iterator[Mutant]:
    """The wrong models next to where a clause is named, the nearest of each module first."""
    lent = fields_of(packages, clause)
    nearest: list[list[Mutant]] = []
    for module, source in sources(packages):
        at = mentions(source, clause, lent if module.startswith(f"{ENGINE}.") else ())
        if at:
            mine = [
                (min(abs(line - number) for number in at), mutant) for line, mutant in menu(module, source)
            ]
            nearest.append([mutant for _, mutant in sorted(mine, key=lambda item: item[0])])
    return (one for turn in zip_longest(*nearest) for one in turn if one is not None)


def liar(sheet: str, clause: Clause) -> Liar | str:
    """A liar on whom the blame falls exactly, or the clauses that were blamed instead."""
    resting = [one for one, clauses in plans(sheet) if clause.id in clauses]
    asked = sorted(resting, key=lambda one: clause.id not in one.row.clauses)[:QUESTIONS]
    if not asked:
        return "no byte of a golden vector rests on it"
    for each in asked:
        for registers in careless(each.registers, clause.id):
            for one in blame(TARGETS, each, registers):
                if one.clauses[0] == clause.id:
                    return Liar(clause.id, REGISTERS, one.target, one.question)
    instead: dict[str, str] = {}
    tried = tuple(islice(candidates(PACKAGES[sheet], clause), TRIES))
    # A wrong model leaves wrong modules behind, which the next one would be made of.
    for mutant, found in forked(lambda one: tuple(lies(PACKAGES[sheet], one, asked)), tried, 1):
        for target, text, clauses in () if isinstance(found, str) else found:
            if clauses[0] == clause.id:
                return Liar(clause.id, mutant.name, target, text)
            instead.setdefault(clauses[0], mutant.name)
    for each in resting:
        for name, own in mistakes(each.plan, model_of(TARGETS, each.row), clause.id):
            for one in answered(each, own):
                if one.clauses[0] == clause.id:
                    return Liar(clause.id, name, one.target, one.question)
                instead.setdefault(one.clauses[0], name)
    return "blamed: " + "; ".join(f"{name} for {mutant}" for name, mutant in list(instead.items())[:3])


def blamed_clauses(sheet: str, found: Liar) -> set[str]:
    """The first clauses that are blamed for a liar of the table; for a process of its own."""
    alike = [
        one
        for one, _ in plans(sheet)
        if (one.row.target, one.row.source.split("\n")[-1]) == (found.target, found.question)
    ]
    # With the options of a compiler another clause may decide.
    asked = [one for one in alike if not one.row.options] or alike
    for each in asked:
        if found.mutant == REGISTERS:
            told = [
                one for kept in careless(each.registers, found.clause) for one in blame(TARGETS, each, kept)
            ]
        else:
            wrong = mistakes(each.plan, model_of(TARGETS, each.row), found.clause)
            told = [one for name, own in wrong if name == found.mutant for one in answered(each, own)]
        if told:
            return {one.clauses[0] for one in told}
    mutant = next(one for one in every_mutant(sheet) if one.name == found.mutant)
    return {clauses[0] for _, _, clauses in lies(PACKAGES[sheet], mutant, asked)}


def every_mutant(sheet: str) -> Iterator[Mutant]:
    """Every wrong model of the packages that follow a sheet."""
    return (one for module, source in sources(PACKAGES[sheet]) for _, one in menu(module, source))


def answered(each: Asked, own: Assignment | Layout) -> tuple[Blame, ...]:
    """Where the blame falls if a liar has an answer of its own; nowhere if no machine has the registers of that."""
    try:
        return tuple(blame_of_answer(each, own))
    except KeyError:
        return ()


def careless(kept: RegisterConvention, clause: str) -> Iterator[RegisterConvention]:
    """What a compiler keeps that does not know a clause about registers or the stack."""
    preserved = tuple(one for one in kept.preserved if one.clause != clause)
    if preserved != kept.preserved:
        yield replace(kept, preserved=preserved)
    if kept.other is not None:
        others = tuple(one for one in kept.other.preserved if one.clause != clause)
        if others != kept.other.preserved:
            yield replace(kept, other=replace(kept.other, preserved=others))
    forbidden = tuple(one for one in kept.forbidden if one.clause != clause)
    if forbidden != kept.forbidden:
        yield replace(kept, forbidden=forbidden)
    frame = kept.caller_frame
    if frame is not None and clause in frame.clauses:
        own = "" if clause == frame.clause else frame.clause
        words = tuple(one for one in frame.words if one.clause != clause)
        yield replace(kept, caller_frame=replace(frame, clause=own, words=words))
    stack = kept.stack_of_registers
    if stack is not None and clause == stack.clause:
        yield replace(kept, stack_of_registers=replace(stack, clause=""))
    if stack is not None and clause == stack.alias_clause:
        yield replace(kept, stack_of_registers=replace(stack, alias_clause=""))
    if clause == kept.stack_alignment:
        yield replace(kept, stack_align=kept.stack_align // 2)


def lies(
    packages: Sequence[str], mutant: Mutant, asked: Sequence[Asked]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Where the blame falls of each question that a liar answers otherwise: target, question, and clauses."""
    before = list(sys.meta_path)
    try:
        found = targets(packages, mutant)
    except Exception:  # noqa: BLE001 - a wrong source may raise anything
        return
    finally:
        sys.meta_path[:] = [one for one in before if not isinstance(one, Finder)]
    for each in asked:
        if each.row.target.partition("@")[0] in found:
            for one in blame(found, each):
                yield one.target, one.question, one.clauses


def main(names: Sequence[str]) -> None:
    """Print the table of some sheets, or of single clauses; those without a liar with what was blamed instead."""
    for sheet in sheets():
        if sheet.name in PACKAGES:
            for clause in sheet.clauses.values():
                if not clause.excuse and {sheet.name, clause.id} & set(names):
                    found = liar(sheet.name, clause)
                    line = found.row if isinstance(found, Liar) else f"# {clause.id}\t{found}"
                    sys.stdout.write(f"{line}\n")
                    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
