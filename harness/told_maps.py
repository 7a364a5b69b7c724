"""The map of a deviation that is read and not run, a vector function or a call in PTX: only where somebody differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.batch import Job
from abiprobe.harness.remembering import answer
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.blame import Asked
from abiprobe.results.record import Difference, Judgement, Verdict
from abiprobe.results.report.maps import Map, MapRow

UNASKED = "-"
"""What stands for a subject that does not make, or does not show, what a row is about."""


def told_maps(target: str, sort: str, function: Prototype, asked: Sequence[Asked]) -> tuple[Map, ...]:
    """A map for each kind of probe on which one of `asked` differs from the model."""
    seen = [verdicts(target, sort, function, one) for one in asked]
    subjects = tuple(f"{subject} -{level}" for subject, level in asked)
    kinds = dict.fromkeys(kind for one in seen for kind in one)
    made = (Map(kind.value, subjects, tuple(rows([one.get(kind) for one in seen]))) for kind in kinds)
    return tuple(one for one in made if one.rows)


def verdicts(target: str, sort: str, function: Prototype, asked: Asked) -> dict[ProbeKind, Verdict]:
    """What one subject is told about a function, by the kind of probe."""
    (done,) = answer(Job(target, 0, sort, (function,), (asked,)))
    return {verdict.kind: verdict for verdict in done.verdicts}


def rows(seen: Sequence[Verdict | None]) -> Iterator[MapRow]:
    """A row for each place at which one of the verdicts differs."""
    told = [{} if verdict is None else {heading(one): one for one in verdict.differences} for verdict in seen]
    for place, first in {place: one for own in told for place, one in own.items()}.items():
        yield MapRow(
            place,
            (first.expected,),
            tuple((cell(verdict, own.get(place), first),) for verdict, own in zip(seen, told, strict=True)),
        )


def heading(difference: Difference) -> str:
    """What a row is about: a name by itself, anything else with its place."""
    if difference.side == "object":
        return f"{difference.what} {difference.expected}"
    return f"{difference.side}: {difference.what} in {difference.place}"


def cell(verdict: Verdict | None, own: Difference | None, first: Difference) -> str:
    """What one subject shows where another differs."""
    if own is not None:
        return own.seen
    asked = verdict is not None and verdict.verdict is not Judgement.UNOBSERVED
    return first.expected if asked else UNASKED
