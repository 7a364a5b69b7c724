"""What came of a compilation, and what the tool said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.base.child import Exit
from abiprobe.harness.machines.languages.language import built_in
from abiprobe.harness.subjects.compile import (
    WORDS,
    Limits,
    classify,
    command_of,
    compile_unit,
    error_line,
    settled,
)
from abiprobe.harness.subjects.subject import LANGUAGE, Built
from abiprobe.results.verdicts.record import Outcome


def ended(
    code: int = 0,
    signal: str | None = None,
    stderr: bytes = b"",
    *,
    timed_out: bool = False,
    cut: bool = False,
) -> Exit:
    return Exit(code, signal, timed_out, cut, b"", stderr, 0.0)


ENDINGS = [
    (ended(), True, Outcome.OBSERVED),
    (ended(), False, Outcome.REFUSED),
    (ended(1), False, Outcome.REFUSED),
    (ended(1), True, Outcome.REFUSED),
    (ended(-11, "SIGSEGV"), True, Outcome.CRASHED),
    (ended(1, stderr=b"t.c:1: internal compiler error: Segmentation fault"), False, Outcome.CRASHED),
    (ended(139, stderr=b"PLEASE submit a bug report to ..."), False, Outcome.CRASHED),
    (ended(-9, "SIGKILL", timed_out=True), True, Outcome.TIMED_OUT),
    (ended(-9, "SIGKILL", cut=True), False, Outcome.CRASHED),
]


@pytest.mark.parametrize(("exit_", "written", "outcome"), ENDINGS)
def test_how_a_compilation_ended(tmp_path: Path, exit_: Exit, outcome: Outcome, written: bool) -> None:  # noqa: FBT001
    output = tmp_path / "unit.o"
    if written:
        output.touch()
    assert classify(exit_, output) is outcome


SPOKEN = [
    (b"", ""),
    (b"\n  \n", ""),
    (b"one\ntwo\n", "one"),
    (b"In file included from a.h:1:\na.h:2:3: error: no\nt.c:1: error: more\n", "a.h:2:3: error: no"),
    (b"caution\nt.c: internal compiler error: in f\n", "t.c: internal compiler error: in f"),
    (b"\xff\xfe error\n", "\ufffd\ufffd error"),
    # lld: its sentence goes on in the lines below.
    (
        b"ld: error: unlike:\n>>> a.o: mips3\n>>> b.o: mips32\n>>> c.o\n",
        "ld: error: unlike: a.o: mips3, b.o: mips32",
    ),
    # chibicc: a line of the unit, and below it the message at its place.
    (b"u.c:4: extern int a __b;\n           ^ expected ','\n", "u.c:4: expected ','"),
    (b"u.c:4:1: error: no\n    4 | extern int a __b;\n      | ^~~~\n", "u.c:4:1: error: no"),
]


@pytest.mark.parametrize(("stderr", "words"), SPOKEN)
def test_the_telling_line(stderr: bytes, words: str) -> None:
    assert error_line(stderr, "int x;\nextern int a __b;\n") == words


def test_long_lines_are_cut() -> None:
    assert WORDS - len("error ") < len(error_line(b"error " * 10_000)) <= WORDS
    assert len(error_line(b"x" * 10_000)) == WORDS


def test_time_grows_with_the_probes() -> None:
    limits = Limits(base_seconds=2.0, probe_seconds=0.5)
    assert (limits.seconds(0), limits.seconds(4)) == (2.0, 4.0)


def test_a_unit_is_compiled_where_it_is_told(tmp_path: Path) -> None:
    program = tmp_path / "cc"
    program.write_text('#!/bin/sh\nwhile [ "$1" != -c ]; do shift; done\ncp "$2" "$4"\n')
    program.chmod(0o755)
    output = tmp_path / "out" / "unit.o"
    output.parent.mkdir()
    found = compile_unit(Built((str(program), "-O0")), "int a;\n", output, Limits(), 1)
    assert (found.outcome, found.words) == (Outcome.OBSERVED, "")
    assert output.read_text() == "int a;\n"


def test_what_a_program_keeps_is_shared_unless_it_may_write_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    language = str(built_in()["zig-lang"])

    def kept(program: str, name: str) -> str:
        built = Built((LANGUAGE, language, program, "{source}", "{object}", "{kept}/c"))
        return command_of(built, tmp_path / f"{name}.zig", tmp_path / name / "o")[-1]

    assert kept("zig", "a") == kept("zig", "b") != kept("other", "a")
    assert not kept("zig", "a").startswith(str(tmp_path))
    monkeypatch.setattr(child, "confines", lambda: True)
    assert kept("zig", "a") == str(tmp_path / "a" / "c")


def test_the_name_of_a_temporary_file_is_no_part_of_what_an_assembler_says() -> None:
    words = "/tmp/chibicc-Dh4nrc:206: Error: unassigned file number 0"
    assert settled(words) == "chibicc:206: Error: unassigned file number 0"
