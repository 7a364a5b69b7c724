"""AArch64: AAPCS64 as Linux has it, and as Apple platforms and Windows change it.

With SVE, gcc and clang are told how long its registers are, since records have no vectors otherwise.
clang's triples that end in `-elf` have the ABI of those systems and that file format, so that the programs run as others do.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import LIBRARIES, Platform, by_triple
from abiprobe.oracles.language.sve import SVE_BITS

# An image has none of the library functions that atomic operations would otherwise be.
_CODE = ("-mno-outline-atomics",)

_SVE = ("-march=armv8-a+sve", f"-msve-vector-bits={SVE_BITS}")


def _platform(machine: str, order: str, *more: str, processor: str = "") -> Platform:
    # One gcc builds for both byte orders; nothing of a C library is needed, so that either will do.
    processor = processor or machine
    triple = f"{processor}-linux-gnu"
    prefixes = dict.fromkeys((f"{triple}-", "aarch64-linux-gnu-"))
    libraries = LIBRARIES if machine == "aarch64" else {}
    return Platform(
        f"{machine}-aapcs64",
        triple,
        {"clang": by_triple(triple, *_CODE, *more), "gcc": (*_CODE, order, *more), **libraries},
        tuple(prefixes),
        frozenset({processor}),
    )


_DARWIN = "arm64-apple-macosx-elf"
_WINDOWS = "aarch64-pc-windows-msvc-elf"
# The functions that look at the pages of a large frame before it is used are the system's.
_STACK = "-mno-stack-arg-probe"
PLATFORMS = (
    _platform("aarch64", "-mlittle-endian"),
    _platform("aarch64_be", "-mbig-endian"),
    _platform("aarch64_sve", "-mlittle-endian", *_SVE, processor="aarch64"),
    # Only LLVM's back end has ILP32 on Linux: for this triple clang has the types of LP64 in files that say ILP32.
    Platform(
        "aarch64_ilp32-aapcs64",
        "aarch64-linux-gnu_ilp32",
        {"gcc": (*_CODE, "-mabi=ilp32", "-mlittle-endian")},
        ("aarch64-linux-gnu-",),
    ),
    # Until clang 18 addresses are written as in Mach-O, which the ELF writer refuses.
    Platform("aarch64-darwin", _DARWIN, {"clang": by_triple(_DARWIN, *_CODE)}, clang_since=19),
    # Of clang 19 and earlier the data layout is at odds with the format; 20 and 21 have not been tried.
    Platform(
        "aarch64-windows-msvc", _WINDOWS, {"clang": by_triple(_WINDOWS, *_CODE, _STACK)}, clang_since=22
    ),
)
