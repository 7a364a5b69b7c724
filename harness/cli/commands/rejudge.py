"""`abiprobe rejudge`: judge a recorded run with today's model."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from abiprobe.harness.api.arguments import named_target
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.version import version
from abiprobe.harness.cli.commands.console import asides
from abiprobe.harness.cli.commands.diff import show
from abiprobe.harness.nights.rejudge import Rejudged
from abiprobe.harness.nights.rejudge import rejudge as rejudged
from abiprobe.harness.nights.reobserve import ask_again
from abiprobe.harness.runs import session
from abiprobe.harness.runs.run_files import read_run, write_run
from abiprobe.oracles.language.question import probe
from abiprobe.results.journal.journal import BatchDone, Footer, Header, Run, verdict_digest
from abiprobe.results.verdicts.quantity import quantity


def rejudge(folder: Path, out: Path | None, renamed: Sequence[str], form: str, *, ask: bool) -> int:
    """Judge a run again and print what changes; with `ask`, compilers run again on what cannot be judged."""
    started = time.monotonic()
    # What is made here lives to the end; looking through it again and again for rubbish takes a third of the time.
    gc.disable()
    run = read_run(folder)
    if not any(batch.raw for batch in run.batches):
        raise Problem(f"the run at {folder} keeps no observations", "those of `run --raw` and nights do")
    names = targets(run, renamed)
    try:
        found = list(counted(rejudged(run, names), "batches", len(run.batches)))
    except (ValueError, msgspec.MsgspecError) as error:
        raise Problem(f"the observations at {folder} cannot be read ({error})") from error
    head = heading(run, names)
    batches = [item.batch for item in found]
    if ask and any(item.stale for item in found):
        session.resumable(head.plan, head)
        batches = ask_again(head.plan, found)
    new = finished(run, head, batches, time.monotonic() - started)
    if out is not None:
        write_run(out, new)
    print_summary(run, found, new, ask=ask)
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
        names[old] = named_target(new).spelling
    return names


def heading(run: Run, names: Mapping[str, str]) -> Header:
    """Return the header of the rejudged run."""
    head = run.header
    plan = msgspec.structs.replace(head.plan, targets=tuple(names.get(one, one) for one in head.plan.targets))
    infos = tuple(
        msgspec.structs.replace(info, target=names.get(info.target, info.target)) for info in head.subjects
    )
    named = msgspec.structs.replace(
        head.named,
        targets=tuple(names.get(one, one) for one in head.named.targets),
        unusable=tuple(
            msgspec.structs.replace(one, target=names.get(one.target, one.target))
            for one in head.named.unusable
        ),
    )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return msgspec.structs.replace(
        head, plan=plan, subjects=infos, version=version(), rejudged=now, named=named
    )


def finished(run: Run, head: Header, batches: Sequence[BatchDone], seconds: float) -> Run:
    """Assemble the rejudged run."""
    ordered = tuple(sorted(batches, key=lambda item: item.key))
    verdicts = sum(len(batch.verdicts) for batch in ordered)
    assert run.footer is not None, "the run is finished"
    footer = Footer(len(ordered), verdicts, verdict_digest(ordered), run.footer.ended, round(seconds, 3))
    return Run(head, ordered, footer, run.asked)


def print_summary(run: Run, found: Sequence[Rejudged], new: Run, *, ask: bool) -> None:
    """Print how many probes the change of the model concerns, and how many cannot be judged from what was recorded."""
    every = sum(len(batch.verdicts) for batch in run.batches)
    probes = {(item.batch.key.target, one) for item in found for one in item.probes}
    stale = {(item.batch.key.target, probe(one).id) for item in found for one in item.stale}
    silent = sum(not item.batch.raw for item in found)
    words = f"{every} verdicts; the model's answer has changed for {quantity(len(probes), 'probe')}"
    if stale:
        words += f"; {quantity(len(stale), 'probe')} " + (
            "asked again" if ask else "must be asked again in part: --ask"
        )
    if silent:
        words += f"; {silent} of {len(found)} batches have no recorded observations and keep their verdicts"
    seconds = 0.0 if new.footer is None else new.footer.seconds
    asides().print(f"{words}; {seconds:.1f} s", soft_wrap=True)
