"""The inputs of `object`: an ELF file, or an archive of them, in groups of members that say the same."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.elf_facts.archives import is_archive, members
from abiprobe.harness.machines.elf_facts.elf import ObjectFile, read_elf
from abiprobe.harness.machines.elf_facts.facts import Comparison, Finding
from abiprobe.harness.machines.elf_facts.machines import compared
from abiprobe.harness.machines.readers.elf import MAGIC
from abiprobe.oracles.linking.field import Answer

LARGEST = 1 << 31
"""Bytes of the largest file that is read."""


class Group(msgspec.Struct, frozen=True):
    """Members of an archive that say the same, or one file alone: `found` is the first, `members` has the names of all."""

    found: ObjectFile
    members: tuple[str, ...] = ()


class Input(msgspec.Struct, frozen=True):
    """A file that was named, in groups; `others` are members that are no ELF files."""

    path: str
    groups: tuple[Group, ...]
    archive: bool = False
    others: tuple[str, ...] = ()


def read_input(path: Path) -> Input:
    """Read an object file or an archive; raises `Problem` for one that cannot be opened, is damaged or is neither."""
    data = content(path)
    if not is_archive(data):
        return Input(str(path), (Group(object_of(str(path), data)),))
    objects, others = [], []
    for name, member in every_member(path, data):
        if member.startswith(MAGIC):
            objects.append((name, object_of(f"{path}({name})", member)))
        else:
            others.append(name)
    if not objects:
        raise Problem(f"{path} is an archive without ELF files", "name an archive of object files")
    return Input(str(path), grouped(objects), archive=True, others=tuple(others))


def content(path: Path) -> bytes:
    """The bytes of a file; raises `Problem`."""
    try:
        told = path.stat()
        if not stat.S_ISREG(told.st_mode):
            raise Problem(f"{path} is not a file", "name an object file, an archive or a program")
        if told.st_size > LARGEST:
            raise Problem(
                f"{path} has {told.st_size} bytes, more than are read", f"the largest file has {LARGEST}"
            )
        return path.read_bytes()
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from error


def every_member(path: Path, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The members of an archive; raises `Problem` for a damaged one."""
    try:
        yield from members(data, lambda name: content(path.parent / name))
    except ValueError as error:
        raise Problem(f"{path} is damaged: {error}") from error


def read_object(path: Path) -> ObjectFile:
    """Read a file; raises `Problem` for one that cannot be opened or is no ELF file."""
    return object_of(str(path), content(path))


def object_of(name: str, data: bytes) -> ObjectFile:
    """Read an ELF file; raises `Problem` for one that is damaged or none."""
    if not data.startswith(MAGIC):
        raise Problem(f"{name} is not an ELF file", "name an object file, an archive of them or a program")
    try:
        return read_elf(name, BytesIO(data))
    except ValueError as error:
        raise Problem(f"{name} is damaged: {error}") from error
    # pyelftools has many ways of saying that a file is damaged.
    except Exception as error:
        raise Problem(f"{name} is damaged: {type(error).__name__} while it is read") from error


def grouped(objects: list[tuple[str, ObjectFile]]) -> tuple[Group, ...]:
    """Group members by the facts of their ABI, in the order in which they stand."""
    groups: dict[tuple[object, ...], list[str]] = {}
    first: dict[tuple[object, ...], ObjectFile] = {}
    for name, found in objects:
        key = said(found)
        groups.setdefault(key, []).append(name)
        first.setdefault(key, found)
    return tuple(Group(first[key], tuple(names)) for key, names in groups.items())


def said(found: ObjectFile) -> tuple[object, ...]:
    """Return all facts of a file, without its name."""
    kept = msgspec.structs.asdict(found)
    attributes = found.attributes
    del kept["path"], kept["attributes"], kept["special"]
    return (
        repr(kept),
        tuple(attributes.values.items()),
        attributes.vendors,
        attributes.scoped,
        found.special,
    )


def compare_inputs(one: Input, other: Input) -> Comparison:
    """Each group of one file with each of the other, with the names of members where there are several groups."""
    names: dict[str, None] = {}
    findings: dict[Finding, None] = {}
    pairs = [(first, second) for first in one.groups for second in other.groups]
    for first, second in pairs:
        result = compared(first.found, second.found)
        names |= dict.fromkeys(result.compared)
        for finding in result.findings:
            where = f" ({first.found.path} with {second.found.path})" if len(pairs) > 1 else ""
            findings[Finding(finding.answer, finding.why + where, finding.clause)] = None
    for each in (one, other):
        if each.others:
            why = f"{each.path}: {len(each.others)} members are no ELF files ({each.others[0]})"
            findings[Finding(Answer.UNKNOWN, why)] = None
    return Comparison(tuple(names), tuple(findings))
