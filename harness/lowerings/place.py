"""Places of lowering: a target of the registry or any triple of LLVM's, and the command."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import Language, find_language
from abiprobe.harness.subjects.find import command, command_to_ir, parse_subject
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import TARGETS, UnknownTargetError, find_target

TRIPLES = (
    *("x86_64-sysv", "i386-sysv", "x86_64-pc-windows-msvc", "x86_64-linux-gnux32"),
    *("aarch64-aapcs64", "arm64-apple-macosx", "aarch64_be-linux-gnu", "armv7-linux-gnueabihf"),
    *(
        "riscv64-lp64d",
        "riscv32-ilp32d",
        "loongarch64-linux-gnu",
        "mips64-linux-gnuabi64",
        "powerpc64le-linux-gnu",
    ),
    *(
        "powerpc64-ibm-aix",
        "s390x-linux-gnu",
        "sparcv9-linux-gnu",
        "hexagon-linux-musl",
        "wasm32-unknown-unknown",
    ),
    *("bpfel", "amdgcn-amd-amdhsa"),
)
"""Where prototypes are lowered if nobody says where."""


Pair: TypeAlias = tuple[Subject, Subject]
"""Two lowerings that are compared."""


class Place(msgspec.Struct, frozen=True):
    """A target, or a triple that has no model here."""

    name: str

    @property
    def target(self) -> Target | None:
        """The target in the registry, `None` for a triple."""
        try:
            return find_target(self.name)
        except UnknownTargetError:
            return None

    def command(self, subject: Subject) -> tuple[str, ...] | None:
        """The command of a subject that compiles for this place, without input and output; `None` if it is not installed."""
        target = self.target
        if subject.family.language:
            return command_to_ir(subject, target, self.name)
        if target is not None:
            return command(subject, target)
        return command(msgspec.structs.replace(subject, triple=self.name), next(iter(TARGETS.values())))


def compiler_to_ir(spelling: str) -> Subject:
    """The subject of that name; raises `Problem` for one that has no lowerings to LLVM IR, and for one with a triple."""
    subject = parse_subject(spelling)
    language = language_of(subject)
    if not subject.family.lowerings and (language is None or not language.has_ir):
        raise Problem(
            f"{spelling!r} writes no LLVM IR",
            "name one like clang-24, clang-24+cir, clang:PROGRAM, rustc or zig-lang",
        )
    if subject.triple:
        raise Problem(
            f"{spelling!r} names a triple", "triples are named without compiler: abiprobe lowerings bpfel"
        )
    return subject


def language_of(subject: Subject) -> Language | None:
    """The language that a subject is asked in, `None` for C."""
    return find_language(subject.family.language) if subject.family.language else None
