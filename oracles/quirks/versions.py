"""Compiler versions: a family with a range of versions, and the version in what a compiler says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec

ZIG_LANG, OF_USERS = "zig-lang", "subject:"
"""How the names of compilers of other languages begin whose first word is that of another family, or of none."""

ALIASES = {
    "zig": "clang",
    "clang++": "clang",
    "g++": "gcc",
    "ldc2++": "ldc2",
    "gdc++": "gdc",
    "swift++": "swift",
}
"""Compilers that are others under another name."""

NEWEST: Mapping[str, str] = MappingProxyType({"gcc": "16", "clang": "24"})
"""The newest release of each family that the quirks were held against: what `x86_64-sysv@gcc` stands for."""


def family(subject: str) -> str:
    """The compiler family of a subject: `clang` for `clang-19 -O1`, `clang-24+cir`, `clang++-24`, `clang:PROGRAM` and `zig`.

    zig's own language is a family of its own, and so is each language of a user's.
    """
    word = re.split(r"[ @]|\+(?=[a-z])", subject, maxsplit=1)[0]
    if word.startswith(ZIG_LANG):
        return ZIG_LANG
    if word.startswith(OF_USERS):
        return word
    name = re.split(r"[-:]", word, maxsplit=1)[0]
    return ALIASES.get(name, name)


def release_numbers(subject: str) -> tuple[int, ...]:
    """The numbers in the name of a subject, by which its releases are in order."""
    return tuple(map(int, re.findall(r"\d+", subject)))


class Range(msgspec.Struct, frozen=True):
    """A compiler family, with bounds on the version: each an operator and numbers; or one `program` of a user's."""

    family: str
    bounds: tuple[tuple[str, tuple[int, ...]], ...] = ()
    program: str = ""

    @classmethod
    def read(cls, text: str) -> Range:
        """`clang`, `clang>=13,<18`, `clang:PROGRAM`; raises `ValueError` for anything else."""
        if program := is_program(text):
            return cls(family(program), program=program)
        found = re.fullmatch(r"([a-z]\w*(?:-[a-z]+)?)((?:(?:>=|<=|==|<|>)[\d.]+,?)*)", text.replace(" ", ""))
        if found is None:
            raise ValueError(f"{text!r} is no range of versions, which looks like clang>=13,<18")
        bounds = re.findall(r"(>=|<=|==|<|>)([\d.]+)", found[2])
        return cls(found[1], tuple((operator, numbers(version)) for operator, version in bounds))

    def has(self, subject: str, version: str) -> bool:
        """Return whether a subject with this version line is in the range."""
        if self.program:
            return is_program(subject) == self.program
        return family(subject) == self.family and all(
            holds(numbers_of(version), operator, bound) for operator, bound in self.bounds
        )


def families_of(ranges: Iterable[str]) -> tuple[str, ...]:
    """Return the compiler families of ranges of versions, each once; raises `ValueError` for what is none."""
    return tuple(dict.fromkeys(Range.read(one).family for one in ranges))


def is_program(subject: str) -> str:
    """Return the name of a subject that is a user's own program (`clang:PROGRAM`), without its options; empty for another."""
    found = re.match(r"[a-z]\w*(?:-[a-z]+)?:\S+", subject)
    return found[0] if found else ""


def numbers(version: str) -> tuple[int, ...]:
    """`12.2` as numbers."""
    return tuple(int(part) for part in version.split(".") if part)


def numbers_of(line: str) -> tuple[int, ...]:
    """The version in a compiler's version line: the first number with a dot in it, outside parentheses if there are numbers outside.

    Failing that it is the first number that is no part of a name, as in `x86_64-w64-mingw32-gcc-12 (GCC) 12-win32`.
    """
    plain = re.sub(r"\([^)]*\)", "", line)
    plain = plain if re.search(r"\d", plain) else line
    found = re.findall(r"\d+(?:\.\d+)+", plain) or re.findall(r"(?<![\w-])\d+", plain)
    return numbers(found[0]) if found else ()


def newest_of(versions: Mapping[str, str]) -> frozenset[str]:
    """The subjects that are the newest of their family, by their version lines."""
    latest: dict[str, tuple[int, ...]] = {}
    for subject, line in versions.items():
        latest[family(subject)] = max(latest.get(family(subject), ()), numbers_of(line))
    return frozenset(
        subject for subject, line in versions.items() if numbers_of(line) == latest[family(subject)]
    )


def holds(version: tuple[int, ...], operator: str, bound: tuple[int, ...]) -> bool:
    """Return whether `version` is as the operator says, compared as far as the bound goes.

    An unknown version is in no bounded range.
    """
    if not version:
        return False
    mine = version[: len(bound)]
    match operator:
        case ">=":
            return mine >= bound
        case "<=":
            return mine <= bound
        case "<":
            return mine < bound
        case ">":
            return mine > bound
        case _:
            return mine == bound
