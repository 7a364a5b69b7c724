"""Foreign function libraries of languages: each is asked by a program in its language, on the machine it runs on.

Python's and LuaJIT's are asked for other machines, too: `toolchains install luajit-arm64` unpacks the programs of another
architecture, which an emulator runs. Their programs take no options and have no optimisation levels.
"""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import EVERYTHING
from abiprobe.harness.machines.targets import options_of
from abiprobe.harness.subjects import programs
from abiprobe.harness.subjects.debian import tree
from abiprobe.harness.subjects.debian.names import ARCHITECTURES, EMULATORS
from abiprobe.harness.subjects.families.plain import LEVELS
from abiprobe.harness.subjects.subject import Family, Identity

SECONDS = 30.0
HERE = Path(__file__).parent
VERSION = "--version"
"""Answered with a line that names the version, and lines with the files that it loads beside its program."""
INTEGERS = {
    "_Bool",
    "char",
    *(f"{sign}char" for sign in ("signed ", "unsigned ")),
    *(f"{sign}{size}" for sign in ("", "unsigned ") for size in ("short", "int", "long", "long long")),
}
PLAIN = {*INTEGERS, "float", "double", "array", "function pointer", "pointer", "record", "typedef", "union"}
"""Features that all of them have, in records at least."""


def python(_name: str, target: str) -> tuple[str, ...] | None:
    """The Python that runs abiprobe on a machine of the target, or that of the target which an emulator runs."""
    return (sys.executable,) if here(target) else elsewhere("python3", target)


def cffi(name: str, target: str) -> tuple[str, ...] | None:
    """The Python of a target that has cffi; that of Debian's packages always has."""
    return None if here(target) and importlib.util.find_spec("cffi") is None else python(name, target)


def luajit(_name: str, target: str) -> tuple[str, ...] | None:
    """The LuaJIT on PATH on a machine of the target, or that of the target which an emulator runs."""
    if not here(target):
        return elsewhere("luajit", target)
    path = shutil.which("luajit")
    return (path,) if path else None


def elsewhere(name: str, target: str) -> tuple[str, ...] | None:
    """The starter of a program of another architecture, if that is in the cache and its emulator on PATH."""
    architecture = ARCHITECTURES.get(target, "")
    emulator = EMULATORS.get(architecture)
    return tree.program(f"{name}-{architecture}") if emulator and shutil.which(emulator) else None


def koffi(_name: str, target: str) -> tuple[str, ...] | None:
    """The Node on PATH, if it finds koffi, on a machine of the target."""
    path = shutil.which("node") if here(target) else None
    return (path,) if path and finds_koffi(path) else None


@cache
def finds_koffi(node: str) -> bool:
    """Return whether koffi is installed for a Node."""
    return ask_version(node, KOFFI).ok


def go(_name: str, target: str) -> tuple[str, ...] | None:
    """The Go on PATH, on a machine of the target."""
    path = shutil.which("go") if here(target) else None
    return (path,) if path else None


def java(name: str, target: str) -> tuple[str, ...] | None:
    """The Java on PATH, or the JDK in the cache that the name's version says, if it has the interface."""
    if not here(target):
        return None
    _, dash, version = name.partition("-")
    path = shutil.which("java")
    words = tree.program(f"openjdk-{version}") if dash else (path,) if path else None
    return words if words and compiles_java(words[0]) else None


@cache
def compiles_java(program: str) -> bool:
    """Return whether a Java compiles code for the interface that is final since Java 22."""
    return ask_version(program, JAVA).ok


def here(target: str) -> bool:
    """Return whether this machine runs programs of a target."""
    return sys.platform == "linux" and platform.machine() == target.partition("-")[0]


def library(
    name: str,
    arguments: tuple[str, ...],
    find: Callable[[str, str], tuple[str, ...] | None],
    says: set[str],
    lacks_in_calls: frozenset[str] = frozenset(),
) -> Family:
    """A library that a program asks, which is run with `arguments`; `says` is all that the library can express."""
    return Family(
        name,
        options_of(name),
        arguments,
        find,
        LEVELS,
        observers=("library", "foreign"),
        lacks=EVERYTHING - says,
        lacks_in_calls=lacks_in_calls,
    )


