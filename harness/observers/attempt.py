"""One subject at work on a batch: its scratch folder, its limits, and what its tools have cost.

A probe that breaks a tool costs itself only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from abiprobe.harness.base.cache import replace
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.probe_markers import parts
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.subjects.compile import Limits, compile_unit
from abiprobe.harness.subjects.subject import Built
from abiprobe.results.verdicts.record import Outcome


class Failed(msgspec.Struct, frozen=True):
    """Probes that gave no observation: why, in the tool's words, and which of a unit's probes it names."""

    outcome: Outcome
    words: str
    suspects: tuple[int, ...] = ()


class Attempt(msgspec.Struct):
    """One built subject with its bench, a scratch folder, limits, and the CPU seconds that its tools have used.

    Only what runs programs needs a bench, and only what is asked in another language than C a printer.
    """

    bench: Bench | None
    built: Built
    folder: Path
    limits: Limits
    compile_seconds: float = 0.0
    link_seconds: float = 0.0
    run_seconds: float = 0.0
    files: int = 0
    printer: Printer | None = None

    def scratch(self, suffix: str) -> Path:
        """A file name of its own in the scratch folder."""
        self.files += 1
        return self.folder / f"unit{self.files}{suffix}"

    def written(self, suffix: str, text: str) -> Path:
        """A file of its own in the scratch folder with this text."""
        path = self.scratch(suffix)
        # A compiler may have left a link to elsewhere under this name.
        replace(path, text.encode())
        return path


P = TypeVar("P")
S = TypeVar("S")
A = TypeVar("A", bound=Attempt)


def bisected(
    attempt: A,
    plans: Sequence[P],
    together: Callable[[A, Sequence[P], str | None], Sequence[S] | Failed],
    text: str | None = None,
) -> Iterator[tuple[P, S | Failed]]:
    """Try all plans together; when the tools refuse, those they name and the rest apart, down to the plan they refuse."""
    if not plans:
        return
    seen = together(attempt, plans, text)
    if not isinstance(seen, Failed):
        yield from zip(plans, seen, strict=True)
    elif len(plans) == 1:
        yield plans[0], seen
    else:
        found: dict[int, tuple[P, S | Failed]] = {}
        for part in parts(len(plans), seen.suspects):
            answers = bisected(attempt, [plans[i] for i in part], together, None)
            found.update(zip(part, answers, strict=True))
        yield from (found[i] for i in range(len(plans)))


def compiled(attempt: Attempt, text: str, probes: int, *options: str) -> Path | Failed:
    """The object file that the compiler makes of `text`, a unit about so many probes."""
    output = attempt.scratch(".o")
    built = attempt.built
    if options:
        built = msgspec.structs.replace(built, command=(*built.command, *options))
    done = compile_unit(built, text, output, attempt.limits, probes)
    attempt.compile_seconds += done.cpu_seconds
    return output if done.outcome is Outcome.OBSERVED else Failed(done.outcome, done.words, done.suspects)
