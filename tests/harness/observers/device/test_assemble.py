"""A ptxas that crashes, hangs, lies or refuses costs the functions it does that on, and no others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from abiprobe.harness.observers.device.assembler.assemble import Assembler, bisected
from abiprobe.harness.ptxas.physical import Side, check
from abiprobe.harness.subjects import cuda_tools
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.cuda_tools import Tool, absent, find_tool
from abiprobe.oracles.abis.ptx.parameter import Signature, array, parse_parameter
from abiprobe.results.verdicts.record import Judgement, Outcome

MakeFaux = Callable[[str], Assembler]
B32 = parse_parameter("b32")


def test_a_crash_is_bisected_to_its_function(faux: MakeFaux, tmp_path: Path) -> None:
    crashing = faux(
        'for f; do case $f in *.ptx) case $(cat $f) in *bad*) kill -SEGV $$;; esac;; esac; done; echo x > "$7"'
    )
    done = list(bisected(crashing, ["a", "b", "bad", "c"], "\n".join, tmp_path))
    assert {tuple(items): one.outcome for items, one in done} == {
        ("a", "b"): Outcome.OBSERVED,
        ("bad",): Outcome.CRASHED,
        ("c",): Outcome.OBSERVED,
    } or [one.outcome for items, one in done if list(items) == ["bad"]] == [Outcome.CRASHED]
    assert next(one for items, one in done if list(items) == ["bad"]).signal == "SIGSEGV"


def test_a_refusal_keeps_its_words(faux: MakeFaux, tmp_path: Path) -> None:
    found = faux('echo "ptxas unit.ptx, line 1; error : no such thing" >&2; exit 255').assemble("", tmp_path)
    assert found.outcome is Outcome.REFUSED
    assert "no such thing" in found.words


def test_a_hang_is_ended(faux: MakeFaux, tmp_path: Path) -> None:
    hanging = msgspec.structs.replace(faux("sleep 60"), limits=Limits(base_seconds=0.2))
    assert hanging.assemble("", tmp_path).outcome is Outcome.TIMED_OUT


def test_success_without_an_image_is_none(faux: MakeFaux, tmp_path: Path) -> None:
    assert faux("exit 0").assemble("", tmp_path).outcome is Outcome.CRASHED


def test_a_newer_version_is_lowered_to_what_ptxas_knows(faux: MakeFaux, tmp_path: Path) -> None:
    old = faux(
        "for f; do case $f in *.ptx) text=$f;; *.cubin) out=$f;; esac; done\n"
        "case $(cat $text) in *.version\\ 7.8*) echo x > $out && exit 0;; esac\n"
        "echo \"ptxas $text, line 1; fatal   : Unsupported .version 8.8; current version is '7.8'\" >&2; exit 255"
    )
    assert old.assemble(".version 8.8\n.target sm_75\n", tmp_path).outcome is Outcome.OBSERVED


def test_an_absent_tool_is_told_with_its_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    find_tool.cache_clear()
    monkeypatch.setattr(cuda_tools, "candidates", lambda _: iter(()))
    try:
        assert find_tool("ptxas") is None
        assert "PTX" in absent()["ptxas"]
    finally:
        find_tool.cache_clear()


@pytest.mark.parametrize("level", ["O1", "O3"])
def test_the_known_crash_costs_itself_only(ptxas: Tool, level: str) -> None:
    crash = Signature((), array(4, 52))
    signatures = (Signature((B32,), B32), crash, Signature((), array(4, 48)), Signature((B32,), array(4, 52)))
    found = {one.signature: one for one in check(Assembler(ptxas, level=level), Side.CALLER, signatures)}
    assert found[crash].outcome in {Outcome.CRASHED, Outcome.OBSERVED}
    assert all(found[own].judgement is Judgement.AGREES for own in signatures if own != crash)
