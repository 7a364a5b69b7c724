"""Compilers by the names that users write: subjects, their programs and identities."""

from __future__ import annotations

import copyreg
import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import entry, recall, remember
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.suggestions import closest_names
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.targets import platform_of
from abiprobe.harness.subjects import programs, releases
from abiprobe.harness.subjects.compile import error_line
from abiprobe.harness.subjects.debian import tree
from abiprobe.harness.subjects.debian.names import SNAPSHOT
from abiprobe.harness.subjects.families import languages, libffi, libraries, nvcc, nvrtc
from abiprobe.harness.subjects.families.clang import CLANG
from abiprobe.harness.subjects.families.cxx import CLANGXX, GXX, IN_D, IN_SWIFT
from abiprobe.harness.subjects.families.gcc import GCC, TO_ELF
from abiprobe.harness.subjects.families.pcc import PCC
from abiprobe.harness.subjects.families.plain import CC
from abiprobe.harness.subjects.families.standin import STAND_INS, THROUGH_IR
from abiprobe.harness.subjects.families.tcc import TCC
from abiprobe.harness.subjects.families.vendors import DPU_NAME, POPC_NAME, TO_ASSEMBLY, VENDORS
from abiprobe.harness.subjects.families.zig import ZIG
from abiprobe.harness.subjects.subject import LANGUAGE, PLAIN, AtLevel, Built, Family, Identity, Subject
from abiprobe.oracles.model import Target

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        CLANG,
        GCC,
        CLANGXX,
        GXX,
        ZIG,
        TCC,
        PCC,
        CC,
        nvcc.NVCC,
        nvrtc.NVRTC,
        *libraries.LIBRARIES,
        *STAND_INS.values(),
        *VENDORS,
        *languages.BUILT_IN,
        *IN_D,
        IN_SWIFT,
    )
}
NEWEST = 40
OLDEST = 9
PROBING_SECONDS = 30.0
VERSION_OPTION = ("--version",)
TRIPLE = r"(.+)@([A-Za-z][\w.]*(?:-[\w.]+)*)"
VERSION = r"-(?:\d+(?:\.\d+){0,2}|snapshot)$"
CROSS = r"^\w[\w-]*-gcc-\d+$"
"""A cross compiler by the name of its program, which `toolchains install` prints."""
LOWERING = r"(\w+(?:-\d+)?|\w+:.+)\+([a-z]+)"
OUTPUT = r"-o(?:$|[./])|--output(?:-file)?(?:=|$)"
NO_CALLS = "another triple: layouts only"
NO_MACHINE = "nothing runs its programs: layouts only"


class NotStartedError(Problem):
    """A program that cannot be started, and the `reason` in the words of the system."""

    def __init__(self, program: str, reason: str) -> None:
        super().__init__(f"compiler {program} cannot be started ({reason})", "see: abiprobe list toolchains")
        self.reason = reason


def parse_subject(text: str) -> Subject:
    """The subject that `text` names: `clang-19`, `zig@TRIPLE`, `clang-24+cir`, `gcc:PROGRAM`, each with options after a space.

    Raises `Problem` for a name of no family, for a lowering that its family has not, for a triple of a family that does not
    build for every one, and for an option that says where the output goes.
    """
    try:
        whole, *options = shlex.split(text)
    except ValueError as error:
        raise Problem(
            f"unknown compiler {text!r}", "name one like clang-19, gcc-12, zig or gcc:PROGRAM"
        ) from error
    if chosen := next((word for word in options if re.match(OUTPUT, word)), None):
        raise Problem(
            f"{whole} has the option {chosen!r}", "abiprobe decides where the output goes: leave it out"
        )
    asked = re.fullmatch(TRIPLE, whole)
    name, triple = asked.groups() if asked else (whole, "")
    name, lowering = without_lowering(name)
    name = re.sub(CROSS, r"gcc:\g<0>", name)
    prefix, colon, program = name.partition(":")
    base = prefix if colon else re.sub(VERSION, "", prefix)
    family = FAMILIES.get(base)
    if colon and program and prefix == languages.DOOR:
        family = languages.of_folder(program)
    elif family is None:
        family = languages.of_package(base)
    if family is None or (colon and not program):
        close = closest_names(name, FAMILIES)
        known = f"did you mean {close[0]}?" if close else f"name one of {', '.join(FAMILIES)}"
        raise Problem(
            f"unknown compiler {name!r}",
            f"{known} A version goes behind a dash (clang-19), a program of your own behind a colon (gcc:PROGRAM)",
        )
    if triple and not family.any_triple:
        able = ", ".join(other.name for other in FAMILIES.values() if other.any_triple)
        raise Problem(f"{name} does not build for a triple of choice", f"these do: {able}")
    if lowering and lowering not in family.lowerings:
        able = ", ".join(f"{other.name}+{one}" for other in FAMILIES.values() for one in other.lowerings)
        raise Problem(f"{name} has no lowering {lowering!r}", f"there are {able}")
    return Subject(languages.absolute(name), tuple(options), family, triple, lowering)


