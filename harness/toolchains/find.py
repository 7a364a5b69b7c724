"""From what a user writes to a compiler that can be run: subjects, their programs and identities."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence

from abiprobe.harness import child
from abiprobe.harness.caching import cache_dir, remember, stat_digest
from abiprobe.harness.problem import Problem
from abiprobe.harness.toolchains import cffi, nvcc, nvrtc
from abiprobe.harness.toolchains.clang import CLANG
from abiprobe.harness.toolchains.gcc import GCC
from abiprobe.harness.toolchains.pcc import PCC
from abiprobe.harness.toolchains.standin import STAND_INS, THROUGH_IR
from abiprobe.harness.toolchains.subject import Built, Family, Identity, Subject
from abiprobe.harness.toolchains.tcc import TCC
from abiprobe.harness.toolchains.vendors import DPU_NAME, POPC_NAME, TO_ASSEMBLY, VENDORS
from abiprobe.harness.toolchains.zig import ZIG

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        CLANG,
        GCC,
        ZIG,
        TCC,
        PCC,
        nvcc.NVCC,
        nvrtc.NVRTC,
        cffi.CFFI,
        *STAND_INS.values(),
        *VENDORS,
    )
}
NEWEST = 40
OLDEST = 9
PROBING_SECONDS = 30.0
TRIPLE = r"(.+)@(\w+(?:-[\w.]+)+)"
NO_CALLS = "another triple: layouts only"


def parse_subject(text: str) -> Subject:
    """The subject that `text` names: `clang-19`, `zig@TRIPLE`, `gcc:PROGRAM`, each with options after a space.

    Raises `Problem` for a name of no family, and for a triple of a family that does not build for every one.
    """
    try:
        whole, *options = shlex.split(text)
    except ValueError as error:
        raise Problem(
            f"unknown compiler {text!r}", "name one like clang-19, gcc-12, zig or gcc:PROGRAM"
        ) from error
    asked = re.fullmatch(TRIPLE, whole)
    name, triple = asked.groups() if asked else (whole, "")
    prefix, colon, program = name.partition(":")
    family = FAMILIES.get(prefix if colon else re.sub(r"(-\d+)?$", "", prefix))
    if family is None or (colon and not program):
        known = ", ".join(FAMILIES)
        raise Problem(
            f"unknown compiler {name!r}", f"name one of {known} (clang-19, gcc-12), or FAMILY:PROGRAM"
        )
    if triple and not family.any_triple:
        able = ", ".join(other.name for other in FAMILIES.values() if other.any_triple)
        raise Problem(f"{name} does not build for a triple of choice", f"these do: {able}")
    return Subject(name, tuple(options), family, triple)


def command(subject: Subject, target: str) -> tuple[str, ...] | None:
    """The program behind a subject for a target with the options that build for it; `None` if it has it not."""
    base = target.partition("@")[0]
    flags = (f"--target={subject.triple}",) if subject.triple else subject.family.flags.get(base)
    _, colon, program = subject.name.partition(":")
    if flags is None:
        return None
    found = named_program(program) if colon else subject.family.find(subject.name, base)
    if found is None:
        return None
    return (*subject.family.prefix, *found, *flags, *subject.family.common, *subject.options)


def named_program(name: str) -> tuple[str, ...] | None:
    """A program by its name or path, as `gcc:PROGRAM` gives it."""
    path = shutil.which(name)
    return (path,) if path else None


def build(subject: Subject, target: str, level: str) -> Built | None:
    """A subject made ready to compile for a target at an optimisation level (`O0`)."""
    words = command(subject, target)
    if words is None:
        return None
    level = subject.family.levels.get(level, level)
    library = subject.family.library
    no_calls = NO_CALLS if subject.triple else ""
    return Built((*words, f"-{level}"), no_calls, library, subject.family.standin, subject.family.assembly)


def installed(subject: Subject, targets: Sequence[str]) -> bool:
    """Whether a subject's program is there for at least one of the targets."""
    return any(command(subject, target) is not None for target in targets)


def discover(targets: Sequence[str]) -> tuple[Subject, ...]:
    """Every subject that is installed for one of the targets, newest of each family first."""
    names = ["zig"]
    names += [f"{family}-{version}" for family in ("clang", "gcc") for version in range(NEWEST, OLDEST, -1)]
    found = [subject for name in names if installed(subject := parse_subject(name), targets)]
    families = {subject.family.name for subject in found}
    found += [
        subject
        for name in ("clang", "gcc", "tcc", "pcc", "nvcc", "nvrtc", DPU_NAME, POPC_NAME, *STAND_INS)
        if name not in families and installed(subject := parse_subject(name), targets)
    ]
    return tuple(found)


def identity(words: tuple[str, ...]) -> Identity:
    """Which program a command runs: its version line, asked once for each file, and a digest.

    Raises `Problem` for a program that cannot be started.
    """
    if words[: len(cffi.COMMAND)] == cffi.COMMAND:
        return cffi.identity()
    if words[: len(THROUGH_IR)] == THROUGH_IR:
        return identity(words[len(THROUGH_IR) + 1 :])
    if words[: len(TO_ASSEMBLY)] == TO_ASSEMBLY:
        return identity(words[len(TO_ASSEMBLY) :])
    if words[: len(nvcc.COMMAND)] == nvcc.COMMAND:
        words = words[len(nvcc.COMMAND) :]
    library = words[: len(nvrtc.COMMAND)] == nvrtc.COMMAND
    if library:
        words = words[len(nvrtc.COMMAND) :]
    digest = stat_digest(words[0])
    path = cache_dir() / "versions" / digest
    if path.exists():
        return Identity(path.read_text("utf-8"), digest)
    prefix = nvrtc.COMMAND if library else ()
    arguments = (*prefix, words[0], *(("clang",) if words[1:2] == ("clang",) else ()), "--version")
    try:
        done = child.run(arguments, timeout=PROBING_SECONDS)
    except OSError as error:
        raise Problem(
            f"compiler {words[0]} cannot be started ({error.strerror})", "see: abiprobe list toolchains"
        ) from error
    version = done.stdout.decode("utf-8", "replace").partition("\n")[0].strip()
    remember(path, version.encode())
    return Identity(version, digest)
