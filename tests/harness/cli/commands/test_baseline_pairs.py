"""What has changed between two sets of declarations: a table with answers by hand, confirmed by libabigail where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from abiprobe.harness.cli.commands.baselines import asked_there
from abiprobe.harness.input import ReadOptions
from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.registry import TARGETS, find_model, find_target
from abiprobe.results.history.baseline.change import InterfaceChange
from abiprobe.results.history.baseline.compare import changes
from abiprobe.results.history.baseline.facts import Baseline, decoded, encoded
from abiprobe.results.history.baseline.keep import baseline

WHOLE = ReadOptions(strict=False, interface=True)
COMPILERS = {
    "x86_64-sysv": ("gcc-12",),
    "i386-sysv": ("gcc-12", "-m32"),
    "aarch64-aapcs64": ("aarch64-linux-gnu-gcc",),
    "riscv64-lp64d": ("riscv64-linux-gnu-gcc",),
    "arm-aapcs-vfp": ("arm-linux-gnueabihf-gcc-12",),
}
ABIDIFF_ERROR = 1
SHARE = 3
"""Every third pair is put to libabigail each time, the others by `tox -e long`."""


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Declarations before and after, the lines that tell the difference, and what abidiff says."""

    name: str
    old: str
    new: str
    lines: tuple[str, ...]
    target: str = "x86_64-sysv"
    abidiff: int | None = None
    differs: str = ""


PAIRS = tuple(
    msgspec.convert(row, Pair)
    for row in tomllib.loads(Path(__file__).with_name("baseline_pairs.toml").read_text("utf-8"))["pair"]
)


@cache
def kept(text: str, *targets: str) -> Baseline:
    read = ((target, declared_in(text, find_target(target), WHOLE)) for target in targets)
    return baseline(((target, find_model(target), one.interfaces) for target, one in read), asked_there)


def told(pair: Pair) -> tuple[InterfaceChange, ...]:
    return changes(kept(pair.old, pair.target), kept(pair.new, pair.target))


JUDGED = [
    pytest.param(pair, marks=[pytest.mark.long] if number % SHARE else [])
    for number, pair in enumerate(one for one in PAIRS if one.abidiff is not None)
]


def by_name(pair: Any) -> str:
    return pair.name if isinstance(pair, Pair) else ""


@pytest.mark.parametrize("pair", PAIRS, ids=by_name)
def test_what_has_changed_and_what_is_written_is_what_is_read(pair: Pair) -> None:
    assert tuple(one.line for one in told(pair)) == pair.lines
    for text in (pair.old, pair.new):
        found = kept(text, pair.target)
        assert decoded(encoded(found)) == found
        assert encoded(decoded(encoded(found))) == encoded(found)
        assert not any(one.breaks for one in changes(found, found))


@pytest.mark.parametrize("pair", JUDGED, ids=by_name)
def test_libabigail_says_so_too(pair: Pair, tmp_path: Path) -> None:
    if shutil.which("abidiff") is None:
        pytest.skip("abidiff is not installed")
    compiler = COMPILERS[pair.target]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    built = []
    for name, text in (("old", pair.old), ("new", pair.new)):
        source, library = tmp_path / f"{name}.c", tmp_path / f"{name}.so"
        source.write_text(definitions(text), "utf-8")
        options = ("-g", "-w", "-fPIC", "-shared", "-nostdlib", "-std=gnu2x")
        subprocess.run([*compiler, *options, "-o", library, source], check=True, capture_output=True)
        built.append(library)
    ended = subprocess.run(["abidiff", *built], check=False, capture_output=True)
    assert ended.returncode & ABIDIFF_ERROR == 0, ended.stderr
    assert ended.returncode == pair.abidiff
    breaks = any(one.breaks for one in told(pair))
    assert bool(pair.differs) == (breaks != (pair.abidiff != 0))


def definitions(text: str) -> str:
    """The declarations as definitions, which debug information is about."""
    return "\n".join(map(definition, text.splitlines())) + "\n"


def definition(line: str) -> str:
    if line.startswith("extern ") and "__asm__" not in line:
        return line.removeprefix("extern ")
    if line.endswith(");") and not line.startswith(("typedef", "extern")):
        return line.removesuffix(";") + " { __builtin_trap(); }"
    return line


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_every_target_can_be_kept_and_compared(target: str) -> None:
    text = "struct S { int a; unsigned b : 3; char c[2]; };\nint f(struct S *s, long n);\nextern int v;"
    same, other = kept(text, target), kept(text.replace("int a", "float a"), target)
    assert not changes(same, same)
    assert any(one.breaks for one in changes(same, other))


def test_the_same_on_several_targets_is_told_once() -> None:
    targets = ("riscv64-lp64d", "x86_64-sysv", "i386-sysv")
    text = "struct S { long a; long b; };"
    found = changes(kept(text, *targets), kept(text.replace("long a;", "long a, n;"), *targets))
    assert {one.targets for one in found} == {("riscv64-lp64d", "x86_64-sysv"), ("i386-sysv",)}
    assert len(found) == 2


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "struct S { int a[100]; };",
            "struct S { int a[101]; };",
            "ABI break: struct S: member a: int[100] -> int[101]; size 400 -> 404 bytes",
        ),
        (
            "struct S { long a, b, c, d, e, f, g, h, i, j, k, l, m, n; };",
            "struct S { long a, b, c, x, d, e, f, g, h, i, j, k, l, m, n; };",
            "ABI break: struct S: member x (long) added at byte 24; moves 11 members by 8 bytes; size 112 -> 120 bytes",
        ),
    ],
)
def test_a_cause_is_one_line(old: str, new: str, line: str) -> None:
    assert [one.line for one in changes(kept(old, "x86_64-sysv"), kept(new, "x86_64-sysv"))] == [line]
