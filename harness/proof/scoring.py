"""Every wrong model of an ABI package on trial, each in a process of its own, and the score."""

from __future__ import annotations

import importlib.util
import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from abiprobe.generators.pool import PoolKind, draw
from abiprobe.harness import tours
from abiprobe.harness.proof.menu import Mutant, mutants
from abiprobe.harness.proof.recording import Recording, record
from abiprobe.harness.proof.trial import Fate, Outcome, trial
from abiprobe.oracles.question import Question

SECONDS = 60.0
"""A wrong model that has not come to an end by then is hung: it is broken."""
FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Family:
    """A package of models under trial: the modules with policies, those that place arguments, and who was recorded."""

    package: str
    modules: tuple[str, ...]
    placing: tuple[str, ...]
    recorded: tuple[tuple[str, str], ...]


RISCV, X86, I386, MS = (f"abiprobe.oracles.{name}" for name in ("riscv", "x86", "x86.i386", "x86.ms"))
ENGINE = "abiprobe.oracles.engine"
FAMILIES = {
    "riscv": Family(
        RISCV,
        ("convention", "data", "calls", "integer", "hardware_float"),
        ("convention", "calls", "integer", "hardware_float"),
        (
            ("riscv64-lp64d", "clang-22"),
            ("riscv64-lp64d", "gcc-12"),
            ("riscv32-ilp32d", "clang-22"),
            ("riscv32-ilp32e", "clang-22"),
            ("riscv64-lp64f", "clang-22"),
        ),
    ),
    "x86_64": Family(
        X86,
        ("data", "calls", "classify"),
        ("calls", "classify"),
        (("x86_64-sysv", "gcc-12"), ("x86_64-sysv", "clang-22")),
    ),
    "i386": Family(
        X86,
        ("i386.data", "i386.calls", "i386.convention", "i386.results", "i386.stack"),
        ("i386.calls", "i386.convention", "i386.results", "i386.stack"),
        (("i386-sysv", "gcc-12"), ("i386-sysv", "clang-22")),
    ),
    "ms": Family(
        X86, ("ms.calls", "ms"), ("ms.calls",), (("x86_64-ms", "gcc-12"), ("x86_64-ms", "clang-22"))
    ),
    "engine": Family(
        X86,
        tuple(
            f"{ENGINE}.{name}"
            for name in ("records", "sysv_bits", "ms_bits", "attributes", "types", "cursor")
        ),
        (f"{ENGINE}.cursor",),
        (("x86_64-sysv", "gcc-12"), ("i386-sysv", "gcc-12"), ("x86_64-sysv", "clang-22")),
    ),
}


@dataclass(frozen=True)
class Tried:
    """One mutant and what became of it."""

    mutant: Mutant
    outcome: Outcome


def recordings(family: Family, cases: int, seed: int, folder: Path) -> list[Recording]:
    """What the subjects of a family made of tours and of random questions."""
    found = []
    for number, (target, subject) in enumerate(family.recorded):
        prototypes = draw(seed=seed, kind=PoolKind.PROTOTYPES, start=0, count=cases)
        records = draw(seed=seed, kind=PoolKind.RECORDS, start=0, count=2 * cases)
        asked: tuple[Question, ...] = (*tours.questions(target), *prototypes, *records)
        found.append(record(target, subject, "O0", tuple(dict.fromkeys(asked)), folder / str(number)))
    return found


def wrong_models(family: Family) -> Iterator[Mutant]:
    """Every mutant of a family's modules."""
    for name in family.modules:
        module = name if name.startswith("abiprobe.") else f"{family.package}.{name}"
        spec = importlib.util.find_spec(module)
        assert spec is not None
        assert spec.origin is not None
        yield from mutants(module, Path(spec.origin).read_text("utf-8"))


def tried(family: Family, found: list[Recording], chosen: Sequence[Mutant], jobs: int) -> Iterator[Tried]:
    """Every mutant on trial, at most `jobs` at a time."""
    waiting = list(reversed(chosen))
    running: dict[Connection, tuple[Mutant, multiprocessing.context.ForkProcess, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=_try, args=(theirs, family.package, mutant, found), daemon=True)
            process.start()
            theirs.close()
            running[ours] = (mutant, process, time.monotonic() + SECONDS)
        for ready in wait(list(running), timeout=1.0):
            assert isinstance(ready, Connection)
            mutant, process, _ = running.pop(ready)
            try:
                yield Tried(mutant, ready.recv())
            except EOFError:
                yield Tried(mutant, Outcome(Fate.BROKEN, "died"))
            process.join()
        for connection, (mutant, process, end) in list(running.items()):
            if time.monotonic() > end:
                process.kill()
                process.join()
                del running[connection]
                yield Tried(mutant, Outcome(Fate.BROKEN, "hung"))


def _try(answer: Connection, package: str, mutant: Mutant, found: list[Recording]) -> None:
    answer.send(trial(package, mutant, found))
    answer.close()


def score(name: str, cases: int, seed: int, jobs: int) -> tuple[list[Recording], list[Tried]]:
    """All trials of one family, by its name."""
    family = FAMILIES[name]
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        found = recordings(family, cases, seed, Path(folder))
        return found, list(tried(family, found, list(wrong_models(family)), jobs))
