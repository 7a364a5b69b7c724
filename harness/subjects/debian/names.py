"""Names such as `riscv64-gcc-16`, and Debian's package and program for each."""

from __future__ import annotations

import re

import msgspec

from abiprobe.harness.base.problem import Problem

NAME = re.compile(
    r"(?:(?P<machine>[a-z]\w*(?:-[a-z]\w*)*)-)?(?P<family>gcc|g\+\+|clang)-(?P<version>[1-9]\d*)"
)
RANGE = re.compile(r"(?P<stem>[a-z][\w+-]*)-(?P<first>\d+)(?:\.\.(?:(?P=stem)-)?(?P<last>\d+))?")
SNAPSHOT = "gcc-snapshot"
"""gcc's trunk, which has a folder of its own in Debian's package."""
SYSTEM = "linux-gnu"
"""The rest of the triple of a cross compiler whose name gives the machine alone."""


FOREIGN = re.compile(r"(?P<what>libffi|luajit|python3)-(?P<architecture>[a-z]\w+)")
"""A library or an interpreter of another architecture, by Debian's name of that: `libffi-arm64`, `luajit-i386`."""
FOREIGN_PACKAGES = {"libffi": "libffi-dev", "luajit": "luajit", "python3": "python3-cffi"}
TRIED = {
    "luajit": ("-v",),
    "python3": ("-c", "import cffi, ctypes, json; cffi.FFI().cdef('int f(int);')"),
}
"""The arguments with which an interpreter is tried; Python keeps what it compiles then, and is asked not to later."""
ARCHITECTURES = {
    "x86_64-sysv": "amd64",
    "i386-sysv": "i386",
    "aarch64-aapcs64": "arm64",
    "arm-aapcs-vfp": "armhf",
    "powerpc64le-elfv2": "ppc64el",
    "riscv64-lp64d": "riscv64",
    "s390x": "s390x",
}
"""Debian's name of the architecture of a target."""
EMULATORS = {"arm64": "qemu-aarch64", "armhf": "qemu-arm", "i386": "qemu-i386", "s390x": "qemu-s390x"}
"""The programs that run those of an architecture whose interpreters are asked."""


SWIFT = "swiftlang"
"""Swift's compiler, of which Debian has one release only."""

JDK = re.compile(r"openjdk-(?P<version>[1-9]\d*)")
"""A Java with its compiler: the newest is where its interface to native code is final."""


CLANG_OWN = "-no-canonical-prefixes "
"""clang looks for its headers beside its program, which is the loader unless it goes by the name that it was given."""
GCC_OWN = '-B "$root/bin/" '
"""gcc starts its programs from here."""
SWIFT_OWN = '-resource-dir "$root/usr/libexec/swift/lib/swift" '
"""Swift looks for its library beside its program, which is the loader."""


def version_of(name: str) -> int:
    """The release of gcc or clang in a name; 0 where it names something else."""
    found = NAME.fullmatch(name)
    return int(found["version"]) if found else 0


class RequestedPackage(msgspec.Struct, frozen=True):
    """A compiler of a Debian package: the name of its program, the package, and the program's path in it.

    `tools` are the programs that it starts, in whichever folder they lie; clang starts none. A library has no program, and
    is of another `architecture`, as an interpreter may be, which its `emulator` runs. The starter adds its `own` options.
    It is `tried` with these arguments.
    """

    name: str
    package: str
    program: str
    tools: tuple[str, ...] = ()
    architecture: str = ""
    own: str = ""
    emulator: str = ""
    tried: tuple[str, ...] = ("--version",)


TOOLS = ("cc1", "collect2", "lto1", "lto-wrapper", "as", "ld")
CXX_TOOLS = ("cc1plus", *TOOLS)
REQUIRED = frozenset({"cc1", "cc1plus", "as"})
"""Without these gcc compiles nothing."""


