"""The physical model against a real ptxas, byte by byte; a broken model must not pass."""

from __future__ import annotations

from collections import Counter

import pytest

from abiprobe.generators.ptx import device_pool, kernel_pool, large_kernel_pool
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas import physical
from abiprobe.harness.ptxas.physical import Side, check
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.parameter import Signature
from abiprobe.oracles.abis.ptx.sass import kernels, places
from abiprobe.results.verdicts.record import Judgement, Outcome

POOLS = {Side.CALLEE: device_pool, Side.CALLER: device_pool, Side.KERNEL: kernel_pool}


@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
@pytest.mark.parametrize("side", Side)
def test_every_byte_is_where_the_model_says(ptxas: Tool, side: Side, arch: str) -> None:
    found = list(check(Assembler(ptxas, arch), side, POOLS[side](7, 40)))
    assert len(found) == 40
    assert [one for one in found if one.judgement is Judgement.DEVIATES] == []
    assert {one.outcome for one in found} <= {Outcome.OBSERVED, Outcome.CRASHED}


@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90"])
def test_large_kernels_begin_where_the_model_says(ptxas: Tool, arch: str) -> None:
    if not ptxas.takes_large_kernels:
        pytest.skip("ptxas is older than PTX 8.1, so no kernel has more than 4352 bytes of parameters")
    asked = large_kernel_pool(7, 40)
    sizes = [kernels.offsets_from(one.params, 0)[1] for one in asked]
    assert min(sizes) <= kernels.SMALL_LIMIT < max(sizes)
    found = list(check(Assembler(ptxas, arch), Side.KERNEL, asked))
    assert [one.judgement for one in found] == [Judgement.AGREES] * 40


def verdicts(ptxas: Tool, side: Side, arch: str = "sm_75") -> Counter[Judgement]:
    return Counter(one.judgement for one in check(Assembler(ptxas, arch), side, POOLS[side](3, 60)))


def splitting(free: list[bool], size: int, align: int) -> int | None:
    """As the model, without regard to alignment."""
    taken = places.words(size)
    starts = range(places.COUNT + 1 - taken)
    return next((first for first in starts if all(free[first : first + taken])), None)


def without_holes(free: list[bool], size: int, align: int) -> int | None:
    """As the model, but never before a register in use."""
    start = max((index + 1 for index, is_free in enumerate(free) if not is_free), default=0)
    found = places_first_fit(free, size, align)
    return found if found is None or found >= start else None


places_first_fit = places.first_fit


@pytest.mark.parametrize("mutant", [splitting, without_holes])
def test_a_broken_model_is_found_out(ptxas: Tool, monkeypatch: pytest.MonkeyPatch, mutant: object) -> None:
    monkeypatch.setattr(places, "first_fit", mutant)
    assert verdicts(ptxas, Side.CALLEE)[Judgement.DEVIATES]


@pytest.mark.parametrize(("name", "value"), [("COUNT", 16), ("ALIGN_LIMIT", 8), ("RESULT_LIMIT", 64)])
def test_a_wrong_number_is_found_out(
    ptxas: Tool, monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    monkeypatch.setattr(places, name, value)
    assert verdicts(ptxas, Side.CALLEE)[Judgement.DEVIATES]


def test_a_wrong_origin_is_found_out(ptxas: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "OWN_ORIGIN", 0)
    assert verdicts(ptxas, Side.KERNEL, "sm_90")[Judgement.DEVIATES]


def test_an_undecoded_function_never_agrees(ptxas: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_code: bytes) -> object:
        raise physical.UndecodedError("opcode 0xfff at 0x0")

    monkeypatch.setattr(physical, "follow", fail)
    (found,) = check(Assembler(ptxas), Side.CALLEE, (Signature(()),))
    assert (found.judgement, found.outcome) == (Judgement.UNOBSERVED, Outcome.UNDECODED)
