"""LoongArch: LP64D and LP64S, without vector extensions, whose registers no argument is in and which older qemus do not have."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple


def _platform(abi: str, system: str) -> Platform:
    triple, code = f"loongarch64-{system}", (f"-mabi={abi}", "-mno-lsx", "-mno-relax")
    return Platform(
        f"loongarch64-{abi}",
        triple,
        {"clang": by_triple(triple, *code), "gcc": code},
        ("loongarch64-linux-gnu-",),
        frozenset({"loongarch64"}),
    )


PLATFORMS = (_platform("lp64d", "linux-gnu"), _platform("lp64s", "linux-gnusf"))
