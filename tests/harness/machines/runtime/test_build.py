"""Building the runtime, and linking units with it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.runtime import build
from abiprobe.harness.machines.runtime.build import Trusted, find_trusted, link, runtime_objects
from abiprobe.harness.machines.runtime.machine import MACHINES, RISCV64
from abiprobe.harness.machines.runtime.machine import machine as find_machine
from abiprobe.harness.machines.runtime.x86 import X86_64
from tests.skipping import trusted_or_skip


@pytest.fixture(params=MACHINES.values(), ids=MACHINES)
def machine(request):
    return request.param


@pytest.fixture
def trusted(machine):
    return trusted_or_skip(machine)


@pytest.fixture
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


two_machines = pytest.mark.parametrize("machine", [RISCV64, X86_64], indirect=True, ids=["riscv64", "x86_64"])
"""What is the same for all machines is tested on two."""
own_cache = pytest.mark.usefixtures("_own_cache")
"""For what looks into the cache; the others find a runtime there that another test had built in the same way."""


@own_cache
@two_machines
def test_built_once_even_in_a_race(machine, trusted, tmp_path, monkeypatch):
    with ThreadPoolExecutor(4) as pool:
        answers = set(pool.map(lambda _: runtime_objects(machine, trusted), range(4)))
    (objects,) = answers
    assert [path.name for path in objects] == [f"{Path(machine.assembly).stem}.o", "driver.o"]
    contents = [path.read_bytes() for path in objects]
    monkeypatch.setattr(build, "_compile", None)
    assert runtime_objects(machine, trusted) == objects
    assert [path.read_bytes() for path in objects] == contents
    assert len([*(tmp_path / "cache" / "runtime").iterdir()]) == 2


@own_cache
@two_machines
def test_other_options_are_other_objects(machine, trusted, tmp_path):
    plain = runtime_objects(machine, trusted)
    assert runtime_objects(machine, Trusted((*trusted.cc, "-g0"), trusted.ld)) != plain


@own_cache
@two_machines
def test_a_compiler_that_refuses(machine, trusted, tmp_path):
    with pytest.raises(Problem, match="does not build the runtime"):
        runtime_objects(machine, Trusted((*trusted.cc, "--no-such-option"), trusted.ld))
    assert not (tmp_path / "cache" / "runtime").exists()


@two_machines
def test_undefined_symbols_are_in_the_linkers_words(machine, trusted, tmp_path):
    unit = tmp_path / "unit.c"
    calls = "".join(f"extern void absent_{n}(void); " for n in range(30))
    table = ", ".join(f"absent_{n}" for n in range(30))
    unit.write_text(f"{calls}\nvoid (*const abi_functions[])(void) = {{{table}}};\n")
    done = child.run((*trusted.cc, "-fno-pic", "-c", str(unit), "-o", str(tmp_path / "unit.o")), timeout=60)
    assert done.ok, done.stderr
    linked = link([tmp_path / "unit.o"], runtime_objects(machine, trusted), tmp_path / "image", trusted)
    assert not linked.ok
    assert all(f"absent_{n}" in linked.stderr.decode() for n in range(30))


def test_nothing_installed(monkeypatch):
    monkeypatch.setattr(build.shutil, "which", lambda _: None)
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(Problem, match="no trusted compiler for riscv64-lp64d: pip install ziglang"):
        find_trusted(RISCV64)


def test_the_first_and_the_last_toolchain_build_and_link(machine, tmp_path):
    compilers, linkers = [*build.trusted_compilers(machine)], [*build._linkers(machine)]
    builds_and_links(machine, {*compilers[:1], *compilers[-1:]}, {*linkers[:1], *linkers[-1:]}, tmp_path)


@pytest.mark.long
def test_every_toolchain_builds_and_links(machine, tmp_path):
    builds_and_links(machine, build.trusted_compilers(machine), build._linkers(machine), tmp_path)


def builds_and_links(machine, compilers, linkers, tmp_path):
    unit = tmp_path / "unit.c"
    unit.write_text("void (*const abi_functions[])(void) = {0};\n")
    linkers = tuple(linkers)
    for cc in compilers:
        for ld in linkers:
            trusted = Trusted(cc, ld)
            done = child.run((*cc, "-fno-pic", "-c", str(unit), "-o", str(tmp_path / "unit.o")), timeout=60)
            assert done.ok, (cc, done.stderr)
            linked = link(
                [tmp_path / "unit.o"],
                runtime_objects(machine, trusted),
                tmp_path / "image",
                trusted,
            )
            assert linked.ok, (trusted, linked.stderr)


@pytest.mark.parametrize(
    ("unit", "runtime"),
    [
        ("riscv64-lp64", "riscv64-lp64d"),
        ("riscv64-lp64f", "riscv64-lp64d"),
        ("riscv64-lp64e", "riscv64-lp64"),
        ("riscv32-ilp32", "riscv32-ilp32d"),
        ("riscv32-ilp32e", "riscv32-ilp32"),
    ],
)
def test_a_unit_of_another_abi_is_refused(unit, runtime, tmp_path):
    source, built = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text("void (*const abi_functions[])(void) = {0};\n")
    compiler, trusted = trusted_or_skip(find_machine(unit)), trusted_or_skip(find_machine(runtime))
    done = child.run((*compiler.cc, "-fno-pic", "-c", str(source), "-o", str(built)), timeout=60)
    assert done.ok, done.stderr
    objects = runtime_objects(find_machine(runtime), trusted)
    linked = link([built], objects, tmp_path / "image", trusted)
    assert not linked.ok
    assert b"ABI" in linked.stderr or b"RVE" in linked.stderr
