"""Images for larger vector registers: which executors have them, and that values survive the way through both sides."""

from __future__ import annotations

import pytest

from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.executors.find import absent, find
from abiprobe.harness.machines.executors.native import Native, native
from abiprobe.harness.machines.executors.qemu_user import qemu_user
from abiprobe.harness.machines.executors.unicorn import unicorn
from abiprobe.harness.machines.workbench import bench, no_such_vectors
from abiprobe.oracles.registry import find_target


def test_an_executor_with_smaller_registers_is_absent() -> None:
    assert isinstance(unicorn("x86_64", 32), Absent)
    assert isinstance(qemu_user("x86_64", 64), Absent)
    assert {each.name for each in absent("x86_64", 64)} >= {"unicorn", "qemu-user"}


@pytest.mark.parametrize(("size", "flag"), [(32, "avx"), (64, "avx512bw")])
def test_the_host_needs_the_feature(size: int, flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if isinstance(native("x86_64"), Absent):
        pytest.skip("the host is no x86-64")
    monkeypatch.setattr("abiprobe.harness.machines.executors.native._processor_flags", frozenset)
    found = native("x86_64", size)
    assert isinstance(found, Absent)
    assert flag in found.reason
    monkeypatch.setattr(
        "abiprobe.harness.machines.executors.native._processor_flags", lambda: frozenset({flag})
    )
    assert isinstance(native("x86_64", size), Native)


def test_vectors_that_every_processor_has_are_always_there() -> None:
    assert (
        no_such_vectors(find_target("x86_64-sysv"), 16) == no_such_vectors(find_target("i386-sysv"), 0) == ""
    )


@pytest.mark.parametrize("target", ["x86_64-sysv", "i386-sysv"])
@pytest.mark.parametrize("size", [32, 64])
def test_a_bench_for_such_vectors(target: str, size: int) -> None:
    if why := no_such_vectors(find_target(target), size):
        assert not find(target.partition("-")[0], size)
        assert why
        return
    here = bench(find_target(target), size)
    assert here.machine.vectors == size
    assert here.machine.registers[{32: "ymm0", 64: "zmm0"}[size]].width == size
    assert here.machine.registers["xmm0"].offset == here.machine.registers["ymm0"].offset
