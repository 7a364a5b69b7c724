"""Golden rows on vector functions: where the lanes of one variant lie, and the clauses behind each part of its name and each place.

A row is a dialect, C, the answer about one variant, and clauses in the order of the answer. `_ZGVcN8vu_f: ymm0{0:4}/32 ymm1{4:8}/32[8], rdi[0:4]/8:any` is the
variant of that name, for ISA `c` without mask and of 8 lanes: lanes 0 to 3 of the first argument are in ymm0 and the others in ymm1, elements of 8 bytes in
places of 32; the second, of 4 bytes, is passed once in 8 with anything above it. `& mask` is where the mask is, and
`*` a result in memory; then the bytes on the stack, and behind bars what a lane adds to each parameter, which parameter holds that, and its unit. Instead of a variant there are the refusals of pragmas,
`refused: why`, or `unspecified`.

Clauses come in groups that bars separate: of the number of lanes; of each parameter's letter; of alignments; of each place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from msgspec.structs import replace as replaced

from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Param, Pointer, Prototype
from abiprobe.oracles.language.simd import Linear, Modifier
from abiprobe.oracles.model import AbiModel
from laboratory.golden import Fact, tables

TRIPLE = "x86_64-linux-gnu"
REFERENCE = "ref_"
"""How the name of a parameter begins that stands for a C++ reference."""
MODIFIERS = {"ref_ref_": Modifier.REF, "ref_uval_": Modifier.UVAL}
"""How it begins where the pragma has a modifier that C does not know."""


@cache
def rows() -> tuple[tuple[str, str, str, str], ...]:
    """Target, C, answer and clauses of each row."""
    found = tables.rows("vfabi", "lanes.tsv")
    return tuple((target, source, said, rest[0] if rest else "") for target, source, said, *rest in found)


def question(source: str) -> Prototype:
    """The function of a row; C++ has a reference where C has a pointer whose name begins so, and may say more of it."""
    found = read(source.replace("\\n", "\n") + ";\n", filename="row.c", triple=TRIPLE).functions[-1]
    simd = tuple(replaced(one, linear=tuple(map(modified, one.linear))) for one in found.simd)
    return replaced(found, params=tuple(map(as_reference, found.params)), simd=simd)


def modified(clause: Linear) -> Linear:
    """A clause, with the modifier that the name of its first parameter stands for."""
    modifier = next((own for name, own in MODIFIERS.items() if clause.params[0].startswith(name)), None)
    return clause if modifier is None else replaced(clause, modifier=modifier)


def as_reference(param: Param) -> Param:
    """A parameter, as a reference if its name says that it stands for one."""
    if not param.name.startswith(REFERENCE) or not isinstance(param.type, Pointer):
        return param
    return replaced(param, type=replaced(param.type, reference=True))


def facts() -> tuple[Fact, ...]:
    """The rows as facts: those about bytes first, then those about clauses."""
    asked = [(row, question(row[1])) for row in rows()]
    told = [
        Fact(row[1], row[0], partial(holds, asked=one, variant=variant_of(row[2]), part=0, expected=row[2]))
        for row, one in asked
    ]
    cited = [
        Fact(row[1], row[0], partial(holds, asked=one, variant=variant_of(row[2]), part=1, expected=row[3]))
        for row, one in asked
        if row[3]
    ]
    return (*told, *(replace(one, cites=True) for one in cited))


def variant_of(said: str) -> str:
    """The letters of the variant that an answer is about, `cN` for ISA and mask; empty where there is none."""
    return said[4:6] if said.startswith("_ZGV") else ""


def holds(_: object, model: AbiModel, asked: Prototype, variant: str, part: int, expected: str) -> bool:
    """Return whether a model says, or cites, what a row expects."""
    return answer(model, asked, variant)[part] == expected


def answer(model: Any, asked: Prototype, letters: str) -> tuple[str, str]:
    """What a model says of one variant of a function, and the clauses that it cites."""
    # By names: the classes of a wrong model's answers may be its own.
    found = model.variants(asked)
    if type(found).__name__ == "Unspecified":
        return "unspecified", found.clause
    if type(found).__name__ != "Variants":
        return "unsupported", ""
    if not letters:
        return "; ".join(f"refused: {one.why}" for one in found.refusals), " ".join(
            one.clause for one in found.refusals
        )
    one = next((one for one in found.variants if str(one.name)[4:6] == letters), None)
    return ("no such variant", "") if one is None else (line(one), clauses(one))


def line(variant: Any) -> str:
    """One variant."""
    steps = " ".join("-" if step is None else str(step) for step in variant.steps)
    strides = " ".join("-" if stride is None else str(stride) for stride in variant.strides)
    head, tail = (
        f"{variant.name}:",
        f"| {steps} | {strides} | {' '.join(map(str, variant.units))}",
    )
    places = variant.places
    if type(places).__name__ == "Unspecified":
        return f"{head} unspecified {tail}"
    params = ", ".join(map(argument, places.params))
    mask = "" if places.mask is None else f" & {argument(places.mask)}"
    result = "" if places.result is None else f" -> {argument(places.result)}"
    hidden = "" if places.hidden is None else f" ({once(places.hidden)})"
    return f"{head} {params}{mask}{result}{hidden}; {places.stack_bytes} {tail}"


def argument(one: Any) -> str:
    """The places of an argument of all lanes, or of one that is passed once."""
    if type(one).__name__ == "Once":
        return " ".join(map(once, one.passed.pieces)) or "-"
    mark = "*" if one.indirect else ""
    parts = " ".join(f"{spot(part.place)}{{{part.first}:{part.last}}}/{part.width}" for part in one.parts)
    return f"{mark}{parts}[{one.element}]"


def once(piece: Any) -> str:
    """A piece of a scalar, how wide its place is, and what stands above it there."""
    above = "" if piece.extension is None else f":{piece.extension.value}"
    return f"{spot(piece.place)}[{piece.start}:{piece.end}]/{piece.width}{above}"


def spot(place: Any) -> str:
    """A register, or memory by its offset."""
    return str(place.name) if hasattr(place, "name") else f"stack{place.offset:+}"


def clauses(variant: Any) -> str:
    """The clauses of a variant, in groups."""
    groups = [[variant.length_clause], variant.param_clauses, [variant.alignment_clause]]
    places = variant.places
    if type(places).__name__ == "Unspecified":
        groups.append([places.clause])
    else:
        spread = [*places.params, *(one for one in (places.mask, places.result) if one is not None)]
        groups.append([clause for one in spread for clause in cited(one)])
    return " | ".join(" ".join(group) or "-" for group in groups)


def cited(one: Any) -> Iterator[str]:
    """The clauses of one argument."""
    if type(one).__name__ == "Once":
        yield one.passed.clause
        yield from (piece.clause for piece in one.passed.pieces)
        return
    yield one.clause
    yield from (part.clause for part in one.parts)