# A family has functions, which do not travel: another process parses the spelling, as this one has.
copyreg.pickle(Subject, lambda subject: (parse_subject, (subject.spelling,)))


def at_level(asked: tuple[str, str]) -> AtLevel:
    """The subject and level that a journal names; raises what `parse_subject` raises."""
    return AtLevel(parse_subject(asked[0]), asked[1])


def build_at_level(asked: tuple[str, str], target: Target) -> Built | None:
    """As `build`, of a subject and level that a journal names; raises what `parse_subject` raises."""
    subject, level = at_level(asked)
    return build(subject, target, level)


def version_of(subject: str, target: Target) -> str | None:
    """The version line of a subject that a journal names; `None` where it is not installed for a target."""
    built = build_at_level((subject, "O0"), target)
    return None if built is None else identity(built.command).version


def without_lowering(name: str) -> tuple[str, str]:
    """A name and the lowering behind it; a path may have a plus sign of its own."""
    found = re.fullmatch(LOWERING, name)
    if found is None or (":" in name and found[2] not in CLANG.lowerings):
        return name, ""
    return found[1], found[2]


def command(subject: Subject, target: Target) -> tuple[str, ...] | None:
    """The command of a subject with the options that build for a target; `None` if it is not installed or cannot build for it."""
    flags = (f"--target={subject.triple}",) if subject.triple else subject.family.flags.get(target.name)
    if flags is None:
        return None
    found = program(subject, target.name)
    if found is None:
        return None
    if subject.family.language:
        return languages.command(subject, found, flags)
    lowered = subject.family.lowerings[subject.lowering].options if subject.lowering else ()
    prefix = subject.family.prefixes.get(target.name, subject.family.prefix)
    return (*prefix, *found, *flags, *subject.family.common, *lowered, *subject.options)


def program(subject: Subject, name: str) -> tuple[str, ...] | None:
    """The program of a subject for the target of this name, or for none; `None` if it is not installed."""
    _, colon, own = subject.name.partition(":")
    named = colon and not subject.name.startswith(f"{languages.DOOR}:")
    found = named_program(own) if named else subject.family.find(subject.name, name)
    if found is not None and os.sep in found[0]:
        # Whoever runs it may be in another folder.
        found = (os.path.abspath(found[0]), *found[1:])  # noqa: PTH100 - the name in a link tells a compiler what it is
    return found


def command_to_ir(subject: Subject, target: Target | None, triple: str) -> tuple[str, ...] | None:
    """The command by which a subject of another language than C writes LLVM IR, for a target or else for a triple.

    A target that the language has no options for is one by its triple. `None` if it is not installed or cannot build for it.
    """
    name = "" if target is None else target.name
    about = find_language(subject.family.language).about
    triple = triple if target is None else platform_of(target).triple
    flags = about.targets.get(name) or about.triples.get(triple, about.triples.get("*"))
    found = program(subject, name) if flags is not None else None
    if flags is None or found is None:
        return None
    flags = tuple(word.replace("{triple}", triple) for word in flags)
    return languages.command(subject, found, flags, about.llvm_ir)


