"""Names of targets in the suites of gcc and clang: selectors of DejaGnu, options of `clang -cc1`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from abiprobe.harness.machines.targets import platform_of
from abiprobe.oracles.model import Target

SELECTORS: Mapping[str, str] = MappingProxyType(
    {
        "x86_64-ms": "{ { i?86-*-* x86_64-*-* } && lp64 }",
        "x86_64": "{ { i?86-*-* x86_64-*-* } && lp64 }",
        "i386": "{ { i?86-*-* x86_64-*-* } && ia32 }",
        "riscv64": "riscv64*-*-*",
        "riscv32": "riscv32*-*-*",
        "aarch64_ilp32": "{ aarch64*-*-* && ilp32 }",
        "aarch64_be": "{ aarch64*-*-* && aarch64_big_endian }",
        "aarch64": "{ aarch64*-*-* && aarch64_little_endian }",
        "arm": "arm*-*-*",
        "s390x": "s390x-*-*",
        "loongarch64": "loongarch64*-*-*",
        "powerpc64le": "powerpc64le-*-*",
        "powerpc64": "powerpc64-*-*",
        "powerpc": "powerpc-*-*",
        "mips64el": "mips64*el-*-*",
        "hexagon": "hexagon-*-*",
        "m68k": "m68k-*-*",
        "sparc64": "sparc64*-*-*",
        "xtensa": "xtensa*-*-*",
    }
)
"""By the beginning of a target; the first that fits counts."""
OURS = ("-fcf-protection", "-mcmodel", "-mno-relax", "-mno-outline-atomics", "-m32", "-m64", "--target", "-D")
"""Options that only our programs need, or that a suite has by the target that it runs for."""
QUIET = "-Wno-psabi"
"""Notes of gcc about ABIs that changed are errors in excess to its suite."""
GENERAL = ("m", "a", "f", "d")
"""The extensions that `g` in a RISC-V ISA string stands for and that LLVM has as features."""
REGISTERED: Mapping[str, str] = MappingProxyType(
    {
        "x86": "x86",
        "i386": "x86",
        "riscv": "riscv",
        "aarch64": "aarch64",
        "arm": "arm",
        "s390x": "systemz",
        "loongarch": "loongarch",
        "powerpc": "powerpc",
        "mips": "mips",
        "hexagon": "hexagon",
        "m68k": "m68k",
        "sparc": "sparc",
        "xtensa": "xtensa",
    }
)
"""Lit's name of the LLVM target of a processor."""


def selector(target: Target) -> str:
    """The targets of DejaGnu on which a test runs; all where a target has none of its own."""
    return next((text for prefix, text in SELECTORS.items() if target.name.startswith(prefix)), "*-*-*")


def registered(target: Target) -> str:
    """The feature of lit for the LLVM target."""
    return next(
        (
            f"{name}-registered-target"
            for prefix, name in REGISTERED.items()
            if target.name.startswith(prefix)
        ),
        "",
    )


def gcc_options(target: Target, level: str) -> str:
    """The options of a test of gcc's suite."""
    options = platform_of(target).options.get("gcc", ())
    return " ".join((f"-{level}", QUIET, *(one for one in options if not one.startswith(OURS))))


def cc1_options(target: Target, source: str) -> str:
    """The options of `clang -cc1` by which a source is compiled for a target."""
    platform = platform_of(target)
    options = platform.options.get("clang", ())
    found = [word for one in options for word in cc1(one, riscv=target.name.startswith("riscv"))]
    old_name = (
        ["-D_Float128=__float128"]
        if "_Float128" in source and target.name.startswith(("x86", "i386"))
        else []
    )
    return " ".join(("-triple", platform.triple, *found, *old_name))


def cc1(option: str, *, riscv: bool) -> Iterator[str]:
    """An option of the driver as `-cc1` takes it; nothing where it has no part in the ABI."""
    name, _, value = option.partition("=")
    if name == "-mabi":
        yield from ("-target-abi", value)
    elif name == "-march" and riscv:
        letters = value.removeprefix("rv32").removeprefix("rv64").partition("_")[0]
        features = [each for one in letters for each in (GENERAL if one == "g" else (one,))]
        for feature in features:
            if feature != "i":
                yield from ("-target-feature", f"+{feature}")
    elif name in {"-march", "-mcpu"}:
        yield from ("-target-cpu", value)
    elif option in {"-msse2", "-mvx", "-mzvector"}:
        yield from ("-target-feature", f"+{option.removeprefix('-m').replace('vx', 'vector')}")
