"""Windows on x86-64: LLP64 and Microsoft's convention, in ELF objects, so that the programs run here.

clang's triples that end in `-elf` have the ABI of Windows and that file format. MinGW's gcc writes COFF.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_GNU = ("x86_64-w64-mingw32-",)
# The functions that look at the pages of a large frame before it is used are the system's.
_STACK = "-mno-stack-arg-probe"


def _platform(target: str, triple: str, *gcc: str) -> Platform:
    return Platform(
        target,
        triple,
        {"clang": by_triple(triple, _STACK), "gcc": ("-m64", _STACK, *gcc)},
        _GNU,
        coff=frozenset({"gcc"}),
    )


PLATFORMS = (
    # MinGW's long double is that of x87, unless it is told otherwise.
    _platform("x86_64-windows-msvc", "x86_64-pc-windows-msvc-elf", "-mlong-double-64"),
    _platform("x86_64-windows-gnu", "x86_64-w64-windows-gnu-elf"),
)
