"""`abiprobe diff`: what changed from one run to another.

Two nights are compared in a moment because nothing is loaded for it but what reads journals: what draws declarations,
and what looks into recorded observations, comes when it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import print_json, print_lines
from abiprobe.harness.runs.run_files import clusters_kept, every_run, read_run
from abiprobe.oracles.language.question import Question
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.history.diff import diff as compared
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import Known
from abiprobe.results.report.diff_text import diff_json, lines

NOTHING = Known()
LITTLE = 8 << 20
"""Bytes of a journal that is held whole: of two longer ones only what differs is."""


def diff(
    old: Path | None, new: Path | None, match: Sequence[str], form: str, *, known: Known, breaking: bool
) -> int:
    """Print what changed, or with `breaking` where two compilers show different places; the exit status says whether.

    A known deviation is no news.
    """
    before, after = chosen(old, new)
    first, second = read_run(before, LITTLE), read_run(after, LITTLE)
    names = matches(match, first, second)
    if breaking:
        from abiprobe.harness.cli.commands.abi_breaks import show_breaks

        return show_breaks(first, second, names, form)
    clusters = (clusters_kept(before, first), clusters_kept(after, second))
    return show(first, second, names, form, {}, clusters, known)


def show(
    old: Run,
    new: Run,
    names: Mapping[str, str],
    form: str,
    targets: Mapping[str, str],
    clusters: tuple[Sequence[Cluster], Sequence[Cluster]] = ((), ()),
    known: Known = NOTHING,
) -> int:
    """Print what changed from one run to another."""
    entries = known.in_force(datetime.now(UTC).date())
    found = compared(old, new, names=names, targets=targets, clusters=clusters, entries=entries)
    if form == "json":
        print_json(diff_json(found, in_c))
    else:
        print_lines(lines(found, in_c, markdown=form == "markdown"))
    return found.status


def in_c(question: Question) -> str:
    """A question as the C that asks it."""
    from abiprobe.harness.machines.render.declaration import declaration

    return declaration(question)


def chosen(old: Path | None, new: Path | None) -> tuple[Path, Path]:
    """The runs that were named; with one or none, the latest before it, and the latest."""
    if old is not None and new is not None:
        return old, new
    runs = every_run()
    if old is not None:
        runs = [old, *runs[-1:]]
    if len(runs) < 2:
        raise Problem("there are no two runs in .abiprobe/runs", "name them: abiprobe diff OLD NEW")
    return runs[-2], runs[-1]


def matches(texts: Sequence[str], old: Run, new: Run) -> dict[str, str]:
    """`OLD=NEW` as a mapping of subjects; raises `Problem` for one that its run has not."""
    found: dict[str, str] = {}
    for text in texts:
        before, equals, after = text.rpartition("=")
        for name, run in ((before, old), (after, new)):
            known = tuple(dict.fromkeys(info.subject for info in run.header.subjects))
            if not equals or name not in known:
                raise Problem(f"{text!r} matches no subjects of the runs", f"there are {', '.join(known)}")
        found[before] = after
    return found
