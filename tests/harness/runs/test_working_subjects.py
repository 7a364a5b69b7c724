"""Compilers that do not work are told before a run, in one line, and nothing of them is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.runs.working_subjects import NO_BUILDER, Usable, left_out, usable
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.registry import find_target
from tests.harness.cli.commands.calling import TARGET, abiprobe, compiler

OTHER = "i386-sysv"
COMPILING = 'while [ "$1" != -o ]; do shift; done; echo > "$2"'
COUNTING = 'n=$(cat "$0.n" 2>/dev/null || echo 0); n=$((n + 1)); echo $n > "$0.n"'
VERSION = 'case "$*" in *--version*) echo faux 1.0; exit;; esac'
FAILING = "echo 'error: no licence' >&2; exit 3"
BROKEN = [
    pytest.param(FAILING, "does not tell its version: exit status 3, error: no licence", id="always"),
    pytest.param("kill -SEGV $$", "does not tell its version: SIGSEGV", id="killed"),
    pytest.param(
        f"{VERSION}\n{FAILING}", f"compiles nothing for {TARGET}: error: no licence", id="all but its version"
    ),
    pytest.param(
        f"{VERSION}\nfor one; do case $one in *.c) unit=$one;; esac; done\ncase $(cat $unit) in *struct*) {FAILING};; esac\n{COMPILING}",
        f"compiles nothing for {TARGET}: error: no licence",
        id="all but the simplest",
    ),
    pytest.param(
        f"{VERSION}\n{COUNTING}\n[ $((n % 3)) = 0 ] && {{ {FAILING}; }}\n{COMPILING}",
        "fails now and then, ",
        id="now and then",
    ),
]


def test_a_line_names_few_of_those_that_are_left_out() -> None:
    one, other = find_target(TARGET), find_target(OTHER)
    named = tuple(parse_subject(f"gcc-{number}") for number in range(10, 17))
    (line,) = left_out(named, {one: named, other: ()})
    assert line.endswith(f"gcc-10 ({OTHER}), gcc-11 ({OTHER}), gcc-12 ({OTHER}), gcc-13 ({OTHER}), 3 more")
    assert not list(left_out(named, {one: named, other: named}))


def script(folder: Path, text: str) -> Path:
    path = folder / "cc"
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    return path


def working(folder: Path) -> str:
    (folder / "well").mkdir()
    return f"gcc:{script(folder / 'well', f'{VERSION}{chr(10)}{COMPILING}')}"


def asked(*names: str, on: tuple[str, ...], everywhere: bool = True) -> Usable:
    """The subjects of these names, each on all of some targets."""
    subjects = tuple(map(parse_subject, names))
    return usable(subjects, dict.fromkeys(map(find_target, on), subjects), everywhere=everywhere)


def spelled(found: Usable) -> dict[str, tuple[str, ...]]:
    return {target.spelling: tuple(map(str, subjects)) for target, subjects in found.subjects.items()}


@pytest.fixture
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_own_cache")
@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_a_broken_compiler_is_named_with_its_words(text: str, words: str, tmp_path: Path) -> None:
    name = f"gcc:{script(tmp_path, text)}"
    with pytest.raises(Problem) as raised:
        asked(name, on=(TARGET,))
    assert raised.value.message.startswith(f"'{name}' {words}")
    well = working(tmp_path)
    beside = asked(name, well, on=(TARGET,))
    assert spelled(beside) == {TARGET: (well,)}
    assert [(one.subject, one.target) for one in beside.unusable] == [(name, "")]
    assert beside.unusable[0].why.startswith(words)
    assert not [
        path for path in (tmp_path / "cache").rglob("*") if path.is_file() and path.parent.name != "contents"
    ]


def test_a_compiler_that_works_is_none_of_these(tmp_path: Path) -> None:
    path = script(tmp_path, f"{VERSION}\n{COMPILING}")
    name = f"gcc:{path}"
    assert asked(name, on=(TARGET,)).unusable == ()


def test_a_target_that_it_does_not_build_for_is_a_fault_of_a_check_only(tmp_path: Path) -> None:
    path = script(tmp_path, f'{VERSION}\ncase "$*" in *-m32*) {FAILING};; esac\n{COMPILING}')
    name = f"gcc:{path}"
    assert asked(name, on=(TARGET, OTHER), everywhere=False).unusable == ()
    checked = asked(name, on=(TARGET, OTHER))
    assert spelled(checked) == {TARGET: (name,), OTHER: ()}
    assert [(one.subject, one.target) for one in checked.unusable] == [(name, OTHER)]
    with pytest.raises(Problem, match=f"compiles nothing for {OTHER}"):
        asked(name, on=(OTHER,), everywhere=False)


@pytest.mark.parametrize("has", [True, False])
def test_a_lowering_is_proved(tmp_path: Path, *, has: bool) -> None:
    """A clang without ClangIR takes the option and ignores it."""
    refusing = "" if has else f'case "$*" in *-emit-cir*) {FAILING};; esac\n'
    path = script(tmp_path, f"{VERSION}\n{refusing}{COMPILING}")
    name = f"clang:{path}+cir"
    if has:
        assert asked(name, on=(TARGET,)).unusable == ()
    else:
        with pytest.raises(Problem, match=r"\+cir' compiles nothing for .*: error: no licence"):
            asked(name, on=(TARGET,))


def test_a_target_that_nobody_builds_for_is_told(tmp_path: Path) -> None:
    well = working(tmp_path)
    served = {find_target(TARGET): (parse_subject(well),), find_target("sparc64"): ()}
    found = usable((parse_subject(well),), served, everywhere=True)
    assert [(one.subject, one.target, one.why) for one in found.unusable] == [("", "sparc64", NO_BUILDER)]


@pytest.mark.parametrize("command", [("run", TARGET, "--cases", "1"), ("check", "-", "--target", TARGET)])
def test_a_command_ends_in_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    name = f"gcc:{script(tmp_path, FAILING)}"
    done = abiprobe(*command, "--cc", name, cwd=tmp_path, stdin="struct S { int a; };")
    assert done.returncode == 2
    assert done.stderr == f"abiprobe: {name!r} does not tell its version: exit status 3, error: no licence\n"
    assert not (tmp_path / ".abiprobe").exists()


def test_names_of_every_cc_and_long_ones_are_shown_whole(tmp_path: Path) -> None:
    """A subject whose name is wider than the output, named by a second `--cc`."""
    name = compiler()
    built = build(parse_subject(name), find_target(TARGET), "O0")
    assert built is not None
    program = " ".join(built.command[: 2 if built.command[1] == "clang" else 1])
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    family = parse_subject(name).family.name.replace("zig", "clang")
    path = script(folder, f'exec {program} "$@"')
    long = f"{family}:{path}"
    text = "struct S { int a; };\n"
    done = abiprobe(
        *("check", "-", "--target", TARGET, "--opt", "O0", "--cc", name, "--cc", long, "--verbose"),
        cwd=tmp_path,
        stdin=text,
    )
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()[1:4]
    assert {line.split()[1] for line in lines} == {name, long}
    assert all(line.split()[2:5] == ["-O0", "1", "1"] for line in lines)
    assert {len(line) for line in lines} == {len(head)}
