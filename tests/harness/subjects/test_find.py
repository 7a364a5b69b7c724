"""From what a user writes to a command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects import programs
from abiprobe.harness.subjects.find import (
    build,
    command,
    discover,
    identity,
    installed,
    parse_subject,
    present,
    versions,
)
from abiprobe.oracles.registry import TARGETS, find_target

NAMES = [
    ("clang-19", "clang", ()),
    ("clang", "clang", ()),
    ("gcc-12", "gcc", ()),
    ("zig", "zig", ()),
    ("gcc:riscv64-linux-gnu-gcc-12", "gcc", ()),
    ("clang:/opt/llvm/bin/clang", "clang", ()),
    ("clang-24+cir", "clang", ()),
    ("clang+llvmabi", "clang", ()),
    ("clang-24+cir@riscv64-linux-gnu -O1", "clang", ("-O1",)),
    ("clang:/opt/c++/clang+cir", "clang", ()),
    ("gcc:/opt/c++/gcc", "gcc", ()),
    ("gcc:g+x", "gcc", ()),
    ("gcc:/opt/gcc@12", "gcc", ()),
    ("cc:/opt/chibicc/chibicc", "cc", ()),
    ("clang-22@mips", "clang", ()),
    ("clang-22 -fshort-enums", "clang", ("-fshort-enums",)),
    ("gcc-12 -mabi=ms '-DX=a b'", "gcc", ("-mabi=ms", "-DX=a b")),
]


@pytest.mark.parametrize(("text", "family", "options"), NAMES)
def test_a_subject_is_read(text: str, family: str, options: tuple[str, ...]) -> None:
    subject = parse_subject(text)
    assert (subject.family.name, subject.options) == (family, options)


@pytest.mark.parametrize(("text", "family", "options"), NAMES)
def test_a_spelling_is_read_as_the_same_subject(text: str, family: str, options: tuple[str, ...]) -> None:
    subject = parse_subject(text)
    again = parse_subject(subject.spelling)
    assert (again.name, again.options) == (subject.name, subject.options)
    assert (again.triple, again.lowering) == (subject.triple, subject.lowering)


@pytest.mark.parametrize("triple", ["mips", "s390x", "aarch64-linux-gnu", "thumbv8.1m.main-none-eabi"])
def test_a_triple_may_be_an_architecture_alone(triple: str) -> None:
    assert parse_subject(f"clang-22@{triple}").triple == triple


@pytest.mark.parametrize(
    "text", ["", " ", "icc", "clang-x", "19", "clang:", ":clang", "icc:clang", "clang 'a", "-clang"]
)
def test_what_is_no_subject_is_a_problem(text: str) -> None:
    with pytest.raises(Problem, match="unknown compiler"):
        parse_subject(text)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "cc"
    path.write_text("#!/bin/sh\necho faux 1.0\necho more\n")
    path.chmod(0o755)
    return path


def test_a_program_by_path_serves_the_targets_of_its_family(program: Path) -> None:
    subject = parse_subject(f"clang:{program} -fshort-enums")
    for name in subject.family.flags:
        target = find_target(name)
        words = command(subject, target)
        assert words is not None
        assert words[0] == str(program)
        assert words[-1] == "-fshort-enums"
        assert all(words == command(subject, target.in_dialect(one)) for one in target.dialects)


LOWERINGS = [("cir", "-fclangir"), ("llvmabi", "-fexperimental-abi-lowering")]


@pytest.mark.parametrize(("name", "option"), LOWERINGS)
def test_a_lowering_is_the_same_program_with_an_option(program: Path, name: str, option: str) -> None:
    plain = command(parse_subject(f"clang:{program} -O1"), find_target("x86_64-sysv"))
    lowered = command(parse_subject(f"clang:{program}+{name} -O1"), find_target("x86_64-sysv"))
    assert plain is not None
    assert lowered == (*plain[:-1], "-Xclang", option, "-O1")


@pytest.mark.parametrize("text", ["gcc-16+cir", "clang-24+nothing", "zig+llvmabi", "gcc:gcc+cir"])
def test_a_lowering_that_a_family_has_not(text: str) -> None:
    with pytest.raises(Problem, match=r"has no lowering .*: there are clang\+cir, clang\+llvmabi"):
        parse_subject(text)


def test_the_level_comes_last(program: Path) -> None:
    built = build(parse_subject(f"gcc:{program}"), find_target("x86_64-sysv"), "O2")
    assert built is not None
    assert built.command[-1] == "-O2"


def test_a_program_that_is_not_there_is_not_installed(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    for path in (tmp_path / "nowhere", tmp_path, plain):
        subject = parse_subject(f"gcc:{path}")
        assert not installed(subject, tuple(TARGETS.values()))
        assert build(subject, find_target("x86_64-sysv"), "O0") is None


def test_what_is_discovered_is_installed() -> None:
    found = discover(tuple(TARGETS.values()))
    assert len({subject.name for subject in found}) == len(found)
    assert all(installed(subject, tuple(TARGETS.values())) for subject in found)


def test_the_identity_is_the_first_line_and_changes_with_the_program(program: Path) -> None:
    before = identity((str(program), "-O0"))
    assert before.version == "faux 1.0"
    assert identity((str(program), "-O2")) == before
    program.write_text("#!/bin/sh\necho faux 1.0.1\n")
    after = identity((str(program),))
    assert after.version == "faux 1.0.1"
    assert after.digest != before.digest


@pytest.mark.parametrize(
    ("name", "builds"),
    [("gcc-13", False), ("gcc-14", True), ("gcc-16", True), ("gcc-snapshot", True), ("gcc", False)],
)
@pytest.mark.parametrize("target", ["riscv64-lp64e", "riscv64-lp64d-vector"])
def test_a_gcc_builds_for_the_targets_that_its_release_knows(
    monkeypatch: pytest.MonkeyPatch, name: str, target: str, *, builds: bool
) -> None:
    monkeypatch.setattr("shutil.which", lambda program: f"/usr/bin/{program}")
    assert (command(parse_subject(name), find_target(target)) is not None) is builds
    assert command(parse_subject(name), find_target("riscv64-lp64d")) is not None


def test_a_cross_compiler_of_another_language_needs_what_is_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gcc's driver tells nothing about Ada, the binder that comes with the compiler of Ada does."""
    monkeypatch.setenv("PATH", str(tmp_path))
    gcc, binder = (tmp_path / f"s390x-linux-gnu-{name}-12" for name in ("gcc", "gnatbind"))
    gcc.write_text("", "utf-8")
    gcc.chmod(0o755)
    assert not installed(parse_subject("gnat-12"), (find_target("s390x"),))
    binder.write_text("", "utf-8")
    binder.chmod(0o755)
    found = command(parse_subject("gnat-12"), find_target("s390x"))
    assert found is not None
    assert str(gcc) in found
    assert "-march=z13" in found
    assert not installed(parse_subject("gnat-11"), (find_target("s390x"),))
    assert not installed(parse_subject("gnat-12"), (find_target("x86_64-sysv"),))


