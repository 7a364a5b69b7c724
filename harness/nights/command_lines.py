"""The command lines that lead from a report back to what it is about, ready for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from abiprobe.oracles.language.iso_c import Edition
from abiprobe.oracles.language.question import WITNESSES
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.journal.journal import Footer, Pairs, Plan

COUNTLESS = 1 << 32
"""From so many cases on a run was ended by its budget."""


def run_line(plan: Plan, footer: Footer | None) -> str:
    """The command that asks the same questions of the same compilers."""
    words = ["run", *plan.targets, "--cc", ",".join(plan.subjects), "--opt", ",".join(plan.levels)]
    if plan.complete is not None:
        words += ["--complete", str(plan.complete)]
    if plan.complete_records:
        words += ["--complete-records", str(plan.complete_records)]
    if 0 < plan.cases < COUNTLESS:
        words += ["--cases", str(plan.cases)]
    if footer is not None and footer.ended == "budget":
        words += ["--budget", f"{footer.seconds:.0f}s"]
    words += ["--seed", str(plan.seed), "--tours" if plan.tours else "--no-tours"]
    if plan.shard != (1, 1):
        words += ["--shard", "/".join(map(str, plan.shard))]
    if plan.pairs is not Pairs.FIRST:
        words += ["--pairs", plan.pairs.value]
    if not plan.sampled:
        words += ["--witness", ",".join(name for name, kind in WITNESSES.items() if kind in plan.witnesses)]
    if plan.corpus:
        words.append("--examples" if plan.examples else "--corpus")
    if plan.only:
        words += ["--only", ",".join(plan.only)]
    if plan.language != Edition.GNU.value:
        words += ["--language", plan.language]
    return line(words)


def cause_lines(cluster: Cluster, example: str, folder: Path) -> tuple[str, ...]:
    """Return the commands that reproduce a cause, explain the model's prediction, and find the versions concerned."""
    target = cluster.first.fingerprint.target
    run = ("--run", str(folder))
    return (
        line(("repro", cluster.id, *run, "--out", f"repro-{cluster.id}")),
        line(("explain", example, "--target", target)),
        line(("bisect", cluster.id, *run)),
    )


def diff_line(old: str, new: Path) -> str:
    """Return the command that compares two runs answer by answer."""
    return line(("diff", old, str(new)))


def triage_line(folder: Path) -> str:
    """Return the command that finds the causes of a run."""
    return line(("triage", str(folder)))


def line(words: Sequence[str]) -> str:
    """A command of abiprobe as a line for a shell."""
    return shlex.join(("abiprobe", *words))