def wanted(name: str) -> RequestedPackage | None:
    """Return the compiler that a name stands for.

    `None` if it is not like `gcc-16`, `g++-16`, `gcc-snapshot`, `openjdk-25`, `luajit-arm64` or `libffi-arm64`.
    """
    if name == SNAPSHOT:
        return RequestedPackage(name, name, f"usr/lib/{name}/bin/gcc", TOOLS, own=GCC_OWN)
    if name == SWIFT:
        return RequestedPackage(name, name, "usr/libexec/swift/bin/swift-frontend", own=SWIFT_OWN)
    foreign = FOREIGN.fullmatch(name)
    if foreign is not None:
        return of_architecture(name, foreign["what"], foreign["architecture"])
    java = JDK.fullmatch(name)
    if java is not None:
        return RequestedPackage(
            name,
            f"{name}-jdk-headless",
            f"usr/lib/jvm/java-{java['version']}-openjdk-amd64/bin/java",
        )
    found = NAME.fullmatch(name)
    if found is None or (found["machine"] and found["family"] == "clang"):
        return None
    machine, family, version = found["machine"], found["family"], found["version"]
    if family == "clang":
        return RequestedPackage(name, name, f"usr/lib/llvm-{version}/bin/clang", own=CLANG_OWN)
    tools = CXX_TOOLS if family == "g++" else TOOLS
    if machine is None:
        return RequestedPackage(name, name, f"usr/bin/{name}", tools, own=GCC_OWN)
    triple = machine if "-" in machine else f"{machine}-{SYSTEM}"
    program = f"{triple}-{family}-{version}"
    return RequestedPackage(
        program, f"{family}-{version}-{triple.replace('_', '-')}", f"usr/bin/{program}", tools, own=GCC_OWN
    )


def of_architecture(name: str, what: str, architecture: str) -> RequestedPackage | None:
    """A library, or an interpreter with its libraries, of another architecture; `None` for an interpreter that no emulator here runs."""
    package = FOREIGN_PACKAGES[what]
    if what == "libffi":
        return RequestedPackage(name, package, "", architecture=architecture)
    if architecture not in EMULATORS:
        return None
    return RequestedPackage(
        name,
        package,
        f"usr/bin/{what}",
        architecture=architecture,
        emulator=EMULATORS[architecture],
        tried=TRIED[what],
    )


def of_package(package: str) -> str:
    """The name of the program in a package: `riscv64-linux-gnu-gcc-16` of `gcc-16-riscv64-linux-gnu`."""
    found = re.fullmatch(r"((?:gcc|g\+\+)-\d+)-(.+)", package)
    if found is None:
        return package
    triple = re.sub(r"^x86-64", "x86_64", found[2])
    return f"{triple}-{found[1]}"


def order(name: str) -> tuple[str, str, int]:
    """Return a sort key: by family, then by machine, then by version."""
    found = NAME.fullmatch(name)
    return (found["family"], found["machine"] or "", int(found["version"])) if found else (name, "", 0)


def expand(text: str) -> tuple[str, ...]:
    """The names that `clang-12..clang-24`, `gcc-13..16`, `g++-16`, `gcc-snapshot`, `openjdk-25`, `swiftlang`, `luajit-arm64` or `libffi-arm64` stands for; raises `Problem` for none."""
    found = RANGE.fullmatch(text)
    names: tuple[str, ...] = (text,) if text in (SNAPSHOT, SWIFT) or FOREIGN.fullmatch(text) else ()
    if found is not None:
        numbers = range(int(found["first"]), int(found["last"] or found["first"]) + 1)
        names = tuple(f"{found['stem']}-{number}" for number in numbers)
    if not names or not all(map(wanted, names)):
        raise Problem(
            f"{text!r} is not something to install",
            "write gcc-16, g++-16, gcc-snapshot, clang-24, riscv64-gcc-16, clang-12..clang-22, openjdk-25, swiftlang, libffi-arm64, luajit-arm64, python3-i386 or zig-0.13.0",
        )
    return names
