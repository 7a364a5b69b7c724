"""`abiprobe unwind`: the unwind tables of compilers, at every instruction of functions drawn for their frames."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import duration, level_names, run_targets, whole_number, workers
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.known_ways import Found, expect_empty
from abiprobe.harness.cli.commands.unwind_report import FORM, Row
from abiprobe.harness.subjects.find import command, discover, version_failure
from abiprobe.harness.subjects.selection import named_subjects, select_subjects
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.unwind import instructions
from abiprobe.harness.unwind.causes import Kind, Member, members
from abiprobe.harness.unwind.known import SEARCH
from abiprobe.harness.unwind.sorting import result
from abiprobe.harness.unwind.sweep import Way, bench, drawn, sweep
from abiprobe.harness.unwind.timeline import timeline
from abiprobe.oracles.model import Target
from abiprobe.results.known.ways import Entry

FAMILIES = ("gcc", "clang")
"""Compilers that are tested where none is named: the newest of each."""
ABLE = (*FAMILIES, "zig")


class Asked(msgspec.Struct, frozen=True):
    """The options of a test of tables or debug information as values: `named` compilers, and those `chosen` for each target."""

    named: tuple[Subject, ...]
    chosen: Mapping[Target, Sequence[Subject]]
    levels: Sequence[str]
    count: int
    start: int
    seconds: float
    jobs: str | None
    out: Path | None

    @classmethod
    def of(cls, options: Mapping[str, Any], expect_able: Callable[[Target], object]) -> Asked:
        """Read the options by name; raises `Problem` for one that says nothing, and `expect_able` for a target that cannot be tested."""
        targets = run_targets(options["places"])
        for target in targets:
            expect_able(target)
        named = tuple(named_subjects(options["subjects"])) if options["subjects"] else ()
        chosen = select_subjects(named or by_default(targets), targets)
        expect_working(chosen)
        count, start = (
            whole_number(options["cases"], "--cases", 1),
            whole_number(options["seed"], "--seed", 0),
        )
        seconds, levels = duration(options["budget"]), level_names(options["levels"])
        expect_empty(options["out"])
        return cls(named, chosen, levels, count, start, seconds, options["jobs"], options["out"])


def unwind(options: Mapping[str, Any], form: str, known: Sequence[Entry], *, strict: bool) -> int:
    """Step functions; 1 when a row is wrong in a way that is not known, 3 when not all functions could be compared, 4 when a compiler crashed."""
    if not instructions.is_installed():
        raise Problem("the disassembler is not installed", instructions.INSTALL)
    asked = Asked.of(options, lambda target: bench(target.name))
    began = time.monotonic()
    rows = absent(asked.chosen, asked.named, asked.count)
    wrong: list[tuple[Way, list[tuple[Kind, Member]]]] = []
    for share, answer in sweep(
        asked.chosen, asked.levels, drawn(asked.start, asked.count), workers(asked.jobs)
    ):
        name = share.way.target, share.way.subject.spelling
        rows.setdefault(name, Row(*name)).add(share, answer)
        wrong.append((share.way, list(members(share, answer))))
    sorted_out = result(wrong, known, asked.seconds, SEARCH)
    if options["bisect"]:
        dated = (msgspec.structs.replace(one, versions=timeline(one)) for one in sorted_out.causes)
        sorted_out = msgspec.structs.replace(sorted_out, causes=tuple(dated))
    found = Found(asked.start, asked.count, tuple(rows.values()), sorted_out, time.monotonic() - began)
    return found.finish(FORM, asked.out, form, strict=strict)


def by_default(targets: Sequence[Target]) -> tuple[Subject, ...]:
    """The newest compiler of each family that is installed for one of some targets."""
    newest: dict[str, Subject] = {}
    for subject in discover(tuple(targets)):
        newest.setdefault(subject.family.name, subject)
    return tuple(newest[name] for name in FAMILIES if name in newest)


def absent(
    chosen: Mapping[Target, Sequence[Subject]], named: Sequence[Subject], count: int
) -> dict[tuple[str, str], Row]:
    """Rows of compilers that were named and are not installed for a target."""
    found: dict[tuple[str, str], Row] = {}
    for target, some in chosen.items():
        for subject in named:
            if subject not in some:
                name = target.name, subject.spelling
                found[name] = Row(*name, failures={"it is not installed for it": count})
    return found


def expect_working(chosen: Mapping[Target, Sequence[Subject]]) -> None:
    """Raise `Problem` for a compiler that does not tell its version, or takes other options than gcc."""
    for target, some in chosen.items():
        for subject in some:
            if subject.family.name not in ABLE:
                raise Problem(f"{subject} has no options for unwind tables", f"these have: {', '.join(ABLE)}")
            words = command(subject, target)
            if words is not None and (why := version_failure(words)):
                raise Problem(f"{subject} does not tell its version: {why}", "see: abiprobe list toolchains")
