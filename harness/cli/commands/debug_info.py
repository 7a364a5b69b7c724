"""`abiprobe debug-info`: where debug information says that parameters are, and what is there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.api.arguments import duration, level_names, run_targets, whole_number, workers
from abiprobe.harness.cli.commands.console import print_json
from abiprobe.harness.cli.commands.debug_info_report import Row, as_json, show
from abiprobe.harness.cli.commands.known_ways import Found
from abiprobe.harness.cli.commands.unwind import by_default, expect_empty, expect_working, write_bundles
from abiprobe.harness.debugging.bundle import of_debug_info
from abiprobe.harness.debugging.causes import SEARCH, Member, members
from abiprobe.harness.debugging.sweep import Way, drawn, expect_known, sweep
from abiprobe.harness.subjects.selection import named_subjects, select_subjects
from abiprobe.harness.unwind.sorting import result
from abiprobe.results.known.ways import Entry


def debug_info(
    places: Sequence[str],
    subjects: str | None,
    levels: str,
    cases: str,
    seed: str,
    budget: str,
    jobs: str | None,
    form: str,
    out: Path | None,
    known: Sequence[Entry],
    *,
    strict: bool,
) -> int:
    """Look at parameters; 1 when one is shown wrong in a way that is not known, 3 when not all could be compared, 4 when a compiler crashed."""
    targets = run_targets(places)
    for target in targets:
        expect_known(target)
    named = named_subjects(subjects) if subjects else ()
    chosen = select_subjects(named or by_default(targets), targets)
    expect_working(chosen)
    count, start = whole_number(cases, "--cases", 1), whole_number(seed, "--seed", 0)
    seconds, asked = duration(budget), level_names(levels)
    expect_empty(out)
    began = time.monotonic()
    rows = {
        (target.name, subject.spelling, level): Row(target.name, subject.spelling, level)
        for target in targets
        for subject in named or chosen[target]
        for level in asked
    }
    wrong: list[tuple[Way, list[tuple[str, Member]]]] = []
    for share, answers in sweep(chosen, asked, drawn(start, count), workers(jobs)):
        rows[share.way.target, share.way.subject.spelling, share.way.level].add(answers)
        wrong.append((share.way, list(members(share, answers))))
    sorted_out = result(wrong, known, seconds, SEARCH)
    write_bundles(out, ((one.target, of_debug_info(one)) for one in sorted_out.causes))
    found = Found(start, count, tuple(rows.values()), sorted_out, time.monotonic() - began)
    if form == "json":
        print_json(as_json(found))
    else:
        show(found)
    return found.status(strict=strict)
