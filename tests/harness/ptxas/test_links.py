"""Pairs of a caller and a callee that do not see the same signature, linked by nvlink."""

from __future__ import annotations

from pathlib import Path

from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas.links import LINKED, Pair, fixed, link
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.parameter import Signature, parse_parameter


def test_the_linker_compares_prototype_strings_alone(ptxas: Tool, nvlink: Tool) -> None:
    found = fixed(ptxas)
    assert len(found) == len(LINKED)
    assert all(one.linked is one.expected for one in found)
    assert all("Prototype doesn't match" in one.words for one in found if not one.linked)


def test_an_alignment_breaks_a_call_silently(ptxas: Tool, nvlink: Tool, tmp_path: Path) -> None:
    def signature(align: int) -> Signature:
        return Signature((parse_parameter("b32"), parse_parameter(f".align {align} .b8[8]")))

    (found,) = link(Assembler(ptxas), nvlink, [Pair(signature(4), signature(8))], tmp_path)
    assert found.silent_break
    assert not found.aligned
    assert found.moved == ("argument 1 is passed in R5 and read from R6",)
