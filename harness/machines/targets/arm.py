"""32-bit Arm, ARMv7-A with NEON: the base variant of AAPCS32, and the one that passes in VFP registers."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import LIBRARIES, Platform, by_triple


def _platform(target: str, triple: str, float_abi: str) -> Platform:
    code = ("-march=armv7-a", "-mfpu=neon", f"-mfloat-abi={float_abi}", "-marm")
    prefixes = dict.fromkeys((f"{triple}-", "arm-linux-gnueabihf-", "arm-linux-gnueabi-"))
    # No Debian has programs of the base variant any more.
    libraries = LIBRARIES if target == "arm-aapcs-vfp" else {}
    options = {"clang": by_triple(triple, *code), "gcc": code, **libraries}
    return Platform(target, triple, options, tuple(prefixes))


PLATFORMS = (
    _platform("arm-aapcs", "arm-linux-gnueabi", "softfp"),
    _platform("arm-aapcs-vfp", "arm-linux-gnueabihf", "hard"),
)
