"""Which machines the host is, as far as it tells."""

from __future__ import annotations

import pytest

from abiprobe.harness.machines.executors import native as module
from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.executors.native import Native, native


@pytest.fixture
def on(monkeypatch):
    """Makes the host another: its platform, its processor, and whether its kernel runs 32-bit programs."""

    def become(platform: str, processor: str, *, i386: bool) -> None:
        monkeypatch.setattr(module.sys, "platform", platform)
        monkeypatch.setattr(module.platform, "machine", lambda: processor)
        monkeypatch.setattr(module, "_kernel_runs_i386", lambda: i386)

    return become


@pytest.mark.parametrize(
    ("processor", "i386", "runs"),
    [
        ("x86_64", True, {"i386", "x86_64"}),
        ("x86_64", False, {"x86_64"}),
        ("i686", False, {"i386"}),
        ("riscv64", False, {"riscv64"}),
        ("aarch64", False, {"aarch64"}),
    ],
)
def test_what_linux_runs(on, processor, i386, runs):
    on("linux", processor, i386=i386)
    machines = ("aarch64", "riscv32", "riscv64", "i386", "x86_64")
    assert {name for name in machines if isinstance(native(name), Native)} == runs


def test_a_kernel_for_64_bits_only_says_so(on):
    on("linux", "x86_64", i386=False)
    assert native("i386") == Absent("native", "the kernel runs no 32-bit programs")


def test_another_system_is_named(on):
    on("darwin", "x86_64", i386=False)
    assert native("x86_64") == Absent("native", "this is darwin on x86_64")


def test_a_program_that_cannot_be_run(monkeypatch):
    monkeypatch.setattr(module, "_I386_EXIT", b"\x0f\x0b")
    assert not module._kernel_runs_i386.__wrapped__()
