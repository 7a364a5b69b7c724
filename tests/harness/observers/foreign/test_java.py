"""Java's foreign function interface as a subject: what it lays out, calls and takes, what it cannot say, and that a liar is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.subjects.families import libraries
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome

from .asking import TARGET, calls, layout

pytestmark = pytest.mark.long

CALLS = (
    "int f(int a, char b, double c);",
    "_Bool f(short a, unsigned char b, _Bool c);",
    "struct S { int a; double b; }; struct S f(struct S a, long b, float c);",
    "union U { float a; int b; }; union U f(int, union U a);",
    "struct S { char a[3]; void (*f)(void); }; void *f(struct S a, float b);",
)
RECORDS = (
    "struct S { char a; long b; double c[2][3]; void (*f)(void); };",
    "struct S { char a; struct { short b; union { int c; char d; }; }; };",
    "union U { short a; struct { char b; int c; } d; char e[5]; };",
)


@pytest.fixture(scope="module")
def java() -> str:
    """A Java with the interface and a compiler."""
    for name in ("java", "java-25"):
        if installed(parse_subject(name), (find_target(TARGET),)):
            return name
    pytest.skip("java is not installed in version 22 or later")


@pytest.mark.parametrize("source", CALLS)
def test_it_makes_and_takes_calls(java: str, source: str) -> None:
    found = calls(source, java)
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found
    assert {"caller", "callee", "result"} <= found.keys()


@pytest.mark.parametrize("source", RECORDS)
def test_it_lays_records_out(java: str, source: str) -> None:
    assert layout(source, java).verdict is Judgement.AGREES


def test_no_callback_is_variadic(java: str) -> None:
    callee = calls("int f(int a, ...);", java)["callee"]
    assert (callee.outcome, callee.detail) == (
        Outcome.UNSUPPORTED,
        "Unsupported: a callback is not variadic",
    )


@pytest.mark.parametrize(
    ("source", "lacking"),
    [
        ("long double f(void);", "long double"),
        ("struct S { int a : 3; }; void f(struct S a);", "bit-field"),
        ("struct S { char a; int b; } __attribute__((packed)); void f(struct S a);", "packed"),
    ],
)
def test_what_it_cannot_say_is_unsupported(java: str, source: str, lacking: str) -> None:
    found = calls(source, java)
    assert {verdict.outcome for verdict in found.values()} == {Outcome.UNSUPPORTED}
    assert all(lacking in verdict.detail for verdict in found.values())


def test_its_version_is_its_identity(java: str) -> None:
    built = build(parse_subject(java), find_target(TARGET), "O0")
    assert built is not None
    assert identity(built.command).version.startswith("foreign functions of Java ")


LIAR = """#!/bin/sh
for word in "$@"; do
    case $word in */FfmChild.java) word={folder}/FfmChild.java ;; esac
    set -- "$@" "$word"
    shift
done
exec {java} "$@"
"""


def test_a_liar_is_caught(java: str, tmp_path: Path) -> None:
    """It takes an int for a short."""
    built = build(parse_subject(java), find_target(TARGET), "O0")
    assert built is not None
    text = Path(libraries.JAVA.common[-1]).read_text("utf-8")
    old, sized = 'Map.entry("int", "int")', "type.byteSize() != slot.own()"
    assert old in text
    assert sized in text
    text = text.replace(old, 'Map.entry("int", "short")').replace(sized, "false")
    (tmp_path / "FfmChild.java").write_text(text, "utf-8")
    liar = tmp_path / "java"
    liar.write_text(LIAR.format(folder=tmp_path, java=built.command[0]))
    liar.chmod(0o755)
    found = calls("void f(int a, double b);", f"java:{liar}")
    deviating = {name for name, verdict in found.items() if verdict.verdict is Judgement.DEVIATES}
    assert deviating == {"caller", "callee"}
