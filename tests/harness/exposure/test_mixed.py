"""Mixed builds: what two compilers pass or lay out differently, by their dialects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abiprobe.harness.api.asking import name_of
from abiprobe.harness.exposure.meeting import Release
from abiprobe.harness.exposure.mixed import Mixtures
from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.quirks.in_force import SHIPPED
from abiprobe.oracles.registry import find_target
from tests.harness.cli.commands.calling import abiprobe

GCC, CLANG, OLD, RUST = "gcc-16", "clang-24", "clang-14", "rustc"
X86, ARM = "x86_64-sysv", "aarch64-aapcs64"
WIDE = "struct S { char c; _BitInt(96) w; };"
ROWS = (
    (X86, (GCC, CLANG), "int f(short a);", {(GCC, CLANG, "f")}),
    (X86, (GCC, CLANG, RUST), "int f(short a);", {(GCC, CLANG, "f"), (GCC, RUST, "f")}),
    (ARM, (GCC, CLANG), "int f(short a);", set()),
    (X86, (GCC, CLANG), "struct P { int a; double b; }; struct P f(struct P p, ...);", set()),
    (ARM, (OLD, CLANG), WIDE, {(OLD, CLANG, "struct S")}),
    (ARM, (CLANG, OLD), WIDE, {(OLD, CLANG, "struct S")}),
    (X86, (OLD, CLANG), "void f(long a, long b, long c, long d, long e, __int128 g);", {(OLD, CLANG, "f"), (CLANG, OLD, "f")}),
    (X86, (GCC, RUST), "void f(_BitInt(7) a);", set()),
)  # fmt: skip
"""Targets, compilers and declarations, with the callers and callees that do not go together."""


@pytest.mark.parametrize(("target", "subjects", "text", "wrong"), ROWS)
def test_pairs_that_do_not_go_together_are_told(
    target: str, subjects: tuple[str, ...], text: str, wrong: set[tuple[str, str, str]]
) -> None:
    where = find_target(target)
    mixed = Mixtures(where, tuple(map(Release, subjects)), SHIPPED)
    found = mixed.of({one: name_of(one) for one in declared_in(text, where).questions if asked(one)})
    assert {(one.caller, one.callee, one.name) for one in found} == wrong


def asked(question: object) -> bool:
    """Return whether a question is no record that a function brings along."""
    return getattr(question, "tag", "S") == "S"


def test_what_a_language_cannot_say_is_counted() -> None:
    where = find_target(X86)
    mixed = Mixtures(where, (Release(GCC), Release(RUST)), SHIPPED)
    (function,) = declared_in("void f(_BitInt(7) a);", where).functions
    assert mixed.unpredicted([function]) == 1
    (plain,) = declared_in("void f(int a);", where).functions
    assert mixed.unpredicted([plain]) == 0


def test_the_command_tells_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("int f(short a);\nint g(int a);\n")
    asked = ("exposure", "a.h", "-t", X86, "--by", "pair", "--cc")
    done = abiprobe(*asked, f"{GCC},{CLANG},{RUST}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "clang relies on callers extending narrow integers" in done.stdout
    assert "1 declaration does not go together in a mixed build" in done.stdout
    (found,) = json.loads(abiprobe(*asked, f"{GCC},{CLANG}", "--format", "json", cwd=tmp_path).stdout)
    assert [(one["caller"], one["callee"], one["declaration"]) for one in found["mixed"]] == [
        (GCC, CLANG, "f")
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--cc", GCC), "a mixed build needs two compilers"),
        (("--cc", f"{GCC},nonesuch"), "nonesuch"),
        (("--cc", f"{GCC},{CLANG}", "--confirm"), "--confirm asks about known bugs"),
    ],
)
def test_what_cannot_be_mixed_is_told_in_a_line(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    (tmp_path / "a.h").write_text("int f(short a);\n")
    done = abiprobe("exposure", "a.h", "-t", X86, "--by", "pair", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
