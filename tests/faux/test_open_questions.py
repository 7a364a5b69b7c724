"""Compilers that do otherwise where no text decides: what each shows is told, and nobody is blamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.triage.reduce import Goal, reduce
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.blame import Stand
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.coverage.differing import ALONE, PARTLY, TOGETHER, Comparison, compare
from abiprobe.results.verdicts.record import Judgement

from .putting import program

X86, RISCV = "x86_64-sysv", "riscv64-lp64d"
TRIPLES = {X86: "x86_64-linux-gnu", RISCV: "riscv64-linux-gnu"}
OPEN = "struct Open { float a; int : 8; int : 24; };"
"""A struct of which x86-64 and RISC-V do not say where it is passed."""
CLAUSE = "x86_64:class.unnamed-bit-field"
BODY = r"struct Open_(\d+) {{[^}}]*}} => struct Open_\1 {{ {} }}"


def wrapped(folder: Path, lie: str) -> str:
    """A faux compiler in `folder` that takes what `lie` says for something else from now on; the truth without one."""
    path, told = folder / "wrapped", folder / "lie"
    chosen = "tells_the_truth"
    if lie:
        chosen = "rewrites" if " => " in lie else lie
    told.write_text(f"ABIPROBE_TESTS_LIE={chosen}\nABIPROBE_TESTS_REWRITE='{lie}'\n", "utf-8")
    if not path.exists():
        program(folder)
        text = f"#!/bin/sh\nset -a\n. '{told}'\nexec '{folder / 'faux'}' \"$@\"\n"
        path.write_text(text, "utf-8")
        path.chmod(0o755)
    return f"clang:{path}"


def declared(target: str, text: str) -> Question:
    found = read(text, filename="t.h", triple=TRIPLES[target])
    return (*found.records, *found.functions)[-1]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Folders of two faux compilers, which are asked once what they can do."""
    return tmp_path_factory.mktemp("honest"), tmp_path_factory.mktemp("other")


def compared(two: tuple[Path, Path], target: str, text: str, lie: str) -> Comparison:
    """What an honest compiler and one that does otherwise come to."""
    asked = tuple((wrapped(folder, told), "O0") for folder, told in zip(two, ("", lie), strict=True))
    question = declared(target, text)
    seen = on(ask(find_target(target), (question,), asked), question)
    judgements = {one.verdict for verdicts in seen.values() for one in verdicts}
    assert judgements <= {Judgement.UNSPECIFIED, Judgement.DIFFERS}, (
        "nobody deviates, and nobody agrees with a text"
    )
    probe = next(iter(seen.values()))[0].probe
    found = compare(target, probe, seen)
    assert found is not None
    assert found.differs == (Judgement.DIFFERS in judgements)
    return found


HALF = "struct Open { _Float16 a; char b; int : 8; };"
"""A struct of three bytes of which RISC-V does not say where it is passed."""
PIECES = BODY.format("_Float16 a; char b;")
SCRAMBLED = r"""\*\(char \*\)\(abi_in \+ (\d+)\)\); => (char)(*(char *)(abi_in + \1) ^ 0x35));
= b; => = (char)(b ^ 0x35);"""
"""What makes callers and callees agree on a byte which nobody else finds anywhere."""
HIDDEN = r"""\*\(struct Open_(\d+) \*\)\(abi_in \+ (\d+)\)\); => ({ struct Open_\1 t = *(struct Open_\1 *)(abi_in + \2); *(int *)&t ^= 0x35353535; t; }));
(\(abi_out \+ \d+\)) = a; => \1 = a; *(int *)\1 ^= 0x35353535;"""
"""The same of a whole struct of four bytes."""
EXCHANGED = r"""\bchar b, char (\w+)\) => char \1, char b)
(\*\(char \*\)\(abi_in \+ \d+\)), (\*\(char \*\)\(abi_in \+ \d+\))\); => \2, \1);"""
"""What makes callers and callees take two values of one byte for each other."""
DISAGREEMENTS = [
    (X86, f"{OPEN} void f(struct Open a);", BODY.format("long only;"), "a [0..4)", "xmm0", "rdi"),
    (
        X86,
        f"{OPEN} void f(struct Open a);",
        BODY.format("float a; long b, c;"),
        "a [0..4)",
        "xmm0",
        "stack+8",
    ),
    (X86, f"{OPEN} struct Open f(void);", BODY.format("long only;"), "result [0..4)", "xmm0", "rax"),
    (RISCV, f"{OPEN} void f(struct Open a);", BODY.format("float only;"), "a [0..4)", "a0", "fa0"),
    (
        RISCV,
        f"{OPEN} void f(struct Open a);",
        BODY.format("float a; long b, c;"),
        "a [0..4)",
        "a0",
        "memory at a0",
    ),
    (X86, f"{OPEN} void f(struct Open a, char b, char c);", EXCHANGED, "b [0..1)", "rdi", "rsi"),
    (RISCV, f"{OPEN} void f(struct Open a, char b, char c);", EXCHANGED, "b [0..1)", "a1", "a2"),
    (RISCV, f"{HALF} void f(struct Open a);", PIECES, "a [0..4)", "a0", "fa0 (2 bytes), a0"),
    (RISCV, f"{HALF} struct Open f(void);", PIECES, "result [0..4)", "a0", "fa0 (2 bytes), a0"),
    (
        RISCV,
        f"{OPEN} struct Open f(void);",
        BODY.format("float a; long b, c;"),
        "result [0..4)",
        "a0",
        "memory at a0",
    ),
]


