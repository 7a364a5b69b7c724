"""`abiprobe.check`: compilers held against the written ABI on a caller's declarations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.api.arguments import level_names
from abiprobe.harness.api.asking import Checked, Settings, ask, names_of
from abiprobe.harness.api.declarations import Source, declared
from abiprobe.harness.input import Classes, ReadOptions, Skipped
from abiprobe.harness.input.declared import classes_of
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.harness.triage.known_files import read_known
from abiprobe.results.coverage.differing import Comparison, comparisons
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.known.deviations import Known
from abiprobe.results.verdicts.record import Judgement, Verdict


class Answer(msgspec.Struct, frozen=True):
    """The answer of one compiler about one declaration at one level, judged by the text.

    `name` is the declaration's (`f`, `struct S`). `verdict` has the clause and the differences, `known` the names of the known
    deviations that it is. In a call between two compilers the compiler is the caller's, and `verdict.partner` the callee's.
    """

    target: str
    compiler: str
    level: str
    name: str
    verdict: Verdict
    known: tuple[str, ...] = ()

    @property
    def deviates(self) -> bool:
        """Return whether the compiler departs from the text, or the two compilers of a call disagree."""
        return self.verdict.verdict is Judgement.DEVIATES

    @property
    def new(self) -> bool:
        """Return whether it deviates in a way that is not known."""
        return self.deviates and not self.known

    def __str__(self) -> str:
        who = f"{self.compiler} -{self.level}"
        with_ = f" calling {self.verdict.partner}" if self.verdict.partner else ""
        why = f" from {self.verdict.clause}" if self.deviates and self.verdict.clause else ""
        said = f": {self.verdict.detail}" if self.verdict.detail else ""
        return f"{self.target}, {who}{with_}: {self.name} {self.verdict.verdict.value}{why}{said}"


class CheckResult(msgspec.Struct, frozen=True):
    """The answers of compilers on declarations.

    `differing` are the questions that no text decides and on which compilers do not agree, `not_compared` the reasons why nothing
    was compared of a compiler, a target or a declaration that was named. `status` is the exit status of `abiprobe check`: 0 where
    all that was named was compared and nothing is new, 1 for what is new, 3 where something was not compared, 4 where a tool failed.
    """

    status: int
    answers: tuple[Answer, ...]
    differing: tuple[Comparison, ...]
    not_compared: tuple[str, ...]
    skipped: tuple[Skipped, ...]

    @property
    def agrees(self) -> bool:
        """Return whether all that was named was compared, and nothing deviates or differs that is not known."""
        return self.status == 0

    @property
    def deviations(self) -> tuple[Answer, ...]:
        """The answers that deviate, known or new."""
        return tuple(one for one in self.answers if one.deviates)

    @property
    def new(self) -> tuple[Answer, ...]:
        """The answers that deviate in a way that is not known."""
        return tuple(one for one in self.answers if one.new)

    def __str__(self) -> str:
        """A line for everything that is not an agreement."""
        return "\n".join(
            (
                *map(str, self.deviations),
                *self.not_compared,
                *(f"{one.name}: {one.reason}" for one in self.skipped),
            )
        )


def check(
    source: Source,
    targets: str | Sequence[str],
    compilers: Sequence[str] | None = None,
    *,
    levels: Sequence[str] = ("O0", "O2"),
    options: Sequence[str] = (),
    sysroot: str = "",
    pairs: str = "first",
    known: Known | None = None,
    strict: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> CheckResult:
    """Compile declarations with compilers, run what was compiled, and compare with the written ABI of each target, byte by byte.

    `source` is C as text or the path of a file, `compilers` are subjects as the command line names them (`gcc-12`, `clang:build/bin/clang`;
    `None` for all that are installed; of C++ such as `g++-12` classes are asked), `pairs` which of them call each other's functions (`first`, `all`,
    `none`). `known` are the known deviations, `None` for those that come with abiprobe; with `strict` they count as new ones do.
    `tell` is called with a line for each compiler that is left out. Raises `Problem` where the source cannot be read, or a target or compiler
    is not there.
    """
    names = (targets,) if isinstance(targets, str) else tuple(targets)
    named = None if compilers is None else named_subjects(",".join(compilers))
    files = [str(source)] if isinstance(source, Path) else []
    classes = classes_of([one.of_cxx for one in named or ()], files)
    how = ReadOptions(tuple(options), sysroot, strict=False, classes=classes)
    settings = Settings(level_names(",".join(levels)), pairs=Pairs(pairs), strict=strict)
    entries = read_known() if known is None else known
    cxx = classes is not Classes.NONE
    return result_of(ask(declared(source, names, how), named, entries, settings, tell, cxx=cxx))


def result_of(done: Checked) -> CheckResult:
    """Return what was answered as values that a caller keeps."""
    known = done.found.names()
    answers: list[Answer] = []
    for item, batches in done.answers:
        names = names_of(item)
        answers += (
            Answer(
                batch.key.target,
                batch.key.subject,
                batch.key.level,
                names[verdict.probe],
                verdict,
                tuple(known.get((batch.key.target, batch.key.subject, verdict.probe), ()))
                if verdict.verdict is Judgement.DEVIATES and not verdict.partner
                else (),
            )
            for batch in batches
            for verdict in batch.verdicts
        )
    differing = tuple(one for one in comparisons(done.batches) if one.differs)
    return CheckResult(done.status, tuple(answers), differing, done.covered.lines, done.skipped)
