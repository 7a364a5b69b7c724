"""Every observed fact: the names, and where each lane lies, as the model says."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from abiprobe.oracles.abis.vfabi.name import parse_name
from abiprobe.oracles.abis.vfabi.variant import Once, Spread, Variant, VariantPlaces, Variants
from abiprobe.oracles.text.place import Passing, Register, StackSlot

from .golden import identity, model, of_kind, question

WIDEST = {"b": "xmm", "c": "ymm", "d": "ymm", "e": "zmm"}


@pytest.mark.parametrize("fact", of_kind("names"), ids=identity)
@pytest.mark.parametrize(
    ("dialect", "subjects"),
    [
        ("gcc", ("gcc12", "gcc11")),
        ("clang", ("clang22", "clang19", "clang16")),
        ("clang14", ("clang14",)),
    ],
)
def test_names(fact: dict[str, Any], dialect: str, subjects: tuple[str, ...]) -> None:
    answer = model(dialect).variants(question(fact))
    assert isinstance(answer, Variants)
    for subject in subjects:
        seen = fact.get(subject, fact["clang22" if "clang" in subject else "gcc12"])
        if seen != "error":
            assert sorted(answer.symbols) == sorted(seen)
    if dialect == "gcc":
        assert bool(answer.refusals) is (fact["gcc12"] == [])


@pytest.mark.parametrize("fact", of_kind("names"), ids=identity)
def test_what_the_document_says_of_names(fact: dict[str, Any]) -> None:
    answer = model("document").variants(question(fact))
    said = fact["document"]
    names = answer.symbols if isinstance(answer, Variants) else frozenset()
    if said == "agrees with both":
        assert sorted(names) == sorted(fact["gcc12"])
    elif said.startswith("does not say how wide"):
        assert sorted(names) == sorted(fact["clang22"])
    elif said.startswith("writes s<pos>"):
        assert sorted(names) == sorted(name.replace("ls", "s") for name in fact["clang22"])
    elif said.startswith("silent"):
        assert not names
    elif said.startswith("names variants"):
        # Two cases are none of a name: a length that is no power of two, and one that is no whole number.
        assert names or fact["id"] in {"n.simdlen3_int", "n.cdt_v32"}


def where(variant: Variant, name: str, part_place: Any) -> str:
    """The register by the widest name that the ISA has for it, as the facts write it."""
    if isinstance(part_place, StackSlot):
        return "stack"
    assert isinstance(part_place, Register)
    for prefix in ("xmm", "ymm", "zmm"):
        if part_place.name.startswith(prefix):
            return WIDEST[variant.name.isa.value] + part_place.name[3:]
    return part_place.name


def located(variant: Variant, spread: Spread) -> list[dict[str, Any]]:
    """The parts of a vector as the facts list them: neighbours on the stack are one."""
    found: list[dict[str, Any]] = []
    for part in spread.parts:
        place = part.place
        offset = place.offset - 8 if isinstance(place, StackSlot) else 0
        size = (part.last - part.first) * spread.element
        last = found[-1] if found else None
        if (
            last
            and last["reg"] == "stack"
            and isinstance(place, StackSlot)
            and last["offset"] + last["bytes"] == offset
        ):
            last["lanes"][1] = part.last
            last["bytes"] += size
        else:
            found.append(
                {
                    "reg": where(variant, spread.name, place),
                    "offset": offset,
                    "lanes": [part.first, part.last],
                    "bytes": size,
                }
            )
    return found


def the_variant(fact: dict[str, Any], symbol: str) -> Variant:
    answer = model("").variants(question(fact))
    assert isinstance(answer, Variants)
    return next(variant for variant in answer.variants if variant.symbol == symbol)


def check_arguments(variant: Variant, places: VariantPlaces, seen: list[dict[str, Any]]) -> None:
    params = {param.name: param for param in places.params}
    for argument in seen:
        name, _, path = argument["arg"].partition(".")
        param = params[name]
        if isinstance(param, Spread):
            assert argument["at"] == located(variant, param)
            continue
        assert isinstance(param, Once)
        member = {"": 0, "x": 0, "x[0]": 0, "y": 4, "x[5]": 20}[path]
        if path == "y" and param.passed.size == 16:
            member = 8
        (at,) = argument["at"]
        assert at["lanes"] == "all"
        piece = next(piece for piece in param.passed.pieces if piece.start <= member < piece.end)
        base = piece.place.offset - 8 if isinstance(piece.place, StackSlot) else 0
        assert at["reg"] == where(variant, name, piece.place)
        assert at["offset"] == base + member - piece.start


@pytest.mark.parametrize("fact", of_kind("locations"), ids=identity)
def test_locations(fact: dict[str, Any]) -> None:
    variant = the_variant(fact, fact["symbol"])
    places, seen = variant.places, fact["observed"]
    assert isinstance(places, VariantPlaces)
    assert variant.name.lanes == seen["vlen"]
    check_arguments(variant, places, seen["args"])
    result = places.result
    assert result is not None
    total = variant.name.lanes * result.element
    assert total == seen["ret"]["bytes"]
    if seen["ret"]["where"] == "memory":
        assert result.indirect
        assert places.hidden is not None
        assert places.hidden.place == Register(seen["ret"]["hidden_pointer"])
    else:
        (part,) = result.parts
        assert where(variant, "", part.place).replace("rax", "eax") == seen["ret"]["where"]


@pytest.mark.parametrize("fact", of_kind("mask-locations"), ids=identity)
def test_masks(fact: dict[str, Any]) -> None:
    variant = the_variant(fact, fact["symbol"])
    places, seen = variant.places, fact["observed"]
    assert isinstance(places, VariantPlaces)
    assert places.mask is not None
    pointer = places.params[1]
    assert isinstance(pointer, Once)
    assert pointer.passed.passing is Passing.DIRECT
    assert pointer.passed.pieces[0].place == Register(seen["linear_pointer"])
    assert variant.name.lanes == seen["vlen"]
    assert places.mask.element == (seen["mask_element_bytes"] or 0)
    units = {part["unit"] for part in seen["mask"]}
    assert units == ({"element"} if places.mask.element else {"bit"})
    found = [(at["reg"], at["lanes"]) for at in located(variant, places.mask)]
    assert found == [(at["reg"], at["lanes"]) for at in seen["mask"]]


@pytest.mark.parametrize("fact", of_kind("call-site"), ids=identity)
def test_call_sites(fact: dict[str, Any]) -> None:
    symbols = [name for name in fact["called"] if name.startswith("_ZGV")]
    answer = model("").variants(question(fact))
    assert isinstance(answer, Variants)
    assert set(symbols) <= answer.symbols
    if not symbols:
        assert fact["called"] == ["scalar f only"]
        return
    variant = the_variant(fact, symbols[-1])
    assert isinstance(variant.places, VariantPlaces)
    assert variant.name.lanes == fact["observed"]["vlen"]
    check_arguments(variant, variant.places, fact["observed"]["args"])
    result = variant.places.result
    assert result is not None
    assert result.indirect is (fact["observed"]["ret"] == "memory")


@pytest.mark.parametrize("fact", of_kind("libmvec"), ids=identity)
def test_libmvec(fact: dict[str, Any]) -> None:
    answer = model("").variants(question(fact))
    assert isinstance(answer, Variants)
    assert sorted(answer.symbols) == sorted(fact["symbols"])


def test_every_fact_is_looked_at() -> None:
    assert len(of_kind("names", "locations", "mask-locations", "call-site", "libmvec")) == 115


@pytest.mark.parametrize("fact", of_kind("names"), ids=identity)
def test_names_are_read_back(fact: dict[str, Any]) -> None:
    for subject in ("gcc12", "clang22", "clang14"):
        names = [name for name in fact.get(subject, []) if name.startswith("_ZGV")]
        assert [str(parse_name(name)) for name in names] == names
    assert all(one < other for one, other in pairwise(sorted(fact["gcc12"])))