@pytest.mark.parametrize(("target", "text", "lie", "what", "here", "there"), DISAGREEMENTS)
def test_two_that_part_are_told_with_both_places(
    two: tuple[Path, Path], target: str, text: str, lie: str, what: str, here: str, there: str
) -> None:
    found = compared(two, target, text, lie)
    assert found.what == what
    assert {group.place for group in found.groups} == {here, there}


@pytest.mark.parametrize("target", [X86, RISCV])
@pytest.mark.parametrize("text", ["void f(struct Open a, char b, double c);", "struct Open f(int a);"])
def test_two_that_do_the_same_agree_with_each_other(two: tuple[Path, Path], target: str, text: str) -> None:
    found = compared(two, target, f"{OPEN} {text}", "")
    assert not found.differs
    assert found.groups == ()
    assert found.compared
    assert found.verdict == TOGETHER


@pytest.mark.parametrize("target", [X86, RISCV])
def test_what_is_found_of_one_only_is_told_as_not_compared(two: tuple[Path, Path], target: str) -> None:
    found = compared(two, target, f"{OPEN} void f(struct Open a, char b);", SCRAMBLED)
    assert not found.differs
    assert (found.compared, found.verdict) == (True, PARTLY)
    (gap,) = found.gaps
    assert (gap.subjects, gap.parts) == (((f"clang:{two[1] / 'wrapped'}", "O0"),), ("b [0..1)",))
    assert [part.what for part in found.parts if not part.compared] == ["b [0..1)"]


@pytest.mark.parametrize("target", [X86, RISCV])
def test_one_that_shows_nothing_agrees_with_nobody(two: tuple[Path, Path], target: str) -> None:
    found = compared(two, target, f"{OPEN} void f(struct Open a);", HIDDEN)
    assert (found.differs, found.compared, found.verdict) == (False, False, ALONE)
    (gap,) = found.gaps
    assert (gap.subjects, gap.parts) == (((f"clang:{two[1] / 'wrapped'}", "O0"),), ("a [0..4)",))
    assert found.showing == ((f"clang:{two[0] / 'wrapped'}", "O0"),)


def test_a_compiler_is_held_against_itself(two: tuple[Path, Path]) -> None:
    """Callees that take a member from elsewhere do not go with the callers of the same compiler."""
    lie = r"(abi_out \+ \d+\) = )a; => \1(__typeof__(a)){0};"
    found = compared(two, X86, f"{OPEN} void f(struct Open a);", lie)
    (contradictory,) = found.contradictory
    assert str(two[1]) in contradictory.subjects[0][0]


def test_a_program_that_dies_goes_with_nobody(two: tuple[Path, Path]) -> None:
    found = compared(two, X86, f"{OPEN} void f(struct Open odd);", "follows_a_wild_pointer")
    assert any("dies" in group.place for group in found.contradictory)


def test_layouts_that_no_text_decides_are_compared(two: tuple[Path, Path]) -> None:
    text = "typedef int Aligned __attribute__((aligned(8))); struct Two { char a; Aligned b : 3; char c; };"
    found = compared(two, X86, text, r"char c; => char : 8; char c;")
    assert found.clause == "gnu:bit-field-of-aligned-typedef"
    assert found.what == "c"


def test_preferred_alignments_are_compared_where_no_text_decides_the_layout(two: tuple[Path, Path]) -> None:
    text = "typedef int Aligned __attribute__((aligned(8))); struct Two { char a; Aligned b : 3; long c[]; };"
    found = compared(two, X86, text, r"__alignof__\(__typeof__ => 2 * __alignof__(__typeof__")
    assert found.what == "__alignof__ of the type of a"
    assert {group.place for group in found.groups} == {"1 bytes", "2 bytes"}


def test_who_refuses_is_not_compared(two: tuple[Path, Path]) -> None:
    """One refusal, one subject that shows something: nobody to be held against."""
    asked = tuple((wrapped(folder, told), "O0") for folder, told in zip(two, ("", "refuses"), strict=True))
    question = declared(X86, f"{OPEN} void f(struct Open odd);")
    seen = on(ask(find_target(X86), (question,), asked), question)
    assert not any(one.verdict is Judgement.DIFFERS for found in seen.values() for one in found)
    assert {one.outcome.value for one in seen[asked[1]]} == {"refused"}


def test_what_two_part_on_is_reduced_to_what_matters(two: tuple[Path, Path]) -> None:
    asked = tuple(
        (wrapped(folder, told), "O0")
        for folder, told in zip(two, ("", BODY.format("long only;")), strict=True)
    )
    question = declared(X86, f"{OPEN} double f(int a, struct Open b, long c, double d);")
    found = reduce(question, Goal(Fingerprint(X86, Symptom.DIFFERS, CLAUSE), asked), asked)
    assert found.confirmation.steady
    assert len(str(found.question)) < len(str(question))
    blame = found.confirmation.blame
    assert blame.stand is Stand.UNDECIDED
    assert blame.agreeing == ()
    assert len(blame.groups) == 2
