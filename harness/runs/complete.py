"""The complete suites of targets, and every small record, derived from their models once for each version of abiprobe and kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from abiprobe.generators import complete
from abiprobe.generators.complete.identifiers import InseparableError
from abiprobe.generators.complete.machine import Word
from abiprobe.generators.complete.records import RecordScope, alone, scope
from abiprobe.generators.complete.signatures import (
    CutOffError,
    ModeSuite,
    signature,
    simplest,
    suites,
)
from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.pool import BATCH
from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.runs import tours
from abiprobe.harness.runs.question_sorts import takes_sort
from abiprobe.oracles.language.question import CQuestion, Sort
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import dialects_of_sides, find_target
from abiprobe.oracles.text.place import Assignment
from abiprobe.oracles.unmodelled.opened import with_text
from abiprobe.results.coverage.complete import SORTS
from abiprobe.results.journal.journal import Plan, Suite

_DECODER = msgspec.json.Decoder(tuple[ModeSuite, ...])
_RECORDS = msgspec.json.Decoder(RecordScope)
RECORDS, CALLS = "layouts of records", "calls with records"
"""Names of the suites of records."""
PARTS = 1 << 20
"""Batches of a target are numbered from a multiple of this, which no suite has more of."""


class Block(msgspec.Struct, frozen=True):
    """A part of the suites of a target: words of a mode, or questions as they are."""

    about: Suite
    questions: tuple[CQuestion, ...] = ()
    mode: ModeSuite | None = None
    words: tuple[Word, ...] = ()

    def part(self, number: int, seed: int) -> tuple[CQuestion, ...]:
        """Return the questions of a batch; what is drawn depends on the seed of the run and on the batch."""
        at = slice(number * BATCH, (number + 1) * BATCH)
        if self.mode is None:
            return self.questions[at]
        choose = SeededDraw(seed * PARTS + number).pick if self.about.drawn else simplest
        return tuple(signature(self.mode, word, choose) for word in self.words[at])


@cache
def modes(target: Target, extra: int, quirks: tuple[str, ...] = ()) -> tuple[ModeSuite, ...]:
    """Return the suites of a target; none where there is no model. Raises `Problem` where nothing complete can be derived.

    `quirks` are those of a dialect of one side.
    """
    target = with_text(target)
    if target.vectors or not target.modelled:
        return ()
    own = hashlib.sha256("\n".join(quirks).encode()).hexdigest()[:16] if quirks else ""
    path = entry(Sort.COMPLETE, f"{target}-{own}{extra}-{version()}.json")
    try:
        return kept(path, _DECODER, lambda: derived(target, extra))
    except CutOffError as error:
        raise Problem(
            f"no complete suite for {target}: {error}", "ask for fewer states, or leave the target out"
        ) from error
    except InseparableError as error:
        raise Problem(f"no complete suite for {target}: {error}", "leave the target out") from error


def derived(target: Target, extra: int) -> tuple[ModeSuite, ...]:
    """Derive the suites anew."""
    return tuple(counted(suites(target.model(), extra, target.toured), f"complete suites of {target}"))


@cache
def record_scope(target: Target, most: int) -> RecordScope:
    """Return every record of up to so many members that a target's model knows; none where there is no model."""
    target = with_text(target)
    if target.vectors or not target.modelled:
        return RecordScope((), (), 0)
    path = entry("complete-records", f"{target}-{most}-{version()}.json")
    return kept(path, _RECORDS, lambda: scope(target.model(), most))


@lru_cache(maxsize=4)
def blocks(target: Target, extra: int | None, most: int, number: int) -> tuple[Block, ...]:
    """Return the parts of the suites of the target that is the `number`-th of a run."""
    found = [*of_records(target, most)] if most else []
    if extra is not None:
        for mode in modes(target, extra):
            found += of_mode(target, mode)
            found += of_sides(target, mode)
    made: list[Block] = []
    first = dict.fromkeys(SORTS, number * PARTS)
    for block in found:
        if block.about.signatures:
            about = msgspec.structs.replace(block.about, first=first[block.about.sort])
            made.append(msgspec.structs.replace(block, about=about))
            first[about.sort] += about.batches
    return tuple(made)


