"""Print what the agreement of a stand-in compiler is evidence of, and what it is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.standins import StandIn, stand_ins
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.report.wrap import print_hanging


def standins_used(batches: Iterable[BatchDone]) -> Iterator[tuple[str, StandIn]]:
    """Yield the stand-ins among a run's subjects, with the subject's name, each once."""
    known = stand_ins()
    for subject in dict.fromkeys(batch.key.subject for batch in batches):
        name = subject.strip().partition(" ")[0].partition(":")[0]
        if name in known:
            yield subject, known[name]


def print_standins(console: Console, batches: Iterable[BatchDone]) -> None:
    """Print what each stand-in is, and what it can and cannot be evidence for."""
    for subject, standin in standins_used(batches):
        console.print()
        print_hanging(
            console,
            Text.assemble((subject, "bold"), f" stands in for {', '.join(standin.targets)}: {standin.of}"),
        )
        for word, facts in (("witnesses", standin.witnesses), ("cannot witness", standin.cannot)):
            for fact in facts:
                print_hanging(console, Text(f"{word} {fact}"), first="  ", indent=6)


def standins_json(batches: Iterable[BatchDone]) -> list[dict[str, Any]]:
    """The same as JSON values."""
    return [
        {
            "subject": subject,
            "of": standin.of,
            "witnesses": list(standin.witnesses),
            "cannot": list(standin.cannot),
        }
        for subject, standin in standins_used(batches)
    ]