@pytest.mark.parametrize("name", ["zig", "gcc-12", "clang-22", "tcc"])
def test_a_version_is_asked_of_a_program_once_for_the_same_contents(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = {
        one: words for one in TARGETS if (words := command(parse_subject(name), find_target(one))) is not None
    }
    if not commands:
        pytest.skip(f"{name} is not installed")
    started: list[tuple[str, ...]] = []
    run = child.run

    def counting(argv: tuple[str, ...], **rest: Any) -> child.Exit:
        started.append(tuple(argv))
        return run(argv, **rest)

    monkeypatch.setattr(programs, "_KNOWN", {})
    monkeypatch.setattr(child, "run", counting)
    # One program may go by several names, which gcc says first.
    lines = {identity(words).version.partition(" ")[2] for words in commands.values()}
    found = versions(commands)
    assert {line.partition(" ")[2] for line in found} == lines
    assert sorted(one for some in found.values() for one in some) == sorted(commands)
    monkeypatch.setattr(programs, "_KNOWN", {})
    started.clear()
    assert versions(commands) == found
    assert not started


def test_a_version_of_a_script_is_asked_each_time(program: Path) -> None:
    assert versions({"a": (str(program), "-m32"), "b": (str(program),)}) == {"faux 1.0": ["a", "b"]}
    (program.parent / "version").write_text("faux 2.0", "utf-8")
    program.write_text(f"#!/bin/sh\ncat {program.parent}/version\n")
    assert versions({"a": (str(program),)}) == {"faux 2.0": ["a"]}
    (program.parent / "version").write_text("faux 2.1", "utf-8")
    assert versions({"a": (str(program),)}) == {"faux 2.1": ["a"]}


def test_names_are_looked_for_on_path_with_the_prefix_of_a_cross_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/nowhere")
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "riscv64-linux-gnu-gcc-13").touch()
    (tmp_path / "cache" / "releases" / "clang-21").mkdir(parents=True)
    names = ("gcc-13", "gcc-1", "gcc-14", "clang-21", "clang-2")
    assert present(names) == ("gcc-13", "clang-21")
