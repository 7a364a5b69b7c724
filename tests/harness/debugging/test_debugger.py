"""gdb as a subject: what it has right, and its known bugs, each shown by the example of its entry."""

from __future__ import annotations

import json
import shutil

import pytest

from abiprobe.harness.cli.main import main
from abiprobe.harness.debugging.debugger_causes import Asked, kinds, look
from abiprobe.harness.debugging.gdb import Action, Seen, value_seen
from abiprobe.harness.debugging.sweep import Way
from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Passed, Passing
from abiprobe.results.known.ways import DEBUGGER, shipped

TARGET, COMPILER = "x86_64-sysv", "gcc-12"
INT = Scalar(Kind.INT)
PLAIN = Prototype("f", INT, (Param("a", INT), Param("b", Scalar(Kind.DOUBLE))))
PASSED = Passed("a", "int", Passing.DIRECT, (), "", 4, 4, b"\xff\xff\xff\x00")


@pytest.mark.parametrize(
    ("text", "found", "is_right"),
    [
        ("01020304", "01020304", True),
        ("010203ff", "010203ff", True),
        ("01020204", "01020204", False),
        ("0102", "0102", False),
        ("!No symbol", "No symbol", None),
    ],
)
def test_a_value_is_held_against_its_bits(text: str, found: str, *, is_right: bool | None) -> None:
    seen = value_seen(Action.FINISH, INT, PASSED, b"\x01\x02\x03\x04", text)
    assert seen == Seen(Action.FINISH, "a", "integer", "010203..", found, is_right)


def needs_gdb() -> None:
    """Skip without gdb, or without the compiler of its programs."""
    if shutil.which("gdb") is None:
        pytest.skip("gdb is not installed")
    if not installed(parse_subject(COMPILER), (find_target(TARGET),)):
        pytest.skip(f"{COMPILER} is not installed for {TARGET}")


def test_known_bugs_are_shown_by_their_examples_and_others_are_none() -> None:
    needs_gdb()
    entries, target = shipped(DEBUGGER), find_target(TARGET)
    examples = [function for entry in entries for function in declared_in(entry.example, target).functions]
    asked = Asked(Way(TARGET, parse_subject(COMPILER), "O0"), "gdb")
    *shown, (_, plain) = look(asked, [*examples, PLAIN])
    assert isinstance(plain, tuple)
    assert [(one.action, one.is_right) for one in plain] == [
        (Action.PRINT, True),
        (Action.PRINT, True),
        (Action.ARGUMENT, True),
        (Action.ARGUMENT, True),
        (Action.FINISH, True),
        (Action.RESULT, True),
    ]
    for entry, (_, seen) in zip(entries, shown, strict=True):
        found = kinds(seen)
        assert found, entry.name
        assert set(found) <= set(entry.wrong)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["debugger", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_what_is_not_known_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    needs_gdb()
    few = ("--cc", COMPILER, "--cases", "2", "--reduce", "0s")
    status, out, _ = run(capsys, *few, "--no-known")
    assert status == 1
    assert "call, argument: __int128, 1 functions; not fully reduced" in out
    status, out, _ = run(capsys, *few, "--format", "json")
    value = json.loads(out)
    assert (status, value["causes"], value["functions"]) == (0, [], 2)
    assert value["known"][0]["name"] == "gdb: __int128 has the class MEMORY"


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("/dev/null/gdb", "/dev/null/gdb is not installed"),
        ("true", "true does not tell its version by its Python"),
    ],
)
def test_without_gdb(capsys: pytest.CaptureFixture[str], program: str, words: str) -> None:
    status, out, err = run(capsys, "--gdb", program)
    assert (status, out) == (2, "")
    assert words in err
