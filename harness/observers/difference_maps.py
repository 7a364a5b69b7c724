"""Verdicts of several subjects side by side: only where somebody differs from the model, or from another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.history.breaks import Break
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.report.maps import Map, MapRow
from abiprobe.results.verdicts.locations import BITS, BYTES
from abiprobe.results.verdicts.record import Difference, Judgement, Verdict
from abiprobe.results.verdicts.wording import value_text, where_text

NOTHING = ("nothing",)
"""The cell of a subject for a place that it was not seen to fill or read."""
UNASKED = "-"
"""The cell of a subject that does not make, or does not show, what a row is about."""


def difference_maps(subjects: tuple[str, ...], done: Sequence[BatchDone]) -> tuple[Map, ...]:
    """A map for each kind of probe on which one of `subjects` differs from the model; `done` are their batches of one question."""
    seen = [{verdict.kind: verdict for verdict in batch.verdicts} for batch in done]
    kinds = dict.fromkeys(kind for one in seen for kind in one)
    made = (Map(kind.value, subjects, tuple(rows([one.get(kind) for one in seen]))) for kind in kinds)
    return tuple(one for one in made if one.rows)


def differing(maps: Sequence[Map]) -> tuple[Map, ...]:
    """The maps in which a subject's words are not the model's, but for those to which no subject has anything to say."""
    return tuple(
        one
        for one in maps
        if any(words != row.model for row in one.rows for words in row.seen)
        and any(words != NOTHING for row in one.rows for words in row.seen)
    )


def rows(seen: Sequence[Verdict | None]) -> Iterator[MapRow]:
    """A row for each place at which one of the verdicts differs."""
    by_place = [
        {} if verdict is None else {heading(one): one for one in verdict.differences} for verdict in seen
    ]
    for place, first in {place: one for own in by_place for place, one in own.items()}.items():
        yield MapRow(
            place,
            (value_text(first.expected),),
            tuple(
                (cell(verdict, own.get(place), first),) for verdict, own in zip(seen, by_place, strict=True)
            ),
        )


def heading(difference: Difference) -> str:
    """Return the heading of a row: a name by itself, anything else with its place."""
    if difference.side == "object" and difference.place in {BYTES, BITS}:
        return f"{difference.what} in {where_text(difference.place)}"
    if difference.side == "object":
        return f"{difference.what} {value_text(difference.expected)}"
    return f"{difference.side}: {difference.what} in {where_text(difference.place)}"


def cell(verdict: Verdict | None, own: Difference | None, first: Difference) -> str:
    """Return what one subject shows where another differs."""
    if own is not None:
        return value_text(own.seen)
    asked = verdict is not None and verdict.verdict is not Judgement.UNOBSERVED
    return value_text(first.expected) if asked else UNASKED


def difference_breaks(before: Sequence[Verdict], after: Sequence[Verdict]) -> Iterator[Break]:
    """Yield the differences between two subjects of which at least one differs from the model; both were observed."""
    then, now = by_kind(before), by_kind(after)
    for kind in (kind for kind in then if kind in now):
        old, new = then[kind], now[kind]
        if Judgement.UNOBSERVED in {old.verdict, new.verdict}:
            continue
        by_place = [{heading(one): one for one in verdict.differences} for verdict in (old, new)]
        for place, first in {place: one for own in by_place for place, one in own.items()}.items():
            first_seen, then_seen = (own[place].seen if place in own else first.expected for own in by_place)
            if first_seen != then_seen:
                yield Break(old.probe, first.side, place, value_text(first_seen), value_text(then_seen))
        if not old.differences and not new.differences and old.verdict is not new.verdict:
            yield Break(
                old.probe, kind.value, "the program", old.detail or "answers", new.detail or "answers"
            )


def by_kind(verdicts: Sequence[Verdict]) -> Mapping[ProbeKind, Verdict]:
    """Verdicts by the kind of probe, but for pairs."""
    return {one.kind: one for one in verdicts if one.kind is not ProbeKind.PAIR}