def of_records(target: Target, most: int) -> Iterator[Block]:
    """Yield the layouts of every record, and calls with each."""
    every = record_scope(target, most)
    count = len(every.classes)
    sizes = 0, 0, count, len(every.records), 0, batches(every.records)
    yield Block(Suite(target.spelling, RECORDS, *sizes, records=most, layouts=True), every.records)
    if takes_sort(target, Sort.PROTOTYPES):
        model = with_text(target).model()
        calls = tuple(one for one in map(alone, every.records) if isinstance(model.assign(one), Assignment))
        sizes = 0, 0, count, len(calls), 0, batches(calls)
        yield Block(Suite(target.spelling, CALLS, *sizes, records=most), calls)


def of_mode(target: Target, mode: ModeSuite) -> Iterator[Block]:
    """Yield the parts of the suite of one mode: each type, the suite with the simplest types, and that for a state less with others."""
    yield Block(suite(target, mode, mode.alone, types=True), mode.alone)
    for drawn, words, rare in ((False, mode.words, mode.rare), (True, mode.fewer, mode.fewer_rare)):
        yield Block(suite(target, mode, words, drawn=drawn), mode=mode, words=words)
        yield Block(suite(target, mode, rare, rare=True, drawn=drawn), mode=mode, words=rare)


def of_sides(target: Target, mode: ModeSuite) -> Iterator[Block]:
    """Yield what the suites of a dialect's quirks on one side have more, so that a compiler with these is proved to have no others."""
    asked = {signature(mode, word, simplest) for word in (*mode.words, *mode.rare)}
    for quirks, dialect in dialects_of_sides(target).items():
        for own in modes(dialect, mode.extra, quirks):
            if titled(own) == titled(mode):
                for words, rare in ((own.words, False), (own.rare, True)):
                    every = (signature(own, word, simplest) for word in words)
                    more = tuple(one for one in dict.fromkeys(every) if one not in asked)
                    asked.update(more)
                    yield Block(suite(target, mode, more, rare=rare), more)


def titled(mode: ModeSuite) -> str:
    """Return the name of a mode, with the file of registers that its arguments keep to."""
    return f"{mode.name}, {mode.file}" if mode.file else mode.name


def suite(
    target: Target,
    mode: ModeSuite,
    asked: Sequence[object],
    *,
    rare: bool = False,
    drawn: bool = False,
    types: bool = False,
) -> Suite:
    """Return what a run's header says of a part of the suite of a mode."""
    used = {letter for word in (*mode.words, *mode.rare) for letter in word}
    counts = len(used), len(asked), 0, batches(asked)
    about = Suite(target.spelling, titled(mode), mode.extra, mode.states, *counts, rare, drawn, types)
    own = dict.fromkeys(name for quirks in dialects_of_sides(target) for name in quirks)
    return msgspec.structs.replace(about, quirks=tuple(own)) if types else about


def batches(asked: Sequence[object]) -> int:
    """Return the number of batches that so many questions fill."""
    return -(-len(asked) // BATCH)


def of_plan(plan: Plan) -> tuple[Suite, ...]:
    """Return what a run's header says of its suites."""
    return tuple(block.about for name in plan.targets for block in of_target(plan, find_target(name)))


def numbers(plan: Plan, target: Target, sort: Sort) -> Iterator[int]:
    """Yield the numbers of the batches of one sort of a target's suites in a run, or in its shard."""
    shard, shards = plan.shard
    for block in of_target(plan, target):
        if block.about.sort is sort:
            for number in range(block.about.first, block.about.first + block.about.batches):
                if number % shards == shard - 1:
                    yield number


def batch(plan: Plan, target: Target, sort: Sort, number: int) -> tuple[CQuestion, ...]:
    """Return the questions of a batch."""
    for block in of_target(plan, target):
        if block.about.sort is sort and number < block.about.first + block.about.batches:
            return block.part(number - block.about.first, plan.seed)
    raise AssertionError("a batch is one of those of its plan")


def of_target(plan: Plan, target: Target) -> tuple[Block, ...]:
    """Return the parts of a target's suites in a run; none if it asks for none, or the target's calls cannot be asked."""
    if plan.complete is None and not plan.complete_records:
        return ()
    extra = plan.complete if takes_sort(target, Sort.PROTOTYPES) else None
    return blocks(target, extra, plan.complete_records, plan.targets.index(target.spelling))


@cache
def version() -> str:
    """A digest of the models, and of what derives suites from them."""
    digest = hashlib.sha256(tours.version().encode())
    for path in sorted(Path(complete.__file__ or "").parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
