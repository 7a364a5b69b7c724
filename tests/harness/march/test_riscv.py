"""Real RISC-V toolchains: the quick ways of asking answer as the drivers do, and headers and reach are as written."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.march import deviates
from abiprobe.harness.march import differential
from abiprobe.harness.march.batch_driver import directives
from abiprobe.harness.march.causes import REASONS, UNKNOWN, UNTRIAGED, reason
from abiprobe.harness.march.code_models import Linked, linkers, probe_models
from abiprobe.harness.march.differential import Disagreement, Outcome, differ
from abiprobe.harness.march.objects import Compared, probe_objects
from abiprobe.harness.march.toolchains import Clang, Gcc, Judge, installed, named
from abiprobe.harness.subjects.find import discover
from abiprobe.oracles.abis.riscv.isa import CodeModel
from abiprobe.oracles.registry import find_target

MARCHES = ("rv64i", "rv64gc", "rv64i_zfoo", "rv16i", "RV64I", "rv64imm", "rv32ima")
NEWEST = ("clang-22", "gcc-12", "gcc:riscv64-unknown-elf-gcc")


@pytest.fixture(params=NEWEST)
def judge(request) -> Judge:
    try:
        return named((request.param,))[0]
    except Problem:
        pytest.skip(f"{request.param} is not installed")


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


def test_the_same_seed_finds_the_same(judge, monkeypatch):
    # Whole pairs are no part of the rows, and each starts a driver.
    monkeypatch.setattr(differential, "SAMPLE", 5)
    one, other = (differ((judge,), 20, seed=3) for _ in range(2))
    assert one.rows
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
    assert reason("clang", "", "no one ever said this") is UNKNOWN


def test_reasons_are_of_families_that_there_are():
    assert {each.family for each in REASONS} <= {"clang", "gcc", "*"}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "cc"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return path


def test_every_compiler_for_riscv_that_is_listed_is_asked():
    listed = {
        one.spelling
        for one in discover((find_target("riscv64-lp64d"),))
        if one.family.name in {"clang", "gcc", "zig"}
    }
    found = installed()
    assert listed <= {each.name for each in found}
    assert len({each.name for each in found}) == len(found)


def test_a_toolchain_has_the_name_that_it_has_elsewhere(program):
    clang, gcc = named((f"clang:{program}", f"gcc:{program}"))
    assert (type(clang), clang.name, clang.family) == (Clang, f"clang:{program}", "clang")
    assert (type(gcc), gcc.name, gcc.family) == (Gcc, f"gcc:{program}", "gcc")


def test_a_plain_name_of_a_gcc_for_riscv_is_understood(program, monkeypatch):
    program.rename(program.with_name("riscv64-unknown-elf-gcc"))
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    assert [each.name for each in named(("riscv64-unknown-elf-gcc",))] == ["gcc:riscv64-unknown-elf-gcc"]


def test_options_of_a_subject_are_given_to_it(program):
    (found,) = named((f"clang:{program} -menable-experimental-extensions",))
    assert "-menable-experimental-extensions" in found.compiler("rv64i")


@pytest.mark.parametrize("name", ["clang-1", "tcc", "riscv64-none-elf-gcc", "gcc:/nowhere/gcc", "icc"])
def test_what_is_no_riscv_toolchain_is_a_problem(name):
    with pytest.raises(Problem, match=r"no such RISC-V toolchain|unknown compiler"):
        named((name,))


def outcome(*rows: Disagreement, unfaithful: tuple[str, ...] = ()) -> Outcome:
    return Outcome(1, 1, 0, {}, 0, unfaithful, rows, {})


KNOWN = Disagreement("clang", "capitals are not read", "", 3, "RV64I lp64", "no")
NEW = Disagreement("clang", UNTRIAGED, "", 1, "rv64i lp64", "no")
NEWER = Disagreement(
    "clang", "the extension is newer than the tool", "", 9, "rv64i_zfoo lp64", "no", lacks=True
)
REACHED = Linked("clang", "ld", next(iter(CodeModel)), 64, 0, 0, reachable=True, linked=True, words="")
MISSED = Linked("clang", "ld", next(iter(CodeModel)), 64, 0, 0, reachable=True, linked=False, words="no")


@pytest.mark.parametrize(
    ("found", "objects", "links", "expected"),
    [
        (outcome(), [], [], False),
        (outcome(), [Compared("clang", "rv64i", "lp64", ())], [REACHED], False),
        (outcome(NEWER), [], [], False),
        (outcome(KNOWN), [], [], True),
        (outcome(NEWER, NEW), [], [], True),
        (outcome(unfaithful=("clang",)), [], [], True),
        (outcome(), [Compared("clang", "rv64i", "lp64", ("flags",))], [], True),
        (outcome(), [], [REACHED, MISSED], True),
    ],
)
def test_a_toolchain_that_departs_from_the_text_deviates(found, objects, links, expected):
    assert deviates(found, objects, links) is expected


def test_what_is_newer_than_a_tool_is_counted_apart():
    both = outcome(KNOWN, NEW, NEWER)
    assert (both.deviating, both.untriaged) == (4, 1)
