"""A subject: a compiler under test, as a user names it, with the options that are part of its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec


class Family(msgspec.Struct, frozen=True):
    """How the compilers of one family are driven; it knows command lines and decides nothing.

    `flags` gives the options that make it build for a target, for each target it may have; `find` the command
    prefix of the program behind a subject's name for a target, or `None` when it is not installed.
    """

    name: str
    flags: Mapping[str, tuple[str, ...]]
    common: tuple[str, ...]
    find: Callable[[str, str], tuple[str, ...] | None]


class Subject(msgspec.Struct, frozen=True):
    """A compiler as it was asked for: `name` (`clang-19`, `gcc:riscv64-linux-gnu-gcc-12`) and own options."""

    name: str
    options: tuple[str, ...]
    family: Family

    @property
    def spelling(self) -> str:
        """The subject as the user wrote it."""
        return " ".join((self.name, *self.options))


class Built(msgspec.Struct, frozen=True):
    """A subject made ready for one target and optimisation level: the command, without input and output."""

    command: tuple[str, ...]


class Identity(msgspec.Struct, frozen=True):
    """Which program a subject is: its own version line, and a digest that changes when it does."""

    version: str
    digest: str
