"""A user's declarations for the commands that take a file."""

from __future__ import annotations

import sys
from functools import cache

import msgspec

from abiprobe.harness.declarations import LIMIT, Declarations, read, read_path
from abiprobe.harness.problem import Problem
from abiprobe.harness.toolchains.front_end import front_end
from abiprobe.oracles.lang import Prototype, Record


class Declared(msgspec.Struct, frozen=True):
    """The records and functions that a user asks about, as they read for one target."""

    target: str
    records: tuple[Record, ...]
    functions: tuple[Prototype, ...]


def declared_in_file(path: str, target: str) -> Declared:
    """What a file (`-`: standard input) declares; raises `Problem` when that is nothing."""
    if path == "-":
        return _some(_read(_standard_input(), "<stdin>", target), target, "standard input")
    as_if = front_end(target)
    return _some(read_path(path, triple=as_if.triple, options=as_if.options), target, path)


def _read(text: str, filename: str, target: str) -> Declarations:
    as_if = front_end(target)
    return read(text, filename=filename, triple=as_if.triple, options=as_if.options)


@cache
def _standard_input() -> str:
    """All of standard input, which each target reads anew."""
    return sys.stdin.buffer.read(LIMIT).decode(errors="replace")


def declared_in(text: str, target: str) -> Declared:
    """What declarations given on the command line declare; a missing last semicolon is forgiven."""
    source = text if text.rstrip().endswith((";", "}")) else text + ";"
    return _some(_read(source, "declaration", target), target, "the declaration")


def _some(found: Declarations, target: str, where: str) -> Declared:
    if not (found.records or found.functions):
        raise Problem(f"{where} declares no record and no function", "nothing can be asked about it")
    return Declared(target, found.records, found.functions)
