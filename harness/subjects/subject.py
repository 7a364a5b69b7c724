"""A subject: a compiler under test, as a user names it, with the options that are part of its name."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

LANGUAGE = "{language}"
"""The first word of the command of a compiler of another language than C; the second is the folder of the language."""

PLAIN = "{plain}"
"""The first word of the command of a compiler that takes no options but `-c` and `-o`."""


class Lowering(msgspec.Struct, frozen=True):
    """Another way of a compiler from C to LLVM IR: the options that choose it, and some that only work if it is there."""

    options: tuple[str, ...]
    proof: tuple[str, ...] = ()


class Family(msgspec.Struct, frozen=True, eq=False):
    """The command lines of one family's compilers; it decides nothing.

    `flags` gives the options that make it build for a target, for each target it may have; `find` the command
    prefix of the program behind a subject's name for a target, or `None` when it is not installed. `levels` spells
    the optimisation levels that the family calls otherwise; `any_triple` says that it builds for every triple. `prefix`
    is a program that runs the compiler, `prefixes` another one for some targets, `lowerings` has each other way to LLVM IR. `observers` names the ways in which it can be observed; for some of them `standin`
    says as what it stands in for another target, and `assembly` whose assembly it writes. `language` is the folder of
    the language that its compilers are asked in, empty for C. A library that is no compiler says itself what it cannot
    express: in `lacks`, and in calls in `lacks_in_calls` as well.
    """

    name: str
    flags: Mapping[str, tuple[str, ...]]
    common: tuple[str, ...]
    find: Callable[[str, str], tuple[str, ...] | None]
    levels: Mapping[str, str] = MappingProxyType({})
    any_triple: bool = False
    observers: tuple[str, ...] = ("objects", "image", "lanes", "device")
    prefix: tuple[str, ...] = ()
    prefixes: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    lowerings: Mapping[str, Lowering] = MappingProxyType({})
    standin: str = ""
    assembly: str = ""
    language: str = ""
    lacks: frozenset[str] = frozenset()
    lacks_in_calls: frozenset[str] = frozenset()


class Subject(msgspec.Struct, frozen=True):
    """A compiler as a user names it: `name` (`clang-19`, `gcc:riscv64-linux-gnu-gcc-12`) and own options.

    With a `triple` it builds for that one instead of the target's, whose model then stands in for it. `lowering` names
    another way from C to LLVM IR that the compiler has beside its usual one.
    """

    name: str
    options: tuple[str, ...]
    family: Family
    triple: str = ""
    lowering: str = ""

    @property
    def spelling(self) -> str:
        """The subject as a user writes it."""
        name = f"{self.name}+{self.lowering}" if self.lowering else self.name
        return shlex.join((f"{name}@{self.triple}" if self.triple else name, *self.options))

    @property
    def of_cxx(self) -> bool:
        """Return whether it is a compiler of C++."""
        return "cxx-calls" in self.family.observers

    def __str__(self) -> str:
        return self.spelling


class AtLevel(NamedTuple):
    """A subject at an optimisation level (`O0`), as questions are put to it."""

    subject: Subject
    level: str

    @property
    def spelling(self) -> tuple[str, str]:
        """The subject as a user writes it and the level, as a journal has them."""
        return self.subject.spelling, self.level


class Built(msgspec.Struct, frozen=True):
    """A subject made ready for one target and optimisation level: the command, without input and output.

    `no_calls` says why calls cannot be observed, and is empty where they can; `standin` and `assembly` are those of its
    family.
    """

    command: tuple[str, ...]
    no_calls: str = ""
    standin: str = ""
    assembly: str = ""

    @property
    def plain(self) -> bool:
        """Return whether it takes no options but `-c` and `-o`."""
        return self.command[:1] == (PLAIN,)

    @property
    def language(self) -> str:
        """The folder of the language that it is asked in, empty for C."""
        return self.command[1] if self.command[:1] == (LANGUAGE,) else ""

    @property
    def words(self) -> tuple[str, ...]:
        """The program and what it is given; in another language than C the places for files are open."""
        return self.command[2:] if self.language else self.command


class Identity(msgspec.Struct, frozen=True):
    """The identity of a subject's program: its own version line, and a digest that changes when it does.

    It is `sure` when the digest covers every file that decides what it answers; only then may answers be remembered.
    """

    version: str
    digest: str
    sure: bool = False
