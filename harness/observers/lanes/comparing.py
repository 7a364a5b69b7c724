"""Comparison of the inputs and results of each lane of a vector variant with what they should have been."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.harness.machines.runtime.x86 import X86_64_AVX512
from abiprobe.oracles.abis.vfabi.variant import LaneGroup, Once, Spread, Variant, VariantPlaces
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Located, Register
from abiprobe.results.verdicts.compare import in_place
from abiprobe.results.verdicts.locations import ElementIn, InMemory, Named, Where
from abiprobe.results.verdicts.record import Difference, Verdict, from_differences
from abiprobe.results.verdicts.values import AtWork, Element, Number, Words

LANES = "vfabi:lanes.concurrent"
FILES = X86_64_AVX512.files
"""Those of the registers of all instruction sets that variants are for."""
NO_PLACE = Named("-")


class Given(msgspec.Struct, frozen=True):
    """The inputs of a call of a variant.

    `active` are the lanes it is for. `params` has for each parameter what each lane must see, `None` where C gives
    it no value, and `masks` which of its bits count; `results` has what each lane returns.
    """

    active: tuple[int, ...]
    params: tuple[tuple[bytes | None, ...], ...]
    masks: tuple[bytes, ...]
    results: tuple[bytes, ...]


class LaneObservation(msgspec.Struct, frozen=True):
    """The observation of a call.

    `count` is how many lanes ran; `rows` has for each of them what it saw of each parameter. `results` has what came
    back for each lane, active or not.
    """

    count: int
    rows: tuple[tuple[bytes, ...], ...]
    results: tuple[bytes, ...]


def judge_lanes(
    variant: Variant, places: VariantPlaces, given: Given, shown: LaneObservation, names: Sequence[str]
) -> Iterator[Difference]:
    """The differences of one call: for each parameter and the result the first lane that is wrong.

    `names` are those of the parameters.
    """
    who = short(variant)
    if shown.count != len(given.active):
        clause = places.mask.clause if places.mask is not None else LANES
        mask = places.mask.parts[0] if places.mask is not None else None
        yield Difference(
            "callee",
            f"{who} lanes",
            in_place(mask.place, FILES) if mask else Named("variant"),
            AtWork(len(given.active)),
            Number(shown.count),
            clause,
        )
        return
    for number, name in enumerate(names):
        for row, lane in zip(shown.rows, given.active, strict=True):
            wanted = given.params[number][lane]
            if wanted is not None and not same(wanted, row[number], given.masks[number]):
                place, clause = holder(places.params[number], lane)
                expected, seen = Element(wanted.hex()), Element(row[number].hex())
                yield Difference("callee", f"{who} {name} lane {lane}", place, expected, seen, clause)
                break
    yield from _wrong_results(who, places, given, shown)


def same(one: bytes, other: bytes, mask: bytes) -> bool:
    """Return whether two values are equal except for their padding."""
    care = int.from_bytes(mask, "little")
    return int.from_bytes(one, "little") & care == int.from_bytes(other, "little") & care


def _wrong_results(
    who: str, places: VariantPlaces, given: Given, shown: LaneObservation
) -> Iterator[Difference]:
    if places.result is None:
        return
    for lane in given.active:
        wanted, seen = given.results[lane], shown.results[lane]
        if wanted != seen:
            place, clause = holder(places.result, lane)
            values = Element(wanted.hex()), Element(seen.hex())
            yield Difference("callee", f"{who} result lane {lane}", place, *values, clause)
            return


def judge_computed(
    variant: Variant,
    places: VariantPlaces,
    lanes: Sequence[int],
    scalar: Sequence[bytes],
    vector: Sequence[bytes],
    *,
    places_right: bool,
) -> Iterator[Difference]:
    """The first of `lanes` for which a variant computes something else than the scalar function of its unit."""
    assert places.result is not None, "only functions with a result compute"
    for lane in lanes:
        if scalar[lane] != vector[lane]:
            place, clause = holder(places.result, lane)
            yield Difference(
                "callee",
                f"{short(variant)} computed lane {lane}",
                place,
                Element(scalar[lane].hex(), computed=True),
                Element(vector[lane].hex()),
                LANES if places_right else clause,
                Words("a function that copies its parameters is right") if places_right else None,
            )
            return


def short(variant: Variant) -> str:
    """ISA, mask and length, as in a name."""
    return f"{variant.name.isa.value}{'M' if variant.name.masked else 'N'}{variant.name.lanes}"


def holder(argument: Spread | Once, lane: int) -> tuple[Where, str]:
    """Return the place of a lane of an argument, and its clause."""
    if isinstance(argument, Once):
        pieces = argument.passed.pieces
        if not pieces:
            return NO_PLACE, argument.passed.clause
        return in_place(pieces[0].place, FILES), pieces[0].clause
    part = next(part for part in argument.parts if part.first <= lane < part.last)
    if argument.indirect:
        return InMemory(offset=lane * argument.element), part.clause
    if not argument.element:
        return in_place(part.place, FILES), part.clause
    return ElementIn(Located.of(part.place, FILES, (lane - part.first) * argument.element)), part.clause


def verdict_of(probe: str, differences: Sequence[Difference], note: str) -> Verdict:
    """The verdict on all calls of all variants of a function; `note` says what of them was not run."""
    verdict = from_differences(probe, ProbeKind.LANES, tuple(differences))
    return verdict if differences or not note else msgspec.structs.replace(verdict, detail=note)


def result_lanes(
    places: VariantPlaces, registers: Mapping[str, bytes], memory: bytes, lanes: int
) -> tuple[bytes, ...]:
    """The elements of a result by lane, from registers or memory."""
    result = places.result
    if result is None:
        return ()
    size = result.element
    if result.indirect:
        return tuple(memory[lane * size : (lane + 1) * size] for lane in range(lanes))
    return tuple(
        element_of(part, registers, size, lane)
        for part in result.parts
        for lane in range(part.first, part.last)
    )


def element_of(part: LaneGroup, registers: Mapping[str, bytes], size: int, lane: int) -> bytes:
    """One element of a part in a register."""
    assert isinstance(part.place, Register), "results are in registers or in memory"
    start = (lane - part.first) * size
    return registers[part.place.name][start : start + size]
