"""Vector variants as JSON values and as text, of models that have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Argument, Once, Part, Places, Spread, Variant, Variants
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Place, Register, Unspecified, Unsupported
from abiprobe.oracles.simd import pragma
from abiprobe.results.report.layout_text import CLAUSE_STYLE, PLACE_STYLE
from abiprobe.results.report.no_answer import print_no_answer
from abiprobe.results.report.wrap import print_hanging


def variants_json(model: AbiModel, function: Prototype) -> dict[str, Any]:
    """The keys `variants` and `refusals` of a function; nothing where the model knows no variants."""
    if not isinstance(model, VectorModel):
        return {}
    answer = model.variants(function)
    match answer:
        case Unspecified(clause, why):
            return {"variants": [], "refusals": [], "variants_unspecified": {"clause": clause, "why": why}}
        case Unsupported(why):
            return {"variants": [], "refusals": [], "variants_unsupported": why}
        case Variants(variants, refusals):
            return {
                "variants": [variant_json(variant) for variant in variants],
                "refusals": [
                    {"pragma": refusal.pragma, "clause": refusal.clause, "why": refusal.why}
                    for refusal in refusals
                ],
            }


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


def part_json(spread: Spread, number: int, part: Part) -> dict[str, Any]:
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


def print_variants(console: Console, model: AbiModel, function: Prototype) -> tuple[str, ...]:
    """Print the variants of a function and where their lanes lie; returns the clauses cited, in order."""
    if not isinstance(model, VectorModel) or not function.simd:
        return ()
    console.print()
    for simd in function.simd:
        print_hanging(console, Text(pragma(simd), style="bold"), indent=4)
    answer = model.variants(function)
    if not isinstance(answer, Variants):
        return print_no_answer(console, function.name, answer)
    cited: list[str] = []
    for refusal in answer.refusals:
        text = Text.assemble(
            (f"pragma {refusal.pragma + 1} has no variants: ", "bold yellow"),
            f"{refusal.why} ",
            (f"[{refusal.clause}]", CLAUSE_STYLE),
        )
        print_hanging(console, text)
        cited.append(refusal.clause)
    for variant in answer.variants:
        cited += print_variant(console, variant)
    return tuple(dict.fromkeys(cited))


def print_variant(console: Console, variant: Variant) -> list[str]:
    """One variant as a table of its arguments."""
    cited = [variant.length_clause, *variant.param_clauses]
    console.print()
    console.print(
        Text.assemble(
            (variant.symbol, "bold"),
            f"  {variant.name.isa.title}, {variant.name.lanes} lanes ",
            (f"[{variant.length_clause}]", CLAUSE_STYLE),
        ),
        soft_wrap=True,
    )
    if isinstance(variant.places, Unspecified):
        return [*cited, *print_no_answer(console, "where its lanes lie", variant.places)]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in ("argument", "type", "lanes", "place", "clause"):
        table.add_column(column, overflow="fold")
    for name, c_type, lanes, place, clause in rows(variant.places):
        table.add_row(name, c_type, lanes, Text(place, PLACE_STYLE), Text(clause, CLAUSE_STYLE))
        cited.append(clause)
    console.print(table)
    return cited


def rows(places: Places) -> Iterator[tuple[str, str, str, str, str]]:
    """Argument, type, lanes, place and clause, a row for each part."""
    if places.hidden is not None:
        yield "result pointer", "", "", place_text(places.hidden.place), places.hidden.clause
    arguments = [*places.params, *([places.mask] if places.mask else [])]
    for argument in arguments:
        yield from argument_rows(argument, argument.name)
    if places.result is not None:
        yield from argument_rows(places.result, "result")


def argument_rows(argument: Argument, name: str) -> Iterator[tuple[str, str, str, str, str]]:
    """The rows of one argument; its name stands in the first."""
    if isinstance(argument, Once):
        for number, piece in enumerate(argument.passed.pieces):
            first = (name, argument.passed.type, "all") if not number else ("", "", "")
            yield *first, f"{place_text(piece.place)}[0:{piece.end - piece.start}]", piece.clause
        return
    for number, part in enumerate(argument.parts):
        about = (name, argument.type) if not number else ("", "")
        if argument.indirect:
            place = f"memory+{part.first * argument.element}"
        else:
            place = f"{place_text(part.place)}[0:{part.width}]"
        yield *about, f"{part.first}-{part.last - 1}", place, part.clause


def place_text(place: Place) -> str:
    """A place in words."""
    return place.name if isinstance(place, Register) else f"stack+{place.offset}"
