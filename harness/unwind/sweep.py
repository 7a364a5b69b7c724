"""Functions put to compilers at every level, with and without a frame pointer and by other variants, on every core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.generators.frames import Function, function
from abiprobe.generators.streams import seeded
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.base.workers import Work, in_order, leaving, results
from abiprobe.harness.machines.runtime.build import Trusted, find_trusted
from abiprobe.harness.subjects.find import build
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.harness.unwind.image import Answer, answer
from abiprobe.harness.unwind.machines import Stepped, stepped
from abiprobe.harness.unwind.unit import unit
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Outcome

UNIT = 50
"""Functions of one unit."""


class Way(msgspec.Struct, frozen=True):
    """A target, a subject and the options with which it compiles, the level among them."""

    target: str
    subject: Subject
    level: str
    options: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((f"-{self.level}", *self.options))


class Share(msgspec.Struct, frozen=True):
    """A unit of functions to compile in one way."""

    way: Way
    functions: tuple[Function, ...]


def sweep(
    subjects: Mapping[Target, Sequence[Subject]],
    levels: Sequence[str],
    functions: Sequence[Function],
    jobs: int,
) -> Iterator[tuple[Share, Answer]]:
    """Yield what came of each unit, in a fixed order."""
    shares = list(divided(subjects, levels, functions))
    found = in_order(results(WORK, shares, jobs))
    yield from counted(zip(shares, found, strict=True), "stepping", len(shares))


def drawn(seed: int, count: int) -> tuple[Function, ...]:
    """The functions of a seed."""
    return tuple(function(seeded("frames", seed, number)) for number in range(count))


def divided(
    subjects: Mapping[Target, Sequence[Subject]], levels: Sequence[str], functions: Sequence[Function]
) -> Iterator[Share]:
    """The units, for each target, subject, level and variant."""
    for target, some in subjects.items():
        for subject in some:
            for level in levels:
                for option in bench(target.name)[0].variants:
                    way = Way(target.name, subject, level, (option,))
                    for at in range(0, len(functions), UNIT):
                        yield Share(way, tuple(functions[at : at + UNIT]))


@cache
def bench(target: str) -> tuple[Stepped, Trusted]:
    """A target as it is stepped, and what links its programs. Raises `Problem` where it cannot be."""
    about = stepped(find_target(target))
    return about, find_trusted(about.machine)


def built(way: Way) -> Built:
    """The compiler of a way, with all options."""
    about, _ = bench(way.target)
    found = build(way.subject, about.target, way.level)
    assert found is not None, "the subject was chosen for the target"
    return msgspec.structs.replace(found, command=(*found.command, *about.options, *way.options))


def answered(share: Share) -> Answer:
    """Compile, link and step a unit."""
    about, trusted = bench(share.way.target)
    with temporary() as folder:
        source = unit(share.functions)
        return answer(source, len(share.functions), built(share.way), about, trusted, Path(folder))


def answer_share(share: Share) -> Answer:
    """Do the same in a worker."""
    return leaving(answered, share)


def lost(_share: Share) -> Answer:
    """The answer to a unit on which workers die."""
    return Answer(Outcome.NOT_RUN, "abiprobe's process died on it")


WORK = Work(answer_share, lost)