def named_program(name: str) -> tuple[str, ...] | None:
    """A program by its name or path, as `gcc:PROGRAM` gives it, or the one of this name that is unpacked."""
    path = shutil.which(name)
    return (path,) if path else tree.program(name)


def build(subject: Subject, target: Target, level: str) -> Built | None:
    """A subject made ready to compile for a target at an optimisation level (`O0`)."""
    words = command(subject, target)
    if words is None:
        return None
    if subject.family.language:
        return Built(languages.at_level(words, level))
    level = subject.family.levels.get(level, level)
    no_calls = NO_CALLS if subject.triple else NO_MACHINE if is_of_layouts(target) else ""
    asked = (f"-{level}",) if level else ()
    return Built((*words, *asked), no_calls, subject.family.standin, subject.family.assembly)


def is_of_layouts(target: Target) -> bool:
    """Return whether a target has questions about layouts only."""
    return not target.machine and target.registers is None and not target.observers


def installed(subject: Subject, targets: Sequence[Target]) -> bool:
    """Return whether a subject's program is there for at least one of the targets."""
    return any(command(subject, target) is not None for target in targets)


def discover_cxx(targets: Sequence[Target]) -> tuple[Subject, ...]:
    """Every C++ compiler that is installed for one of the targets, newest of each family first."""
    names = [f"{family}-{version}" for family in ("clang++", "g++") for version in range(NEWEST, OLDEST, -1)]
    return tuple(subject for name in names if installed(subject := parse_subject(name), targets))


def discover(targets: Sequence[Target]) -> tuple[Subject, ...]:
    """Every subject that is installed for one of the targets, newest of each family first; those of C++ not."""
    numbered = [f"{family}-{version}" for family in ("clang", "gcc") for version in range(NEWEST, OLDEST, -1)]
    names = ["zig", SNAPSHOT, *present(numbered)]
    looked_at = counted(names, "looking for compilers", len(names))
    found = [subject for name in looked_at if installed(subject := parse_subject(name), targets)]
    families = {subject.family.name for subject in found}
    found += [
        subject
        for name in ("clang", "gcc", "tcc", "pcc", "nvcc", "nvrtc", DPU_NAME, POPC_NAME, *STAND_INS)
        if name not in families and installed(subject := parse_subject(name), targets)
    ]
    return tuple(found)


def present(names: Iterable[str]) -> tuple[str, ...]:
    """The names with which that of a program ends, on PATH or in the cache; a cross compiler has a prefix."""
    there: set[str] = set()
    for folder in (*map(Path, os.get_exec_path()), releases.folder()):
        with suppress(OSError):
            there.update(one.name for one in folder.iterdir())
    every = "\n".join(there) + "\n"
    return tuple(name for name in names if f"{name}\n" in every)


def identity(words: tuple[str, ...]) -> Identity:
    """The version line of the program that a command runs now, and a digest of all that it consists of.

    Raises `Problem` for a program that cannot be started.
    """
    return _other_identity(words) or _compiler_identity(without_our_programs(words))