CFFI = library("cffi", ("-P", "-B", str(HERE / "cffi_child.py")), cffi, set(EVERYTHING))
"""Without its folder on sys.path, where modules of ours would hide others; it says itself what it cannot express."""
CTYPES_SAYS = {
    *PLAIN,
    "long double",
    "complex",
    "_Complex",
    "bit-field",
    "anonymous record",
    "flexible array",
    "zero-length array",
    "empty record",
    "packed",
    "packed record",
    "pragma pack",
    "aligned",
    "aligned record",
    "aligned within packed",
    "mixed attributes",
    "unnamed arguments",
}
CTYPES = library(
    "ctypes",
    # Not the user's settings, no folder on sys.path where modules of ours would hide others, nothing written where it was unpacked.
    ("-I", "-B", str(HERE / "ctypes_child.py")),
    python,
    CTYPES_SAYS,
    # ctypes itself refuses these, because libffi does not know them.
    lacks_in_calls=frozenset({"bit-field", "empty record", "union"}),
)
LUAJIT_SAYS = {
    *PLAIN,
    "_Complex",
    "aligned",
    "aligned member",
    "aligned record",
    "aligned within packed",
    "anonymous record",
    "attribute position",
    "bit-field",
    "complex",
    "empty record",
    "enum",
    "flexible array",
    "long double",
    "mixed attributes",
    "packed",
    "packed member",
    "packed record",
    "pragma pack",
    "typedef aligned",
    "unnamed arguments",
    "vector",
    "zero-length array",
}
LUAJIT = library(
    "luajit",
    (str(HERE / "luajit_child.lua"),),
    luajit,
    LUAJIT_SAYS,
    # No value of Lua is a long double, and over a record with a flexible array LuaJIT 2.1 thinks without end.
    lacks_in_calls=frozenset({"flexible array", "long double"}),
)
KOFFI_SAYS = {
    *PLAIN,
    "aligned",
    "aligned member",
    "anonymous record",
    "empty record",
    "packed",
    "packed record",
    "unnamed arguments",
}
GO_SAYS = {
    *PLAIN,
    "_Complex",
    "__int128",
    "aligned",
    "aligned member",
    "aligned record",
    "aligned within packed",
    "anonymous record",
    "bit-field",
    "complex",
    "empty record",
    "enum",
    "flexible array",
    "packed",
    "packed member",
    "packed record",
    "pragma pack",
    "typedef aligned",
    "unsigned __int128",
    "zero-length array",
}
"""The C is gcc's; cgo gives what it has no type for an array of bytes, or leaves it out."""
GO = library("go", ("run", str(HERE / "go_child.go")), go, GO_SAYS)
JAVA_SAYS = {*PLAIN, "anonymous record", "unnamed arguments"}
JAVA = library(
    "java",
    (
        # It ends with the calls that it is asked for, and leaves no file behind where one of them kills it.
        *("-Xss8m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:ErrorFile=/dev/null"),
        *("--enable-native-access=ALL-UNNAMED", str(HERE / "FfmChild.java")),
    ),
    java,
    JAVA_SAYS,
)
KOFFI = library("koffi", (str(HERE / "koffi_child.js"),), koffi, KOFFI_SAYS)
LIBRARIES = (CFFI, CTYPES, LUAJIT, KOFFI, JAVA, GO)


def library_of(words: Sequence[str]) -> Family | None:
    """The library that a command asks; `None` for the command of anything else."""
    return next((one for one in LIBRARIES if tuple(words[1 : 1 + len(one.common)]) == one.common), None)


def identity(words: Sequence[str]) -> Identity:
    """Return the identity that a library's program gives, with a digest of all that it consists of; raises `Problem` if it fails."""
    library = library_of(words)
    assert library is not None, "the command of a library is asked"
    said = ask_version(words[0], library)
    if not said.ok:
        raise Problem(f"{words[0]} cannot ask {library.name}", last_words(said))
    version, *files = said.stdout.decode("utf-8", "replace").splitlines() or [""]
    unpacked = tree.manifest_of(words[0]) is not None
    pieces = (
        programs.of_compiler(words[:1]) if unpacked else programs.of_tools(words[0], *filter(None, files))
    )
    parts = "\0".join((version, pieces.digest, Path(library.common[-1]).read_text("utf-8")))
    return Identity(version, hashlib.sha256(parts.encode()).hexdigest()[:16], pieces.sure)


def failure(words: Sequence[str]) -> str:
    """Return the message of a library's program that fails; empty if it does not."""
    library = library_of(words)
    assert library is not None, "the command of a library is asked"
    return last_words(ask_version(words[0], library))


def ask_version(program: str, library: Family) -> child.Exit:
    """Ask a library's program for its version."""
    return child.run((program, *library.common, VERSION), timeout=SECONDS)


def last_words(done: child.Exit) -> str:
    """Return the last line that a failed program printed, or else its exit status; empty if it did not fail."""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.ok else (said[-1] if said else f"exit status {done.returncode}")
