"""x86: System V on i386 and x86-64, Microsoft's convention on x86-64, and the vector function ABI."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import LIBRARIES, Platform, by_triple

_TRIPLE = "x86_64-linux-gnu"
_GNU = ("x86_64-linux-gnu-",)
_HOSTS = frozenset({"x86_64"})
# Functions that start with endbr64 would only make the code longer.
_GCC = ("-m64", "-fcf-protection=none")
_LIBRARIES = {**LIBRARIES, **dict.fromkeys(("go", "java", "koffi"), ())}
_PRAGMAS = "-fopenmp-simd"
_CLANG = by_triple(_TRIPLE, "-D_Float128=__float128")
"""clang spells the type in the old way only, which on x86 is the same one."""

PLATFORMS = (
    Platform(
        "x86_64-sysv",
        _TRIPLE,
        {"clang": _CLANG, "gcc": _GCC, "tcc": ("-m64",), "pcc": ("-m64",), **_LIBRARIES},
        _GNU,
        _HOSTS,
        {"tcc": "x86_64-tcc"},
    ),
    # x32: no kernel or emulator that is commonly here runs its programs.
    Platform(
        "x86_64-x32",
        "x86_64-linux-gnux32",
        {
            "clang": by_triple("x86_64-linux-gnux32", "-D_Float128=__float128"),
            "gcc": ("-mx32", "-fcf-protection=none"),
        },
        _GNU,
        _HOSTS,
    ),
    Platform("x86_64-ms", _TRIPLE, {"clang": _CLANG, "gcc": _GCC}, _GNU, _HOSTS),
    Platform(
        "i386-sysv",
        "i386-linux-gnu",
        {
            "clang": by_triple("i386-linux-gnu", "-msse2", "-D_Float128=__float128"),
            "gcc": ("-m32", "-msse2", "-fcf-protection=none"),
            "tcc": ("-m32",),
            "pcc": ("-m32",),
            **LIBRARIES,
        },
        ("i686-linux-gnu-", *_GNU),
        _HOSTS,
        {"tcc": "i386-tcc", "pcc": "ccom_i386"},
    ),
    Platform(
        "x86_64-vfabi",
        _TRIPLE,
        {"clang": (*_CLANG, _PRAGMAS), "gcc": (*_GCC, _PRAGMAS)},
        _GNU,
        _HOSTS,
    ),
)
