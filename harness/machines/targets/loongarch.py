"""LoongArch: the base ABIs of LA64, and ILP32D and ILP32S of LA32, without vector extensions, whose registers no argument is in and which older qemus do not have."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

NO_LSX = 18
"""The first release of clang that knows -mno-lsx."""


def _platform(abi: str, system: str, *options: str) -> Platform:
    triple, code = f"loongarch64-{system}", (f"-mabi={abi}", *options, "-mno-lsx", "-mno-relax")
    return Platform(
        f"loongarch64-{abi}",
        triple,
        {"clang": by_triple(triple, *code), "gcc": code},
        ("loongarch64-linux-gnu-",),
        frozenset({"loongarch64"}),
        clang_since=NO_LSX,
    )


def _narrow(abi: str, system: str, *options: str) -> Platform:
    """LA32: gcc's compiler for LA64 builds for it from 16 on, if it is told the architecture; clang's triple says it."""
    triple = f"loongarch32-{system}"
    code = (f"-mabi={abi}", *options, "-mno-relax")
    options_of = {"clang": by_triple(triple, *code), "gcc": ("-march=la32v1.0", *code)}
    return Platform(
        f"loongarch32-{abi}", triple, options_of, ("loongarch64-linux-gnu-",), gcc_since=16, clang_since=22
    )


PLATFORMS = (
    _platform("lp64d", "linux-gnu"),
    # With registers of 64 bits clang has a double in one, where FRLEN is 32.
    _platform("lp64f", "linux-gnuf32", "-mfpu=32"),
    _platform("lp64s", "linux-gnusf"),
    _narrow("ilp32d", "linux-gnu", "-mfpu=64"),
    _narrow("ilp32s", "linux-gnusf"),
)
