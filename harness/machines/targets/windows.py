"""Windows on x86-64 and i386: Microsoft's types and conventions, in ELF objects, so that the programs run here.

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


def _platform_32(target: str, triple: str, *gcc: str) -> Platform:
    # ELF has no underscore before a name, whoever pops its arguments.
    return Platform(
        target,
        triple,
        {
            "clang": by_triple(triple, "-msse2", _STACK),
            "gcc": ("-m32", "-msse2", "-fno-leading-underscore", _STACK, *gcc),
        },
        ("i686-w64-mingw32-",),
        coff=frozenset({"gcc"}),
    )


PLATFORMS = (
    # MinGW's long double is that of x87, unless it is told otherwise.
    _platform("x86_64-windows-msvc", "x86_64-pc-windows-msvc-elf", "-mlong-double-64"),
    _platform("x86_64-windows-gnu", "x86_64-w64-windows-gnu-elf"),
    _platform_32("i386-windows-msvc", "i686-pc-windows-msvc-elf", "-mlong-double-64"),
    _platform_32("i386-windows-gnu", "i686-w64-windows-gnu-elf"),
)
