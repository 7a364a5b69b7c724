"""Vector functions are drawn alike everywhere, within their bounds, and as C and OpenMP have them."""

from __future__ import annotations

from itertools import islice

from hypothesis import HealthCheck, given, settings

from abiprobe.generators.simd import Bounds, stream, vector_functions
from abiprobe.harness.input import read
from abiprobe.harness.machines.render.simd import declaration, needs_cxx
from abiprobe.oracles.abis.vfabi import VectorModel, parse_name
from abiprobe.oracles.abis.vfabi.variant import Spread, Variants
from abiprobe.oracles.language.lang import Pointer, Prototype
from abiprobe.oracles.registry import TARGETS

quick = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def drawn(count: int, **bounds: bool) -> tuple[Prototype, ...]:
    return tuple(islice(stream(seed=3, bounds=Bounds(**bounds)), count))


def variants(dialect: str, function: Prototype) -> Variants:
    model = TARGETS["x86_64-vfabi"].in_dialect(dialect).model()
    assert isinstance(model, VectorModel)
    answer = model.variants(function)
    assert isinstance(answer, Variants)
    return answer


def test_a_seed_always_draws_the_same() -> None:
    assert drawn(300) == drawn(300)
    assert len(set(drawn(300))) == 300


def test_without_refusals_only_lengths_and_steps_are_too_large() -> None:
    for function in drawn(200, refused=False):
        refusals = variants("gcc", function).refusals
        assert all("simdlen" in refusal.why or "large" in refusal.why for refusal in refusals)


def test_with_refusals_each_kind_of_them_occurs() -> None:
    whys = {
        refusal.why.split(" ")[1] for function in drawn(800) for refusal in variants("gcc", function).refusals
    }
    words = {refusal.why for function in drawn(800) for refusal in variants("gcc", function).refusals}
    assert {"simdlen", "return", "argument", "zero", "large"} <= whys, words


def test_references_are_drawn_when_asked_for() -> None:
    assert not any(map(needs_cxx, drawn(200)))
    assert sum(map(needs_cxx, drawn(200, references=1))) > 100


def without_pointees(function: Prototype) -> Prototype:
    """Pointers are read with what they point to only where a pragma counts in it."""
    from msgspec.structs import replace

    return replace(
        function,
        params=tuple(
            replace(param, type=replace(param.type, to=None)) if isinstance(param.type, Pointer) else param
            for param in function.params
        ),
        result=replace(function.result, to=None) if isinstance(function.result, Pointer) else function.result,
    )


def test_what_is_drawn_is_read_back_and_named_alike() -> None:
    for function in drawn(60):
        text = declaration(function)
        found = read(text, filename="drawn.c", triple="x86_64-linux-gnu").functions[-1]
        assert without_pointees(found) == without_pointees(function), text
        assert variants("gcc", found).symbols == variants("gcc", function).symbols


@quick
@given(vector_functions(refused=False))
def test_laws_of_places(function: Prototype) -> None:
    for variant in variants("gcc", function).variants:
        assert parse_name(variant.symbol) == variant.name
        places = variant.places
        assert hasattr(places, "params"), places
        taken: list[object] = [] if places.hidden is None else [places.hidden.place]
        for argument in (*places.params, *([places.mask] if places.mask else [])):
            if isinstance(argument, Spread):
                assert [part.first for part in argument.parts[1:]] == [
                    part.last for part in argument.parts[:-1]
                ]
                assert (argument.parts[0].first, argument.parts[-1].last) == (0, variant.name.lanes)
                taken += [part.place for part in argument.parts]
            else:
                taken += [piece.place for piece in argument.passed.pieces]
        assert len(set(map(str, taken))) == len(taken)


@quick
@given(vector_functions(references=True))
def test_every_dialect_answers(function: Prototype) -> None:
    for dialect in ("gcc", "clang", "clang14"):
        answer = variants(dialect, function)
        assert answer.variants or answer.refusals
