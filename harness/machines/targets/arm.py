"""32-bit Arm, ARMv7-A with NEON: the base variant of AAPCS32, and the one that passes in VFP registers."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple


def _platform(target: str, triple: str, float_abi: str) -> Platform:
    code = ("-march=armv7-a", "-mfpu=neon", f"-mfloat-abi={float_abi}", "-marm")
    prefixes = dict.fromkeys((f"{triple}-", "arm-linux-gnueabihf-", "arm-linux-gnueabi-"))
    return Platform(target, triple, {"clang": by_triple(triple, *code), "gcc": code}, tuple(prefixes))


PLATFORMS = (
    _platform("arm-aapcs", "arm-linux-gnueabi", "softfp"),
    _platform("arm-aapcs-vfp", "arm-linux-gnueabihf", "hard"),
)
