"""Machines that differ from another one, with a bounded number of states more; and what a suite says of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from abiprobe.generators.complete.machine import Letter, Machine, Step, Word
from abiprobe.generators.draw import Draw


@dataclass(frozen=True)
class Mutant:
    """A machine, and the transitions of the original that it has otherwise."""

    machine: Machine
    changed: tuple[tuple[int, Letter], ...]


def mutant(draw: Draw, machine: Machine, extra: int) -> Mutant:
    """Draw a machine: up to `extra` states are copied, a transition leads to each copy, and up to three are otherwise."""
    steps = [dict(each) for each in machine.steps]
    phases = list(machine.phases)
    changed = []
    for _ in range(draw.below(extra + 1)):
        source, letter = transition(draw, machine, steps)
        given, target = steps[source][letter]
        steps.append(dict(steps[target]))
        phases.append(phases[target])
        steps[source][letter] = given, len(steps) - 1
        changed.append((source, letter))
    for _ in range(1 + draw.below(3)):
        newest = len(steps) > len(machine.steps) and not draw.below(2)
        source = len(steps) - 1 if newest else draw.below(len(steps))
        letter = draw.pick(sorted(steps[source]))
        steps[source][letter] = otherwise(draw, machine, phases, steps[source][letter], letter)
        changed.append((source, letter))
    return Mutant(Machine(tuple(steps), tuple(phases), machine.common), tuple(changed))


def transition(draw: Draw, machine: Machine, steps: Sequence[dict[Letter, Step]]) -> tuple[int, Letter]:
    """Draw a transition: often one into or out of the newest state, so that what is hidden lies behind what is hidden."""
    source = len(steps) - 1 if len(steps) > len(machine.steps) and draw.below(2) else draw.below(len(steps))
    return source, draw.pick(sorted(steps[source]))


def otherwise(draw: Draw, machine: Machine, phases: Sequence[int], step: Step, letter: Letter) -> Step:
    """Draw another output of the letter, or another state of the same phase."""
    given, target = step
    if draw.below(2):
        outputs: list[Hashable] = sorted(
            {steps[letter][0] for steps in machine.steps if letter in steps}, key=str
        )
        return draw.pick([one for one in outputs if one != given] or ["elsewhere"]), target
    alike = [state for state, phase in enumerate(phases) if phase == phases[target] and state != target]
    return (given, draw.pick(alike)) if alike else ("elsewhere", target)


def is_told(machine: Machine, suite: Sequence[Word], cover: Sequence[Word], other: Mutant) -> bool:
    """Return whether a sorted suite tells a mutant from its original; words by what is changed come first."""
    return any(
        machine.outputs(0, word) != other.machine.outputs(0, word) for word in likely(suite, cover, other)
    )


def likely(suite: Sequence[Word], cover: Sequence[Word], other: Mutant) -> Iterator[Word]:
    """Yield the words that cross a changed transition right behind the cover, then all."""
    for source, letter in other.changed:
        if source < len(cover):
            start = (*cover[source], letter)
            for at in range(bisect_left(suite, start), len(suite)):
                if suite[at][: len(start)] != start:
                    break
                yield suite[at]
    yield from suite


def difference(one: Machine, other: Machine) -> Word | None:
    """Return a shortest word that two machines answer differently from their beginnings; `None` if they are equivalent."""
    seen = {(0, 0)}
    waiting: list[tuple[int, int, Word]] = [(0, 0, ())]
    for left, right, word in waiting:
        for letter, (given, target) in one.steps[left].items():
            seen_given, reached = other.steps[right][letter]
            if given != seen_given:
                return (*word, letter)
            if (target, reached) not in seen:
                seen.add((target, reached))
                waiting.append((target, reached, (*word, letter)))
    return None
