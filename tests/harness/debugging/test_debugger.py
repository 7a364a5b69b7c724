"""Debuggers as subjects: what they have right, and their known bugs, each shown by the example of its entry."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import msgspec
import pytest

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands import debugger
from abiprobe.harness.cli.main import main
from abiprobe.harness.debugging.debugger_causes import SEARCH, Asked, kinds, look, shows
from abiprobe.harness.debugging.debuggers import Action, Debugger, Seen, emulated, find_debugger, value_seen
from abiprobe.harness.debugging.sweep import Way
from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.machines.workbench import described
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Passed, Passing
from abiprobe.results.known.entries import DEBUGGER
from abiprobe.results.known.ways import shipped

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


def asked_or_skip(program: str, target: str) -> Asked:
    """A debugger with a compiler of its programs; skips without them, or without what runs them."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    if not installed(parse_subject(COMPILER), (find_target(target),)):
        pytest.skip(f"{COMPILER} is not installed for {target}")
    machine, _ = described(find_target(target))
    try:
        emulated(machine.name)
    except Problem as problem:
        pytest.skip(str(problem))
    return Asked(Way(target, parse_subject(COMPILER), "O0"), find_debugger(program))


SHOWN = [
    (Action.PRINT, True),
    (Action.PRINT, True),
    (Action.ARGUMENT, True),
    (Action.ARGUMENT, True),
    (Action.FINISH, True),
    (Action.RETURN, True),
    (Action.RESULT, True),
]


@pytest.mark.parametrize(
    ("program", "target"),
    [
        ("gdb", TARGET),
        ("lldb-19", TARGET),
        ("gdb-multiarch", "aarch64-aapcs64"),
        ("gdb-multiarch", "riscv64-lp64d"),
    ],
)
def test_known_bugs_are_shown_by_their_examples_and_others_are_none(program: str, target: str) -> None:
    asked = asked_or_skip(program, target)
    entries = [one for one in shipped(DEBUGGER) if SEARCH.concerns(one, asked)]
    examples = [
        function
        for entry in entries
        for function in declared_in(entry.example, find_target(target)).functions
    ]
    *shown, (_, plain) = look(asked, [*examples, PLAIN])
    assert isinstance(plain, tuple)
    assert [(one.action, one.is_right) for one in plain] == SHOWN
    for entry, (_, seen) in zip(entries, shown, strict=True):
        found = kinds(seen)
        assert found, entry.name
        assert set(found) <= set(entry.wrong)


def test_an_example_that_shows_nothing() -> None:
    asked = asked_or_skip("gdb", TARGET)
    entry = shipped(DEBUGGER)[0]
    assert shows(entry, asked)
    assert shows(msgspec.structs.replace(entry, example="int f(int a);"), asked) is False
    assert shows(msgspec.structs.replace(entry, example="void f(_BitInt(7) a);"), asked) is None


def test_a_call_by_which_the_function_dies_is_wrong() -> None:
    asked = asked_or_skip("gdb-multiarch", "riscv64-lp64d")
    text = (
        "struct S { float a[1]; }; struct T { void *a; void *b; double c; }; void f(struct S a, struct T b);"
    )
    ((_, seen),) = look(asked, declared_in(text, find_target("riscv64-lp64d")).functions)
    assert kinds(seen) == ["call, argument: a signal in the function"]


@pytest.mark.parametrize(("program", "target"), [("lldb", "aarch64-aapcs64"), ("gdb", "s390x")])
def test_targets_that_no_debugger_is_asked_about(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, program: str, target: str
) -> None:
    monkeypatch.setattr(debugger, "find_debugger", lambda name: Debugger(name, name, "1.0"))
    monkeypatch.setattr(debugger, "emulated", lambda _machine: ("qemu",))
    status, _, err = run(capsys, target, "--debugger", program)
    assert status == 2
    assert target in err


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["debugger", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_what_is_not_known_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    asked_or_skip("gdb", TARGET)
    few = ("--cc", COMPILER, "--cases", "2", "--reduce", "0s")
    status, out, _ = run(capsys, *few, "--no-known")
    assert status == 1
    assert f"{TARGET}: call, argument: __int128, 1 functions; not fully reduced" in out
    status, out, _ = run(capsys, *few, "--format", "json")
    value = json.loads(out)
    (row,) = value["subjects"]
    assert (value["causes"], row["functions"], row["values"]["print"]["wrong"]) == ([], 2, 0)
    assert (status, value["gone"]) == (0, [])
    assert value["known"][0]["name"] == "gdb: __int128 has the class MEMORY"


def test_a_bundle_shows_it_without_abiprobe(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked_or_skip("gdb", TARGET)
    out = tmp_path / "bundles"
    few = ("--cc", COMPILER, "--cases", "2", "--reduce", "5s", "--no-known", "--out", str(out))
    status, _, _ = run(capsys, *few)
    assert status == 1
    folder = out / f"01-{TARGET}"
    assert sorted(path.name for path in folder.iterdir()) == ["f.c", "issue.md", "show.gdb"]
    issue = (folder / "issue.md").read_text("utf-8")
    (command,) = re.findall(r"^    (\S+ .* -o f)$", issue, re.MULTILINE)
    for words in (shlex.split(command), ["gdb", "-nx", "-batch", "-x", "show.gdb", "f"]):
        done = child.run(words, timeout=60, cwd=folder)
        assert done.ok, done.stderr.decode()
    shown = re.findall(r"^\$\d+ = (.*)$", done.stdout.decode(), re.MULTILINE)
    assert shown[0] == shown[1]
    assert shown[-2] != shown[-1]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("/dev/null/gdb", "/dev/null/gdb is not installed"),
        ("true", "true does not tell its version by its Python"),
        ("/dev/null/lldb", "/dev/null/lldb is not installed"),
    ],
)
def test_without_gdb(capsys: pytest.CaptureFixture[str], program: str, words: str) -> None:
    status, out, err = run(capsys, "--debugger", program)
    assert (status, out) == (2, "")
    assert words in err
