"""Declarations that differ between targets: a table with answers by hand, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abiprobe.harness.cli.commands.baselines import asked_there
from abiprobe.harness.input import ReadOptions
from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.results.history.baseline.across import SameOn, Why, same_on
from abiprobe.results.history.baseline.keep import baseline

from .calling import abiprobe, compiler

WIDE, NARROW, ARM, BIG = "x86_64-sysv", "i386-sysv", "aarch64-aapcs64", "s390x"
WHOLE = ReadOptions(strict=False, interface=True)


def compared(text: str, *targets: str) -> SameOn:
    read = [(target, declared_in(text, find_target(target), WHOLE)) for target in targets]
    return same_on(
        baseline(((target, find_model(target), one.interfaces) for target, one in read), asked_there)
    )


@pytest.mark.parametrize(
    ("text", "targets", "line", "why", "plain"),
    [
        (
            "struct s { int a; unsigned long long b; };",
            (WIDE, NARROW),
            (
                "struct s: unsigned long long b is aligned to 8 against 4 bytes, at byte 8 against byte 4; "
                "size 16 against 12 (an alignment)"
            ),
            Why.ALIGNMENT,
            True,
        ),
        (
            # The statistics of a driver, whose ioctl has another number on 32 bits for it: infnoise, pull request 118.
            "struct s { unsigned long long a; unsigned b[6]; unsigned char c, d; };",
            (WIDE, NARROW),
            (
                "struct s: unsigned long long a is aligned to 8 against 4 bytes, alignment 8 against 4; "
                "size 40 against 36 (an alignment)"
            ),
            Why.ALIGNMENT,
            True,
        ),
        (
            "struct s { long a; int b; };",
            (WIDE, NARROW),
            "struct s: long a is 8 against 4 bytes; size 16 against 8 (a long)",
            Why.LONG,
            False,
        ),
        (
            "struct s { int b; void *a; };",
            (WIDE, NARROW),
            "struct s: void * a is 8 against 4 bytes, and 1 more; size 16 against 8 (an alignment, a pointer)",
            Why.ALIGNMENT,
            False,
        ),
        (
            "struct s { char a; };",
            (WIDE, ARM),
            "struct s: char a is signed 8 bits against unsigned 8 bits (the sign of char)",
            Why.CHAR,
            True,
        ),
        (
            "struct s { long double a; };",
            (WIDE, NARROW),
            "struct s: long double a is 16 against 12 bytes; size 16 against 12 (a type)",
            Why.TYPE,
            True,
        ),
        (
            "#ifdef __i386__\nint f(void);\n#endif\nint g(void);",
            (WIDE, NARROW),
            "f(): it is declared on i386-sysv only (declared on one only)",
            Why.ABSENT,
            True,
        ),
        (
            "long f(int);",
            (WIDE, NARROW),
            "f(): result (long) is signed 64 bits against signed 32 bits (a long)",
            Why.LONG,
            False,
        ),
        (
            "struct s { int a; #ifdef __i386__\n#endif\n };".replace(" #ifdef", "\n#ifdef")
            + "enum e { A = sizeof(void *) };",
            (WIDE, NARROW),
            "enum e: A is 8 against 4 (an enum)",
            Why.ENUM,
            True,
        ),
    ],
)
def test_a_declaration_that_differs_is_a_line(
    text: str, targets: tuple[str, ...], line: str, why: Why, *, plain: bool
) -> None:
    (found,) = compared(text, *targets).differing
    assert found.line == line
    assert (found.why[0], found.plain) == (why, plain)


@pytest.mark.parametrize(
    "text",
    [
        "struct s { int a; char name[16]; unsigned long long b __attribute__((aligned(8))); };",
        "struct s { unsigned long long a; } __attribute__((aligned(8)));",
        "int f(char *, void *, const struct s *); struct s;",
    ],
)
def test_what_is_the_same_is_no_line(text: str) -> None:
    found = compared(text, WIDE, NARROW)
    assert (found.differing, found.uncompared) == ((), ())


def test_an_alignment_alone_is_told_apart() -> None:
    found = compared("struct s { unsigned long long a; };", WIDE, NARROW)
    assert (found.differing, found.aligned) == ((), ("struct s",))


def test_a_record_by_value_and_one_in_another_differ_with_it() -> None:
    text = "struct s { int a; double b; }; struct t { struct s s; }; struct s f(void); void g(struct s *);"
    found = {one.declaration: one.why for one in compared(text, WIDE, NARROW).differing}
    assert found.keys() == {"struct s", "struct t", "f()"}
    assert found["struct t"] == found["f()"] == (Why.RECORD,)


def test_a_pointer_in_a_record_within_counts() -> None:
    text = "struct p { void *p; }; struct s { struct p p; };"
    assert not any(one.plain for one in compared(text, WIDE, NARROW).differing)


def test_another_byte_order_is_told() -> None:
    assert compared("struct s { int a; };", WIDE, BIG).order.endswith(
        "little-endian on x86_64-sysv, big-endian on s390x"
    )
    assert not compared("struct s { int a; };", WIDE, NARROW).order


HEADER = "struct s { int a; double b; }; struct p { void *p; }; struct same { int a; };\n"
ASKED = ("check", "a.h", "--same-on", f"{WIDE},{NARROW}")


def test_the_command_says_what_differs_and_takes_exceptions(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text(HEADER, "utf-8")
    done = abiprobe(*ASKED, cwd=tmp_path)
    first, middle, last, total = done.stdout.splitlines()
    assert done.returncode == 1
    assert first.startswith("struct s: double b is aligned to 8 against 4 bytes")
    assert (middle, last) == (
        "with a pointer or a long:",
        "struct p: void * p is 8 against 4 bytes; size 8 against 4 (a pointer)",
    )
    assert total == (
        "3 records and 0 functions on x86_64-sysv, i386-sysv: 1 differ without a pointer or a long, 1 with one"
    )
    (tmp_path / "may").write_text("struct s # read by one machine only\nstruct [pq]\nstruct gone\n", "utf-8")
    done = abiprobe(*ASKED, "--except", "may", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        0,
        "no longer needed as an exception: struct gone",
    )
    assert "2 exceptions" in done.stdout
    told = json.loads(abiprobe(*ASKED, "--except", "may", "--format", "json", cwd=tmp_path).stdout)
    assert {one["declaration"]: one["excepted"] for one in told["differing"]} == {
        "struct s": True,
        "struct p": True,
    }


def test_nothing_differs_where_nothing_does(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("struct same { int a; };\n", "utf-8")
    done = abiprobe(*ASKED, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        "1 record and 0 functions on x86_64-sysv, i386-sysv: all the same\n",
    )


def test_what_cannot_be_read_is_not_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("struct s { __int128 a; }; struct t { int a; };\n", "utf-8")
    done = abiprobe(*ASKED, cwd=tmp_path)
    assert done.returncode == 3, done.stdout
    assert "not compared: struct s" in done.stdout
    assert abiprobe(*ASKED, "--allow-skipped", cwd=tmp_path).returncode == 0


def test_the_command_line_wins_over_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text(HEADER, "utf-8")
    (tmp_path / "may").write_text("*\n", "utf-8")
    (tmp_path / "abiprobe.toml").write_text(f'targets = ["{WIDE}"]\n', "utf-8")
    assert abiprobe(*ASKED, cwd=tmp_path).returncode == 1
    (tmp_path / "abiprobe.toml").write_text(
        f'[check]\nsame-on = "{WIDE},{NARROW}"\nexcept = "may"\n', "utf-8"
    )
    assert abiprobe("check", "a.h", cwd=tmp_path).returncode == 0
    done = abiprobe("check", "a.h", "--target", WIDE, "--cc", compiler(), cwd=tmp_path)
    assert (done.returncode, "as the documents say" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--same-on", WIDE), "--same-on compares two targets or more"),
        (("--same-on", "x86_64-sysv,i386"), "unknown target 'i386'"),
        (("--same-on", f"{WIDE},{NARROW}", "--target", WIDE), "leave out --target"),
        (("--same-on", f"{WIDE},{NARROW}", "--except", "none"), "none cannot be read"),
        (("--same-on", f"{WIDE},{NARROW}", "--cc", "gcc"), "--cc is not for --same-on."),
        (("--target", WIDE, "--except", "none"), "--except belongs to --same-on"),
        (("--target", WIDE, "--binding", "a.rs", "--pairs", "all"), "--pairs is not for --binding."),
        (("--target", WIDE, "--binding", "a.rs", "--baseline", "a.h"), "--baseline is not for --binding."),
        (("--target", WIDE, "--binding", "a.rs", "--verbose"), "--verbose is not for --binding."),
        ((), "Missing option '--target'"),
    ],
)
def test_a_mistake_is_told(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text(HEADER, "utf-8")
    done = abiprobe("check", "a.h", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
