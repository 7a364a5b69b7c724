"""`abiprobe debug-info`: where debug information says that parameters are, and what is there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from abiprobe.harness.api.arguments import workers
from abiprobe.harness.cli.commands.debug_info_report import FORM, Row
from abiprobe.harness.cli.commands.known_ways import Found
from abiprobe.harness.cli.commands.unwind import Asked
from abiprobe.harness.debugging.causes import SEARCH, Member, members
from abiprobe.harness.debugging.sweep import Way, drawn, expect_known, sweep
from abiprobe.harness.unwind.sorting import result
from abiprobe.results.known.ways import Entry


def debug_info(options: Mapping[str, Any], form: str, known: Sequence[Entry], *, strict: bool) -> int:
    """Look at parameters; 1 when one is shown wrong in a way that is not known, 3 when not all could be compared, 4 when a compiler crashed."""
    asked = Asked.of(options, expect_known)
    began = time.monotonic()
    rows = {
        (target.name, subject.spelling, level): Row(target.name, subject.spelling, level)
        for target, some in asked.chosen.items()
        for subject in asked.named or some
        for level in asked.levels
    }
    wrong: list[tuple[Way, list[tuple[str, Member]]]] = []
    for share, answers in sweep(
        asked.chosen, asked.levels, drawn(asked.start, asked.count), workers(asked.jobs)
    ):
        rows[share.way.target, share.way.subject.spelling, share.way.level].add(answers)
        wrong.append((share.way, list(members(share, answers))))
    sorted_out = result(wrong, known, asked.seconds, SEARCH)
    found = Found(asked.start, asked.count, tuple(rows.values()), sorted_out, time.monotonic() - began)
    return found.finish(FORM, asked.out, form, strict=strict)
