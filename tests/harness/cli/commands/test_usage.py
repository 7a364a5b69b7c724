"""What a user gets wrong is one line and exit status 2, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.cli.main import main

from .calling import TARGET, abiprobe, compiler


def called(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit status and standard error of a command, called in this process."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    code = ended.value.code
    assert isinstance(code, int)
    return code, capfd.readouterr().err


def is_one_line(ended: tuple[int, str], words: str) -> None:
    status, told = ended
    assert status == 2
    assert told.startswith("abiprobe: ")
    assert told.count("\n") == 1
    assert words in told


RUNS = [
    (("nowhere",), "unknown target 'nowhere'"),
    ((f"{TARGET}@nobody",), f"unknown target '{TARGET}@nobody'"),
    ((TARGET, "--cc", "nocc-1"), "unknown compiler 'nocc-1'"),
    ((TARGET, "--cc", "riscv64-gcc-16"), "name gcc-16: the target chooses"),
    ((TARGET, "--cc", "clang:"), "unknown compiler 'clang:'"),
    ((TARGET, "--cc", "clang-99"), "compiler 'clang-99' is not installed"),
    ((TARGET, "--cc", "gcc:/nowhere/gcc"), "is not installed"),
    ((TARGET, "--cc", "clang 'unclosed"), "unknown compiler"),
    ((TARGET, "--cc", "tcc -o /dev/null"), "tcc has the option '-o'"),
    ((TARGET, "--cc", "gcc:gcc -O2 -o/dev/null"), "gcc:gcc has the option '-o/dev/null'"),
    ((TARGET, "--cases", "0"), "the number of cases 0 is too small"),
    ((TARGET, "--cases", "-3"), "the number of cases -3 is too small"),
    ((TARGET, "--cases", "many"), "the number of cases 'many' is not a whole number"),
    ((TARGET, "--budget", "soon"), "cannot read the budget 'soon'"),
    ((TARGET, "--budget", "-5s"), "cannot read the budget '-5s'"),
    ((TARGET, "--shard", "2/1"), "cannot read the shard '2/1'"),
    ((TARGET, "--shard", "0/3"), "cannot read the shard '0/3'"),
    ((TARGET, "--shard", "half"), "cannot read the shard 'half'"),
    ((TARGET, "--jobs", "0"), "the number of jobs 0 is too small"),
    ((TARGET, "--seed", "-1"), "the seed -1 is too small"),
    ((TARGET, "--seed", "x"), "the seed 'x' is not a whole number"),
    ((TARGET, "--opt", "O9"), "unknown optimisation level 'O9'"),
    ((TARGET, "--opt", ","), "no optimisation level"),
    (("x86-64",), "did you mean x86_64-sysv, x86_64-ms or x86_64-x32?"),
    ((TARGET, "--only", "x86_64:nix"), "unknown clause 'x86_64:nix'"),
    ((TARGET, "--only", "bitfield"), "did you mean bit-field"),
    ((TARGET, "--only", "bit-field", "--tours"), "--only leaves out what is not drawn"),
]


@pytest.mark.parametrize(("arguments", "words"), RUNS)
def test_run(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    more = () if "--cc" in arguments else ("--cc", compiler())
    is_one_line(called(capfd, "run", *arguments, *more), words)
    assert not list(tmp_path.iterdir())


def test_the_folder_of_a_run_cannot_be_made(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "run"):
        ended = called(capfd, "run", TARGET, "--cc", compiler(), "--cases", "1", "--out", str(out))
        is_one_line(ended, f"cannot write to {out}")


def test_the_folder_of_a_run_is_taken(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text("whatever\n")
    ended = called(capfd, "run", TARGET, "--cc", compiler(), "--cases", "1", "--out", str(tmp_path))
    is_one_line(ended, f"{tmp_path} already has a run")
    assert journal.read_text() == "whatever\n"


@pytest.mark.parametrize("command", [("report",), ("run", "--resume")])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "no run at"),
        ("", "does not begin as a journal does"),
        ("garbage\nmore\n", "journal.jsonl:1 is not a line of a journal"),
    ],
)
def test_there_is_no_such_run(
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: tuple[str, ...],
    content: str | None,
    words: str,
) -> None:
    if content is not None:
        (tmp_path / "journal.jsonl").write_text(content)
    is_one_line(called(capfd, *command, str(tmp_path)), words)


SOURCES = [
    ("struct S {\n  int a b;\n};\n", ":2:"),
    ("int a;\nvoid f(what);\n", ":2:"),
    ("int f(int[);\n", ":1:"),
    ("struct S { int a; };\0\n", ":1: a NUL byte"),
    ("", "declares no record and no function"),
    ("int a;\n", "declares no record and no function"),
    ("#include <nowhere.h>\n", ":1:"),
    ("#error no\n", ":1:"),
]


@pytest.mark.parametrize("command", ["check", "predict", "explain"])
@pytest.mark.parametrize(("text", "words"), SOURCES)
def test_declarations_that_cannot_be_read(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, command: str, text: str, words: str
) -> None:
    path = tmp_path / "user.h"
    path.write_text(text)
    is_one_line(called(capfd, command, str(path), "--target", TARGET), words)


@pytest.mark.parametrize("command", ["check", "predict", "explain"])
def test_a_file_that_cannot_be_read(capfd: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    for path in (tmp_path / "nowhere.h", tmp_path):
        is_one_line(called(capfd, command, str(path), "-t", TARGET), str(path))


@pytest.mark.parametrize("command", ["check", "predict", "explain"])
@pytest.mark.parametrize("target", ["nowhere", f"{TARGET},nowhere", "x86_64-sysv@", "", ","])
def test_a_target_that_is_not_known(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, command: str, target: str
) -> None:
    path = tmp_path / "user.h"
    path.write_text("void f(int);\n")
    is_one_line(called(capfd, command, str(path), "-t", target), "target")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("libmvec", "/bin/true"), "/bin/true exports no vector functions"),
        (("toolchains", "install", "gcc-99"), "there is no gcc-99"),
    ],
)
def test_what_there_is_not_at_all(
    capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    is_one_line(called(capfd, *arguments), words)


def test_check_names_the_compiler_that_is_missing(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "user.h"
    path.write_text("void f(int);\n")
    for name, words in (("nocc", "unknown compiler 'nocc'"), ("clang-99", "'clang-99' is not installed")):
        is_one_line(called(capfd, "check", str(path), "-t", TARGET, "--cc", name), words)


@pytest.mark.parametrize(
    "arguments",
    [("frobnicate",), ("run", "--frobnicate"), ("list", "mice"), ("check",), ("report", "--by", "mice")],
)
def test_what_click_refuses(capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    status, told = called(capfd, *arguments)
    assert status == 2
    assert "Error: " in told
    assert "Traceback" not in told


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = {"ABIPROBE_CACHE": str(tmp_path / "file" / "cache")}
    ended = abiprobe(
        "run",
        TARGET,
        "--cc",
        compiler(),
        "--cases",
        "3",
        "--seed",
        "1",
        "--no-triage",
        cwd=tmp_path,
        env=cache,
    )
    assert (ended.returncode, "cannot be used (Not a directory)" in ended.stderr) == (0, True)


@pytest.mark.parametrize("content", [b"", b"not a program\n", b"#!/nowhere/sh\n", b"\x7fELF garbage"])
def test_a_compiler_that_cannot_be_started(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    program = tmp_path / "cc"
    program.write_bytes(content)
    program.chmod(0o755)
    source = tmp_path / "user.h"
    source.write_text("void f(int);\n")
    subject = f"gcc:{program}"
    for arguments in (
        ("check", str(source), "-t", TARGET, "--cc", subject),
        ("run", TARGET, "--cc", subject, "--cases", "1", "--out", str(tmp_path / "run")),
    ):
        is_one_line(called(capfd, *arguments), str(program))
