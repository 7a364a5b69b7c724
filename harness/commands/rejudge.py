"""`abiprobe rejudge`: an old run under the model of today."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from abiprobe.harness import session
from abiprobe.harness.commands.arguments import target_name
from abiprobe.harness.commands.console import asides
from abiprobe.harness.commands.diff import show
from abiprobe.harness.nights.asking_again import ask_again
from abiprobe.harness.nights.rejudge import Rejudged
from abiprobe.harness.nights.rejudge import rejudge as rejudged
from abiprobe.harness.problem import Problem
from abiprobe.harness.runs import read_run, write_run
from abiprobe.harness.version import version
from abiprobe.results.journal import BatchDone, Footer, Header, Run, verdict_digest


def rejudge(folder: Path, out: Path | None, renamed: Sequence[str], form: str, *, ask: bool) -> int:
    """Judge a run anew and tell what that changes; with `ask`, what cannot be judged is asked again."""
    started = time.monotonic()
    # What is made here lives to the end; looking through it again and again for rubbish takes a third of the time.
    gc.disable()
    run = read_run(folder)
    if not any(batch.raw for batch in run.batches):
        raise Problem(f"the run at {folder} keeps no observations", "those of `run --raw` and nights do")
    names = targets(run, renamed)
    try:
        found = list(rejudged(run, names))
    except ValueError as error:
        raise Problem(f"the observations at {folder} cannot be read ({error})") from error
    head = heading(run, names)
    batches = [item.batch for item in found]
    if ask and any(item.stale for item in found):
        session.resumable(head.plan, head)
        batches = ask_again(head.plan, found)
    new = finished(run, head, batches, time.monotonic() - started)
    if out is not None:
        write_run(out, new)
    tell(run, found, new, ask=ask)
    return show(run, new, {}, form, names)


def targets(run: Run, renamed: Sequence[str]) -> dict[str, str]:
    """`OLD=NEW` as a mapping; raises `Problem` for a target that the run has not, or that there is not."""
    names: dict[str, str] = {}
    for text in renamed:
        old, equals, new = text.partition("=")
        if not equals or old not in run.header.plan.targets:
            raise Problem(
                f"{text!r} does not rename a target of the run", "--as riscv64-lp64d=riscv64-lp64d@clang"
            )
        names[old] = target_name(new)
    return names


def heading(run: Run, names: Mapping[str, str]) -> Header:
    """The header of the run as rejudged."""
    head = run.header
    plan = msgspec.structs.replace(head.plan, targets=tuple(names.get(one, one) for one in head.plan.targets))
    infos = tuple(
        msgspec.structs.replace(info, target=names.get(info.target, info.target)) for info in head.subjects
    )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return msgspec.structs.replace(head, plan=plan, subjects=infos, version=version(), rejudged=now)


def finished(run: Run, head: Header, batches: Sequence[BatchDone], seconds: float) -> Run:
    """The rejudged run as a whole; one that was interrupted stays so."""
    ordered = tuple(sorted(batches, key=lambda item: item.key))
    footer = None
    if run.footer is not None:
        verdicts = sum(len(batch.verdicts) for batch in ordered)
        digest = verdict_digest(ordered)
        footer = Footer(len(ordered), verdicts, digest, run.footer.ended, round(seconds, 3))
    return Run(head, ordered, footer, run.asked)


def tell(run: Run, found: Sequence[Rejudged], new: Run, *, ask: bool) -> None:
    """How much of a run was judged anew, and how much could not be."""
    every = sum(len(batch.verdicts) for batch in run.batches)
    probes = sum(len(item.probes) for item in found)
    stale = sum(len(item.stale) for item in found)
    silent = sum(not item.batch.raw for item in found)
    words = f"{every} verdicts; the model says something else of {probes} probes"
    if stale:
        words += f", {stale} of which " + (
            "were asked again" if ask else "must be asked again in part: --ask"
        )
    if silent:
        words += f"; {silent} batches keep no observations and stay as they were"
    seconds = 0.0 if new.footer is None else new.footer.seconds
    asides().print(f"{words}; {seconds:.1f} s", soft_wrap=True)
