"""The complete suites of targets, derived from their models once for each version of abiprobe and kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
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
from abiprobe.generators.tours import types
from abiprobe.generators.tours.driving import Driver
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
MEMBERS = "types"
"""What the part is called that has every type of the classes by itself."""


class Block(msgspec.Struct, frozen=True):
    """A part of the suites of a target: words of a mode, for which types are drawn if it is `drawn`, or signatures by themselves."""

    about: Suite
    mode: ModeSuite | None
    words: tuple[Word, ...] = ()
    signatures: tuple[Prototype, ...] = ()

    def part(self, number: int, seed: int) -> tuple[Prototype, ...]:
        """Return the signatures of a batch; what is drawn depends on the seed of the run and on the batch."""
        if self.mode is None:
            return self.signatures[number * BATCH :][:BATCH]
        choose = SeededDraw(seed * PARTS + number).pick if self.about.drawn else simplest
        return tuple(signature(self.mode, word, choose) for word in self.words[number * BATCH :][:BATCH])


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

    def add(words: tuple[Word, ...], mode: ModeSuite, *, rare: bool, drawn: bool) -> None:
        nonlocal first
        if words:
            about = Suite(
                target.spelling,
                f"{mode.name}, {mode.file}" if mode.file else mode.name,
                extra,
                mode.states,
                len({letter for word in (*words, *mode.words) for letter in word}),
                len(words),
                first,
                -(-len(words) // BATCH),
                rare,
                drawn,
            )
            made.append(Block(about, mode, words))
            first += about.batches

    for mode, drawn in product(modes(target, extra), (False, True)):
        add(mode.words, mode, rare=False, drawn=drawn)
        add(mode.rare, mode, rare=True, drawn=drawn)
    if made:
        driver = Driver(with_text(target).model())
        alone = types(driver).signatures
        batches = -(-len(alone) // BATCH)
        about = Suite(target.spelling, MEMBERS, extra, 0, len(driver.menu), len(alone), first, batches)
        made.append(Block(about, None, signatures=alone))
    return tuple(made)


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
