"""Every wrong model of an ABI package on trial, each in a process of its own, and the score."""

from __future__ import annotations

import importlib.util
import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path

from abiprobe.generators import simd
from abiprobe.generators.pool import PoolKind, draw
from abiprobe.harness import tours
from abiprobe.harness.proof.confirmed import confirm
from abiprobe.harness.proof.families import FAMILIES, Family
from abiprobe.harness.proof.fate import Fate, Outcome
from abiprobe.harness.proof.menu import Mutant, mutants
from abiprobe.harness.proof.recording import record
from abiprobe.harness.proof.trial import Evidence, trial
from abiprobe.harness.toolchains.find import installed, parse_subject
from abiprobe.oracles.question import Question
from abiprobe.oracles.registry import find_target

SECONDS = 60.0
"""A wrong model that has not come to an end by then is hung: it is broken."""
LEVEL = "O0"
FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Tried:
    """One mutant and what became of it."""

    mutant: Mutant
    outcome: Outcome


def evidence(family: Family, cases: int, seed: int, folder: Path) -> Evidence:
    """What golden vectors say, and what the subjects of a family that are installed made of tours and random questions."""
    recorded = tuple(
        record(target, subject, LEVEL, questions(target, cases, seed), folder / str(number))
        for number, (target, subject) in enumerate(here(family.recorded))
    )
    read = tuple(
        confirm(target, subject, LEVEL, questions(target, cases, seed))
        for target, subject in here(family.read)
    )
    return Evidence(family.facts(), recorded, read)


def here(wanted: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Targets with subjects that are installed for them; those of golden vectors may do without."""
    return [(target, name) for target, name in wanted if installed(parse_subject(name), (target,))]


def questions(target: str, cases: int, seed: int) -> tuple[Question, ...]:
    """The tour of a target, the corpus of what is rare, and random questions of every sort that the target is asked."""
    if find_target(target)[0].vectors:
        return tuple(islice(simd.stream(seed=seed), 2 * cases))
    found: list[Question] = [*tours.questions(target.partition("@")[0])]
    found += draw(seed=seed, kind=PoolKind.PROTOTYPES, start=0, count=cases)
    found += draw(seed=seed, kind=PoolKind.RECORDS, start=0, count=2 * cases)
    return tuple(dict.fromkeys(found))


def wrong_models(family: Family) -> Iterator[Mutant]:
    """Every mutant of a family's modules."""
    for name in family.modules:
        module = family.module(name)
        spec = importlib.util.find_spec(module)
        assert spec is not None
        assert spec.origin is not None
        yield from mutants(module, Path(spec.origin).read_text("utf-8"))


def tried(family: Family, found: Evidence, chosen: Sequence[Mutant], jobs: int) -> Iterator[Tried]:
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


def _try(answer: Connection, package: str, mutant: Mutant, found: Evidence) -> None:
    answer.send(trial(package, mutant, found))
    answer.close()


def score(name: str, cases: int, seed: int, jobs: int) -> tuple[Evidence, list[Tried]]:
    """All trials of one family, by its name."""
    family = FAMILIES[name]
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        found = evidence(family, cases, seed, Path(folder))
        return found, list(tried(family, found, list(wrong_models(family)), jobs))
