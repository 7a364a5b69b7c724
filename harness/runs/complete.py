"""The complete suites of targets, derived from their models once for each version of abiprobe and kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from abiprobe.generators import complete
from abiprobe.generators.complete.identifiers import InseparableError
from abiprobe.generators.complete.machine import Word
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
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.unmodelled.opened import with_text
from abiprobe.results.journal.journal import Plan, Suite

_DECODER = msgspec.json.Decoder(tuple[ModeSuite, ...])
PARTS = 1 << 20
"""Batches of a target are numbered from a multiple of this, which no suite has more of."""


class Block(msgspec.Struct, frozen=True):
    """A part of the suites of a target: words of a mode, or each type by itself."""

    about: Suite
    mode: ModeSuite
    words: tuple[Word, ...]

    def part(self, number: int, seed: int) -> tuple[Prototype, ...]:
        """Return the signatures of a batch; what is drawn depends on the seed of the run and on the batch."""
        at = slice(number * BATCH, (number + 1) * BATCH)
        if self.about.types:
            return self.mode.alone[at]
        choose = SeededDraw(seed * PARTS + number).pick if self.about.drawn else simplest
        return tuple(signature(self.mode, word, choose) for word in self.words[at])


@cache
def modes(target: Target, extra: int) -> tuple[ModeSuite, ...]:
    """Return the suites of a target; none where there is no model. Raises `Problem` where nothing complete can be derived."""
    target = with_text(target)
    if target.vectors or not target.modelled:
        return ()
    path = entry(Sort.COMPLETE, f"{target}-{extra}-{version()}.json")
    try:
        return kept(path, _DECODER, lambda: derived(target, extra))
    except (CutOffError, InseparableError) as error:
        raise Problem(
            f"no complete suite for {target}: {error}", "ask for a smaller number, or leave the target out"
        ) from error


def derived(target: Target, extra: int) -> tuple[ModeSuite, ...]:
    """Derive the suites anew."""
    return tuple(counted(suites(target.model(), extra, target.toured), f"complete suites of {target}"))


@lru_cache(maxsize=4)
def blocks(target: Target, extra: int, number: int) -> tuple[Block, ...]:
    """Return the parts of the suites of the target that is the `number`-th of a run."""
    made: list[Block] = []
    first = number * PARTS
    for mode in modes(target, extra):
        for block in of_mode(target, mode):
            if block.about.signatures:
                made.append(
                    msgspec.structs.replace(block, about=msgspec.structs.replace(block.about, first=first))
                )
                first += block.about.batches
    return tuple(made)


def of_mode(target: Target, mode: ModeSuite) -> Iterator[Block]:
    """Yield the parts of the suite of one mode: each type, then the suite with the simplest types, then with others."""
    name = f"{mode.name}, {mode.file}" if mode.file else mode.name

    def block(
        count: int,
        words: tuple[Word, ...] = (),
        *,
        rare: bool = False,
        drawn: bool = False,
        types: bool = False,
    ) -> Block:
        batches = -(-count // BATCH)
        about = Suite(
            target.spelling,
            name,
            mode.extra,
            mode.states,
            len(mode.letters),
            count,
            0,
            batches,
            rare,
            drawn,
            types,
        )
        return Block(about, mode, words)

    yield block(len(mode.alone), types=True)
    for drawn in (False, True):
        yield block(len(mode.words), mode.words, drawn=drawn)
        yield block(len(mode.rare), mode.rare, rare=True, drawn=drawn)


def of_plan(plan: Plan) -> tuple[Suite, ...]:
    """Return what a run's header says of its suites."""
    if plan.complete is None:
        return ()
    return tuple(
        block.about
        for number, name in enumerate(plan.targets)
        for block in blocks(find_target(name), plan.complete, number)
    )


def numbers(plan: Plan, target: Target) -> Iterator[int]:
    """Yield the numbers of the batches of a target's suites in a run, or in its shard."""
    shard, shards = plan.shard
    for block in of_target(plan, target):
        for number in range(block.about.first, block.about.first + block.about.batches):
            if number % shards == shard - 1:
                yield number


def batch(plan: Plan, target: Target, number: int) -> tuple[Prototype, ...]:
    """Return the signatures of a batch."""
    for block in of_target(plan, target):
        if number < block.about.first + block.about.batches:
            return block.part(number - block.about.first, plan.seed)
    raise AssertionError("a batch is one of those of its plan")


def of_target(plan: Plan, target: Target) -> tuple[Block, ...]:
    """Return the parts of a target's suites in a run; none if it asks for none."""
    if plan.complete is None:
        return ()
    return blocks(target, plan.complete, plan.targets.index(target.spelling))


@cache
def version() -> str:
    """A digest of the models, and of what derives suites from them."""
    digest = hashlib.sha256(tours.version().encode())
    for path in sorted(Path(complete.__file__ or "").parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
