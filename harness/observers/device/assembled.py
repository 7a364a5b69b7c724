"""The objects that ptxas makes of a compiler's text: one with the callees of some prototypes, and one with the callers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import msgspec

from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.device.assembler.assemble import Assembler, halves
from abiprobe.harness.observers.device.assembler.cubin import Cubin
from abiprobe.harness.observers.device.pruned import functions_at, pruned
from abiprobe.harness.observers.device.unit import ENTER, LEAVE
from abiprobe.results.verdicts.record import Outcome

_CALLEE = re.compile(r"\bf_(\d+)\b")


class AssembledUnit(msgspec.Struct, frozen=True):
    """An object with the callers, or the callees, of some prototypes, and the text that it was assembled from."""

    text: str
    cubin: Cubin
    data: bytes
    numbers: frozenset[int]


def callees_of(text: str, numbers: Collection[int]) -> str:
    """A text cut down to the callees of these numbers, under the name that callers know: `t_N`."""
    return _CALLEE.sub(
        r"t_\1", pruned(text, {ENTER, LEAVE, *(f"f_{number}" for number in numbers)}.__contains__)
    )


LINKED, POINTERS = "ct", "p"
"""The functions that are linked, callers and callees, and those that call through a pointer, by the first letters of their names."""


def cut_down(text: str, numbers: Collection[int], kinds: str = LINKED) -> str:
    """A text cut down to functions of these numbers."""
    return pruned(
        text, {ENTER, LEAVE, *(f"{kind}_{number}" for number in numbers for kind in kinds)}.__contains__
    )


def parts(
    attempt: Attempt, assembler: Assembler, text: str, numbers: Sequence[int], kinds: str = LINKED
) -> Iterator[tuple[int, AssembledUnit | Failed]]:
    """The object with each of these numbers; when ptxas fails, those without errors, and each of the others by itself."""
    if not numbers:
        return
    cut = cut_down(text, numbers, kinds)
    assembled = assembler.assemble(cut, attempt.folder, len(numbers))
    attempt.link_seconds += assembled.cpu_seconds
    if assembled.outcome is Outcome.OBSERVED:
        part = part_of(cut, assembled.image, numbers)
        yield from ((number, part) for number in numbers)
    elif len(numbers) == 1:
        yield numbers[0], Failed(assembled.outcome, f"ptxas: {assembled.signal or assembled.words}")
    else:
        for some in separable(cut, assembled.lines, numbers, kinds):
            yield from parts(attempt, assembler, text, some, kinds)


def separable(
    text: str, lines: Collection[int], numbers: Sequence[int], kinds: str = LINKED
) -> Iterator[Sequence[int]]:
    """The numbers in whose functions no line with an error is, and each other one; each half where no line tells."""
    names = functions_at(text, lines)
    faulty = [number for number in numbers if any(f"{kind}_{number}" in names for kind in kinds)]
    if not faulty:
        yield from halves(numbers)
        return
    others = [number for number in numbers if number not in faulty]
    if others:
        yield others
    yield from ([number] for number in faulty)


def part_of(text: str, image: bytes, numbers: Sequence[int]) -> AssembledUnit | Failed:
    """Return ptxas's output as a unit, if it is an image."""
    try:
        return AssembledUnit(text, Cubin(image), image, frozenset(numbers))
    except ValueError as error:
        return Failed(Outcome.UNDECODED, f"ptxas wrote no image: {error}")


def code(part: AssembledUnit | Failed, name: str) -> bytes:
    """The machine code of a function, empty where there is none."""
    return b"" if isinstance(part, Failed) else part.cubin.code(name) or b""
