"""Libraries of other architectures: the runtime as a library of theirs, and the programs that an emulator runs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.workbench import bench
from abiprobe.harness.observers.foreign.build import EXPORTED, shared_runtime
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.debian.names import ARCHITECTURES, EMULATORS, wanted
from abiprobe.harness.subjects.families.libraries import CTYPES, LIBRARIES
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement
from tests.conftest import USERS_CACHE

from .asking import calls, layout, need

ELSEWHERE = ("i386-sysv", "aarch64-aapcs64", "arm-aapcs-vfp")


@pytest.mark.parametrize("target", ELSEWHERE)
def test_the_runtime_is_a_library_that_needs_no_other(target: str) -> None:
    try:
        library = shared_runtime(bench(find_target(target)))
    except Problem as problem:
        pytest.skip(f"no runtime for {target}: {problem}")
    with library.open("rb") as file:
        elf = ELFFile(file)
        symbols = {one.name for one in elf.get_section_by_name(".dynsym").iter_symbols()}
        needed = [
            one for one in elf.get_section_by_name(".dynamic").iter_tags() if one.entry.d_tag == "DT_NEEDED"
        ]
    assert symbols >= set(EXPORTED)
    assert not needed


@pytest.mark.parametrize("target", ELSEWHERE)
def test_interpreters_are_asked_wherever_an_emulator_runs_them(target: str) -> None:
    architecture = ARCHITECTURES[target]
    found = wanted(f"python3-{architecture}")
    assert found is not None
    assert found.emulator == EMULATORS[architecture]
    asked = {library.name for library in LIBRARIES if target in library.flags}
    assert asked == {"cffi", "ctypes", "luajit"}


def test_nothing_is_asked_of_an_architecture_without_its_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The emulator is looked for, too, since nothing else starts the program."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert CTYPES.find("ctypes", "arm-aapcs-vfp") is None


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find what the user has installed, which the cache of the tests does not hold."""
    monkeypatch.setattr(releases, "folder", lambda: Path(os.environ[USERS_CACHE]) / "releases")


CALLS = [
    ("cffi", "double f(int a, signed char b, double c);"),
    ("ctypes", "struct S { int a; double b; }; double f(struct S a, long long b, float c);"),
    ("luajit", "int f(long long a, unsigned char b, double c);"),
]


@pytest.mark.long
@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("target", ELSEWHERE)
@pytest.mark.parametrize(("library", "source"), CALLS)
def test_calls_are_made_and_taken_there(library: str, source: str, target: str) -> None:
    need(library, target)
    found = calls(source, library, target)
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found
    assert {"caller", "callee"} <= found.keys()


@pytest.mark.long
@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("library", ["cffi", "ctypes", "luajit"])
def test_a_double_of_i386_is_aligned_as_there(library: str) -> None:
    need(library, "i386-sysv")
    assert layout("struct S { char a; double b; };", library, "i386-sysv").verdict is Judgement.AGREES


@pytest.mark.long
@pytest.mark.usefixtures("_installed")
def test_a_char_of_arm_is_extended_by_zeros() -> None:
    """ctypes has it as a signed one, so what a callee of C may rely on is not there."""
    need("ctypes", "arm-aapcs-vfp")
    caller = calls("void f(char a);", "ctypes", "arm-aapcs-vfp")["caller"]
    assert caller.verdict is Judgement.DEVIATES
    assert "saw 11" not in caller.detail


@pytest.mark.long
@pytest.mark.usefixtures("_installed")
def test_luajit_takes_the_second_float_for_the_first_on_arm() -> None:
    need("luajit", "arm-aapcs-vfp")
    callee = calls("void f(float a, float b);", "luajit", "arm-aapcs-vfp")["callee"]
    assert callee.verdict is Judgement.DEVIATES
    assert "found in s0" in callee.detail
