"""The variants of a function for reports: as JSON values, and as tables of their arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from abiprobe.oracles.abis.vfabi.variant import (
    Argument,
    LaneGroup,
    Once,
    Spread,
    Variant,
    VariantPlaces,
    Variants,
)
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.simd import pragma
from abiprobe.oracles.text.place import Place, Register, Unspecified, Unsupported
from abiprobe.oracles.text.supplement import LaneRow, Remark, Section, Supplement


def supplement(function: Prototype, answer: Variants | Unspecified | Unsupported) -> Supplement:
    """Return the variants of a function as reports print them."""
    headings = tuple(map(pragma, function.simd))
    match answer:
        case Unspecified(clause, why):
            silent = {"clause": clause, "why": why}
            return Supplement(
                {"variants": [], "refusals": [], "variants_unspecified": silent}, headings, (), answer
            )
        case Unsupported(why):
            return Supplement(
                {"variants": [], "refusals": [], "variants_unsupported": why}, headings, (), answer
            )
        case Variants(variants, refusals):
            body = {
                "variants": [variant_json(variant) for variant in variants],
                "refusals": [
                    {"pragma": refusal.pragma, "clause": refusal.clause, "why": refusal.why}
                    for refusal in refusals
                ],
            }
            remarks = tuple(
                Remark(f"pragma {one.pragma + 1} has no variants", one.why, one.clause) for one in refusals
            )
            return Supplement(body, headings, remarks, tuple(map(section, variants)))


def section(variant: Variant) -> Section:
    """One variant as a table of its arguments."""
    about = f"{variant.name.isa.title}, {variant.name.lanes} lanes"
    places = variant.places
    found = places if isinstance(places, Unspecified) else tuple(rows(places))
    return Section(variant.symbol, about, variant.length_clause, variant.param_clauses, found)


def variant_json(variant: Variant) -> dict[str, Any]:
    """One variant: its name taken apart, and where each lane lies."""
    name, places = variant.name, variant.places
    body: dict[str, Any] = {
        "symbol": variant.symbol,
        "isa": name.isa.value,
        "masked": name.masked,
        "lanes": name.lanes,
        "clause": variant.length_clause,
        "params": [],
        "result": None,
    }
    if isinstance(places, Unspecified):
        return body | {"unspecified": {"clause": places.clause, "why": places.why}}
    letters = zip(places.params, name.params, strict=True)
    body["params"] = [{**argument_json(param), "letters": text} for param, text in letters]
    if places.mask is not None:
        body["mask"] = argument_json(places.mask)
    if places.result is not None:
        body["result"] = argument_json(places.result)
    hidden = places.hidden
    if hidden is not None:
        body["hidden"] = [
            {
                "role": "result pointer",
                "pieces": [{"bytes": [0, 8], **place_json(hidden.place), "clause": hidden.clause}],
            }
        ]
    return body | {"stack_bytes": places.stack_bytes}


def argument_json(argument: Argument) -> dict[str, Any]:
    """A parameter, mask or result: `lanes` and `bytes` are half-open ranges of the vector value."""
    if isinstance(argument, Once):
        passed = argument.passed
        pieces = [
            {"bytes": [piece.start, piece.end], **place_json(piece.place), "clause": piece.clause}
            for piece in passed.pieces
        ]
        return {
            "name": passed.name,
            "type": passed.type,
            "passing": passed.passing.value,
            "pieces": pieces,
        }
    return {
        "name": argument.name,
        "type": argument.type,
        "passing": "indirect" if argument.indirect else "vector",
        "pieces": [part_json(argument, number, part) for number, part in enumerate(argument.parts)],
    }


def part_json(spread: Spread, number: int, part: LaneGroup) -> dict[str, Any]:
    """One part of a vector; of a result in memory its offset from the hidden pointer."""
    start = part.first * spread.element if spread.element else number * part.width
    place = {"memory": start} if spread.indirect else place_json(part.place)
    return {
        "lanes": [part.first, part.last],
        "bytes": [start, start + part.width],
        **place,
        "clause": part.clause,
    }


def place_json(place: Place) -> dict[str, Any]:
    """A place, as everywhere in predictions."""
    return {"reg": place.name} if isinstance(place, Register) else {"stack": place.offset}


def rows(places: VariantPlaces) -> Iterator[LaneRow]:
    """A row for each part of an argument."""
    if places.hidden is not None:
        yield LaneRow("result pointer", "", "", place_text(places.hidden.place), places.hidden.clause)
    arguments = [*places.params, *([places.mask] if places.mask else [])]
    for argument in arguments:
        yield from argument_rows(argument, argument.name)
    if places.result is not None:
        yield from argument_rows(places.result, "result")


def argument_rows(argument: Argument, name: str) -> Iterator[LaneRow]:
    """The rows of one argument; its name stands in the first."""
    if isinstance(argument, Once):
        for number, piece in enumerate(argument.passed.pieces):
            first = (name, argument.passed.type, "all") if not number else ("", "", "")
            yield LaneRow(*first, f"{place_text(piece.place)}[0:{piece.end - piece.start}]", piece.clause)
        return
    for number, part in enumerate(argument.parts):
        about = (name, argument.type) if not number else ("", "")
        if argument.indirect:
            place = f"memory+{part.first * argument.element}"
        else:
            place = f"{place_text(part.place)}[0:{part.width}]"
        yield LaneRow(*about, f"{part.first}-{part.last - 1}", place, part.clause)


def place_text(place: Place) -> str:
    """A place in words."""
    return place.name if isinstance(place, Register) else f"stack+{place.offset}"
