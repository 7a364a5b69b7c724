"""Real RISC-V toolchains: the quick ways of asking answer as the drivers do, and headers and reach are as written."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from abiprobe.harness.riscv.asking import directives
from abiprobe.harness.riscv.code_models import linkers, probe_models
from abiprobe.harness.riscv.differential import differ
from abiprobe.harness.riscv.judges import Clang, Gcc, Judge, installed
from abiprobe.harness.riscv.objects import probe_objects
from abiprobe.harness.riscv.triage import UNTRIAGED, reason
from abiprobe.oracles.riscv.isa import CodeModel

MARCHES = ("rv64i", "rv64gc", "rv64i_zfoo", "rv16i", "RV64I", "rv64imm", "rv32ima")
NEWEST = ("clang-22", "riscv64-linux-gnu-gcc", "riscv64-unknown-elf-gcc")


@pytest.fixture(params=NEWEST)
def judge(request) -> Judge:
    found = installed((request.param,))
    if not found:
        pytest.skip(f"{request.param} is not installed")
    return found[0]


def test_a_string_asked_among_many_is_answered_as_alone(judge):
    together = judge.marches(MARCHES)
    assert together == {march: judge.marches((march,))[march] for march in MARCHES}
    assert not together["rv64gc"]
    assert together["rv64i_zfoo"]
    assert together["rv16i"]


def test_a_string_is_answered_as_the_driver_answers(judge):
    together = judge.marches(MARCHES)
    for march in MARCHES:
        assert bool(together[march]) == bool(judge.whole(march, "ilp32" if "32" in march else "lp64"))


def test_q_brings_d_or_the_tool_is_found_out(judge):
    whole = judge.whole("rv64iq", "lp64d")
    own = judge.floats(("rv64iq", "rv64gq"))
    assert bool(whole) == (own["rv64iq"] == "q")


def test_every_disagreement_has_a_reason(judge):
    outcome = differ((judge,), 2000, seed=7)
    assert [row for row in outcome.rows if row.reason == UNTRIAGED] == []
    assert outcome.unfaithful == ()
    assert outcome.agreed[judge.name] > outcome.asked // 2


def test_the_same_seed_finds_the_same(judge):
    one, other = (differ((judge,), 200, seed=3) for _ in range(2))
    assert one.rows == other.rows


def test_headers_are_as_written(judge):
    found = list(probe_objects(judge, ("rv32e", "rv32gc", "rv64gc")))
    header_differs = [each for each in found for d in each.differences if not d.startswith("arch")]
    assert found
    assert header_differs == []


def test_links_reach_to_the_edge(judge):
    tools = {name: command for name, command in linkers().items() if "lld" in name}
    if not tools:
        pytest.skip("ld.lld is not installed")
    found = list(probe_models(judge, tools))
    assert {each.model for each in found} == set(CodeModel)
    assert {each.linked for each in found} == {True, False}
    assert [each for each in found if not each.agrees] == []


def test_a_failing_tool_removes_nothing_of_ours(judge):
    judge.marches(("rv16i",))
    judge.whole("rv16i", "lp64")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_what_cannot_stand_in_a_directive_is_not_asked():
    with pytest.raises(ValueError, match="cannot be put"):
        directives(("as",), ('rv64i"; .include "x',))


def test_an_unknown_disagreement_is_untriaged():
    assert reason("clang-22", "", "no one ever said this") == UNTRIAGED


def test_a_judge_is_found_by_name_only():
    assert all(isinstance(each, (Clang, Gcc)) for each in installed())
    assert installed(("clang-1",)) == ()
