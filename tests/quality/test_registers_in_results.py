"""The room `results` knows no machine: it has no name of a register, no pattern for some, and reads no note as English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from abiprobe.harness.machines.register_files import files_of
from abiprobe.oracles.registry import TARGETS, find_target

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "results").rglob("*.py"))
OLD = ("old_words.py", "old_journals.py", "old_triages.py")
"""Journals before notes were values have them in English, which these modules read."""
ENGLISH = {"at"}
"""Registers (MIPS) whose name is an English word, too."""
WORD = re.compile(r"[\w./]+")
SENTENCES = ("{}", "{}, stack+8", "{}[4]", "found in {} at byte 4", "in {} and in {}", "memory at {}")
"""What notes and places say."""
HEXADECIMAL = "[0-9a-f]{2}"
"""Bytes, which may look like registers: `a0`."""
PATTERNS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "split"}
READING = {*PATTERNS, "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix"}
NOTES = {"note", "expected", "seen", "taken"}
"""Attributes that hold what was found instead of the right value."""


@cache
def registers() -> frozenset[str]:
    """The registers of all machines."""
    return frozenset(name for target in TARGETS for name in files_of(find_target(target))) - ENGLISH


def invented(name: str) -> str:
    """A register of no machine, named in the same way: `snark0` for `a0`."""
    return re.sub(r"[a-z]+", "snark", name, count=1)


def docstrings(tree: ast.Module) -> set[ast.AST]:
    """The texts that stand by themselves: those of modules, functions, fields and constants."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def named(tree: ast.Module) -> Iterator[str]:
    """The registers that texts name."""
    apart = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            for name in sorted(registers() & set(WORD.findall(node.value))):
                yield f"line {node.lineno}: names {name}"


def singled_out(pattern: str) -> str:
    """A register that a regular expression takes otherwise than an invented one of the same form; empty for none."""
    compiled = re.compile(pattern)
    for sentence in SENTENCES:
        for name in sorted(registers()):
            real, other = sentence.replace("{}", name), sentence.replace("{}", invented(name))
            for look in (compiled.search, compiled.fullmatch):
                if bool(look(real)) != bool(look(other)):
                    return name
    return ""


def called(node: ast.AST, names: set[str]) -> ast.Call | None:
    """A call of a method, or of a function of a module, by one of these names."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
        return node
    return None


def patterns(tree: ast.Module) -> Iterator[str]:
    """Regular expressions that know some registers."""
    for node in ast.walk(tree):
        call = called(node, PATTERNS)
        if call is None or ast.unparse(call.func).partition(".")[0] != "re":
            continue
        match call.args:
            case [ast.Constant(value=str(text)), *_] if HEXADECIMAL not in text and (
                name := singled_out(text)
            ):
                yield f"line {call.lineno}: {text!r} knows {name}"


def parsed_notes(tree: ast.Module) -> Iterator[str]:
    """Notes that are read as texts."""
    for node in ast.walk(tree):
        call = called(node, READING)
        if call is None:
            continue
        assert isinstance(call.func, ast.Attribute)
        for part in (call.func.value, *call.args):
            if isinstance(part, ast.Attribute) and part.attr in NOTES:
                yield f"line {call.lineno}: {ast.unparse(call)}"


def faults(text: str, *, old: bool = False) -> list[str]:
    """What the text of a module knows of machines."""
    tree = ast.parse(text)
    return [*named(tree), *patterns(tree), *(() if old else parsed_notes(tree))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_results_know_no_register(path: Path) -> None:
    assert faults(path.read_text("utf-8"), old=path.name in OLD) == []


def test_there_are_modules_and_registers() -> None:
    assert len(MODULES) > 50
    assert {"rax", "xmm0", "a0", "fa0", "x0", "v0", "r3", "d16", "cr"} <= registers()
    assert {path.name for path in MODULES} >= set(OLD)


@pytest.mark.parametrize(
    "planted",
    [
        'KIND = {"rdi": "general register"}',
        'KIND = re.compile(r"found in (?:r[a-z]+|r\\d+)(?: at byte \\d+)?")',
        'def kind(text): return re.fullmatch(r"f[ast]?\\d+|xmm\\d+", text)',
        'def kind(one): return re.search(r"in (\\w+)", one.note)',
        "def kind(one): return HOLDER.fullmatch(one.seen)",
        'def kind(one): return one.note.removeprefix("found in ")',
        'def kind(one): return one.expected.partition(", ")[0]',
    ],
)  # fmt: skip
def test_a_planted_one_is_found(planted: str) -> None:
    assert faults(planted)


@pytest.mark.parametrize(
    "fair",
    [
        'BYTES = re.compile(r"(\\d+) bytes")',
        'def name(place): """The name: `a0`."""',
        'HOLDER = re.compile(r"in (?P<name>[\\w.]+)")',
        "def told(one): return say(one.note)",
    ],
)  # fmt: skip
def test_what_knows_no_machine_is_left_alone(fair: str) -> None:
    assert faults(fair) == []
