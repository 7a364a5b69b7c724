"""The commands of a Makefile: the compiler under test, one that links its objects, and what runs them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.machines.targets import platform_of
from abiprobe.harness.subjects.find import at_level
from abiprobe.harness.triage.bundles.bundle import compiler, qemu
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.blame import Configuration


def commands(case: Case) -> dict[str, str]:
    """The first compiler of C, one to blame if there is one, another one, and the emulator if one is needed."""
    here = case.target.machine
    of_c = [one for one in (*case.deviating, *case.agreeing) if is_of_c(one)]
    if not of_c:
        raise Problem("no compiler of C was run on this", "name one with --cc")
    others = [one for one in (*case.agreeing, *of_c) if is_of_c(one) and one[0] != of_c[0][0]]
    return {
        "cc": command(case, of_c[0]),
        "other": command(case, others[0]) if others else "",
        "link": linking(case, of_c),
        "run": qemu(machine(here)) if here else "",
    }


def linking(case: Case, of_c: Sequence[Configuration]) -> str:
    """The first compiler with a library for the target: a gcc of the system, for one of our cache has none."""
    every = [command(case, asked) for asked in sorted(of_c, key=lambda one: family(one[0]) != "gcc")]
    return next((words for words in every if not words.startswith("/")), "")


def is_of_c(asked: Configuration) -> bool:
    """Return whether a subject compiles C, and is no library."""
    about = at_level(asked).subject.family
    return not about.language and "objects" in about.observers


def command(case: Case, asked: Configuration) -> str:
    """A compiler with its options; by its name where it is not installed."""
    try:
        found = compiler(case, asked)
    except Problem:
        options = platform_of(case.target).options.get(family(asked[0]), ())
        return shlex.join((asked[0], f"-{asked[1]}", *options))
    return f"{found.program} {found.flags}"
