"""AArch64: AAPCS64 as Linux has it."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

# An image has none of the library functions that atomic operations would otherwise be.
_CODE = ("-mno-outline-atomics",)


def _platform(machine: str, order: str) -> Platform:
    # One gcc builds for both byte orders; nothing of a C library is needed, so that either will do.
    triple = f"{machine}-linux-gnu"
    prefixes = dict.fromkeys((f"{triple}-", "aarch64-linux-gnu-"))
    return Platform(
        f"{machine}-aapcs64",
        triple,
        {"clang": by_triple(triple, *_CODE), "gcc": (*_CODE, order)},
        tuple(prefixes),
        frozenset({machine}),
    )


PLATFORMS = (_platform("aarch64", "-mlittle-endian"), _platform("aarch64_be", "-mbig-endian"))