def versions(commands: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """The version lines of commands with the names of those that have each, asked once of each program.

    Options do not change it: it is much sooner known than what they decide. Raises `Problem` for a program that cannot be started.
    """
    of_programs: dict[tuple[str, ...], str] = {}
    found: dict[str, list[str]] = {}
    for name, words in commands.items():
        program = program_of(without_our_programs(words))
        if program not in of_programs:
            other = _other_identity(words)
            of_programs[program] = _told_version(program) if other is None else other.version
        found.setdefault(of_programs[program], []).append(name)
    return found


def _told_version(program: tuple[str, ...]) -> str:
    """The version line of a compiler, which one that tells its own is asked for once for the same contents of its file."""
    kept = entry("told-versions", programs.own_digest(program))
    known = recall(kept)
    if known is None:
        found = _compiler_identity(program)
        if not found.sure:
            return found.version
        known = found.version.encode()
        remember(kept, known)
    return known.decode()


def _other_identity(words: tuple[str, ...]) -> Identity | None:
    """The identity of what is no compiler of C, or of one that takes no options; `None` for a compiler of C."""
    if libraries.library_of(words) is not None:
        return libraries.identity(words)
    if words[: len(nvrtc.COMMAND)] == nvrtc.COMMAND:
        found = nvrtc.pieces_of(words[len(nvrtc.COMMAND)])
        return _named(found, (*nvrtc.COMMAND, words[len(nvrtc.COMMAND)]))
    if words[:1] == (PLAIN,):
        pieces = programs.of_tools(words[1])
        return Identity(f"{os.path.basename(words[1])} {pieces.digest}", pieces.digest)  # noqa: PTH119 - a name, no file
    if words[:1] == (LANGUAGE,):
        own = without_our_programs(words)
        language = find_language(words[1])
        pieces = programs.of_language(own[0], language.folders, language.digest, alone=language.about.alone)
        named = _named(pieces, own[:1], language.about.version)
        return libffi.identity(own, named) if language.name == libffi.NAME else named
    return None


def _compiler_identity(words: tuple[str, ...]) -> Identity:
    return _named(programs.of_compiler(words), program_of(words))


def without_our_programs(words: tuple[str, ...]) -> tuple[str, ...]:
    """The compiler's own command in one that a program of ours runs it by."""
    if words[: len(THROUGH_IR)] == THROUGH_IR:
        return words[len(THROUGH_IR) + 1 :]
    if words[:1] == (LANGUAGE,):
        return words[2:]
    for prefix in (TO_ASSEMBLY, TO_ELF, nvcc.COMMAND):
        if words[: len(prefix)] == prefix:
            return words[len(prefix) :]
    return words


def _named(
    found: programs.Pieces, program: tuple[str, ...], asking: Sequence[str] = VERSION_OPTION
) -> Identity:
    """An identity with the version line of a program, which is asked again unless all its files are known."""
    path = entry("versions", found.digest)
    known = recall(path) if found.sure else None
    if known is not None:
        return Identity(known.decode(), found.digest, found.sure)
    said = version_text(program, asking)
    line = said.partition("\n")[0].strip()
    if not found.sure or not line:
        digest = hashlib.sha256(f"{found.digest}\0{said}".encode()).hexdigest()[:16]
        return Identity(line, digest, found.sure and bool(line))
    remember(path, line.encode())
    return Identity(line, found.digest, found.sure)


def version_text(program: tuple[str, ...], asking: Sequence[str] = VERSION_OPTION) -> str:
    """Return a program's answer to `--version`; raises `Problem` if it cannot be started."""
    return asked_version(program, asking).stdout.decode("utf-8", "replace")


def asked_version(program: tuple[str, ...], asking: Sequence[str] = VERSION_OPTION) -> child.Exit:
    """Run a program with `--version`, or what it calls that; raises `NotStartedError` if it cannot be started."""
    try:
        return child.run((*program, *asking), timeout=PROBING_SECONDS)
    except OSError as error:
        raise NotStartedError(program[0], error.strerror or str(error)) from error


def version_failure(words: tuple[str, ...]) -> str:
    """The output and exit of a program that fails to tell its version; empty if it does not fail."""
    if words[: len(nvrtc.COMMAND)] == nvrtc.COMMAND or words[:1] == (PLAIN,):
        return ""
    if libraries.library_of(words) is not None:
        return libraries.failure(words)
    own = program_of(without_our_programs(words))
    in_language = words[:1] == (LANGUAGE,)
    done = asked_version(own, find_language(words[1]).about.version if in_language else VERSION_OPTION)
    if done.ok:
        return ""
    ended = "it does not end" if done.timed_out else done.signal or f"exit status {done.returncode}"
    said = error_line(done.stderr)
    return f"{ended}, {said}" if said else ended


def program_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """The program of a command without options."""
    return words[: 2 if words[1:2] == ("clang",) else 1]
