"""Judging layouts from several witnesses: each against the text or against the compiler's own constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Layout
from abiprobe.results.verdicts.locations import BITS, BYTES, Named
from abiprobe.results.verdicts.notes import Disagreement, Said
from abiprobe.results.verdicts.record import Difference, Verdict, from_differences
from abiprobe.results.verdicts.values import Alignment, BitRange, Nothing, Size, Value

SIDES = {ProbeKind.LAYOUT: "object", ProbeKind.DEBUG_INFO: "debug info", ProbeKind.VALUES: "values"}


class WitnessObservation(msgspec.Struct, frozen=True):
    """The observation of one witness of a record: size and alignment in bytes, bit offset and width by member path.

    `align` is `None` where the witness does not tell it; a path is missing where it knows no such member. `preferred`
    are the alignments in bytes that the compiler prefers for the types of members, where it was asked, and `alignments`
    those of members and of their types, by what they are of.
    """

    size: int
    align: int | None
    places: Mapping[str, tuple[int, int]]
    preferred: Mapping[str, int] = {}
    alignments: Mapping[str, int] = {}


class _Item(msgspec.Struct, frozen=True):
    """One number to compare: what it is of, its unit, the text's value and clause, and each witness's value."""

    what: str
    unit: Named
    expected: Value
    clause: str
    seen: dict[ProbeKind, Value]


def judge_debug_info(probe: str, predicted: Layout, shown: Mapping[ProbeKind, WitnessObservation]) -> Verdict:
    """Compare DWARF with the constants of the same compiler: code that its debug information contradicts deviates.

    Where both say the same, what that is worth is the verdict on the constants.
    """
    return _judged(probe, ProbeKind.DEBUG_INFO, predicted, shown, against_text=False)


def judge_values(probe: str, predicted: Layout, shown: Mapping[ProbeKind, WitnessObservation]) -> Verdict:
    """Compare what running code does with the text and with the constants of the same compiler."""
    return _judged(probe, ProbeKind.VALUES, predicted, shown, against_text=True)


def judge_told(probe: str, kind: ProbeKind, told: Layout, said: WitnessObservation) -> Verdict:
    """Compare a witness with what a compiler is known to have it say, whatever other witnesses do."""
    differences = tuple(
        Difference(SIDES[kind], item.what, item.unit, item.expected, seen, item.clause)
        for item in _items(told, {kind: said})
        if (seen := item.seen.get(kind)) is not None and seen != item.expected
    )
    return from_differences(probe, kind, differences)


def _judged(
    probe: str,
    kind: ProbeKind,
    predicted: Layout,
    shown: Mapping[ProbeKind, WitnessObservation],
    *,
    against_text: bool,
) -> Verdict:
    differences = []
    for item in _items(predicted, shown):
        seen, own = item.seen.get(kind), item.seen[ProbeKind.LAYOUT]
        if seen is None or (seen == own and not (against_text and seen != item.expected)):
            continue
        # Who departs from the text is to blame: the constants where this witness follows it.
        blamed = ProbeKind.LAYOUT if seen == item.expected else kind
        differences.append(
            Difference(
                SIDES[blamed],
                item.what,
                item.unit,
                item.expected,
                item.seen[blamed],
                item.clause,
                _disagreement(item.seen),
            )
        )
    # A misplaced member tells more than the size that follows from it.
    differences.sort(key=lambda item: item.place == BYTES)
    return from_differences(probe, kind, tuple(differences))


def _items(predicted: Layout, shown: Mapping[ProbeKind, WitnessObservation]) -> Iterator[_Item]:
    sizes: dict[ProbeKind, Value] = {kind: Size(one.size) for kind, one in shown.items()}
    aligns: dict[ProbeKind, Value] = {
        kind: Alignment(one.align) for kind, one in shown.items() if one.align is not None
    }
    yield _Item("sizeof", BYTES, Size(predicted.size), predicted.clause, sizes)
    yield _Item("_Alignof", BYTES, Alignment(predicted.align), predicted.clause, aligns)
    for member in predicted.members:
        places = {kind: _bits(one.places.get(member.path)) for kind, one in shown.items()}
        expected = _bits((member.bit_offset, member.bit_width))
        yield _Item(member.path, BITS, expected, member.clause, places)


def _bits(place: tuple[int, int] | None) -> Value:
    return Nothing() if place is None else BitRange(*place)


def _disagreement(seen: Mapping[ProbeKind, Value]) -> Disagreement | None:
    """Every witness with what it says, when they do not all say the same."""
    if len(set(seen.values())) == 1:
        return None
    return Disagreement(tuple(Said(kind, seen[kind]) for kind in SIDES if kind in seen))
