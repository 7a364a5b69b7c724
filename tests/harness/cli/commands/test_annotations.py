"""`check --format github`: each line of GitHub's annotations stands at the declaration that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.cli.commands.annotations import command
from abiprobe.harness.cli.main import main
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target

HEADER = """\
/* struct S { int a; }; take(1); */
struct S {
    float f;
    int : 0;
    float g;
};
typedef struct { char c; } T;

void take(struct S s, T t);
long g(struct unknown u);
"""


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """The exit status, and the lines that are workflow commands."""
    with pytest.raises(SystemExit) as ended:
        main(["check", *arguments, "--format", "github", "--opt", "O0", "--cc", "zig", "-t", "riscv64-lp64d"])
    lines = capsys.readouterr().out.splitlines()
    assert isinstance(ended.value.code, int)
    return ended.value.code, [line for line in lines if line.startswith("::")]


@pytest.fixture
def header(tmp_path: Path) -> Path:
    if not installed(parse_subject("zig"), (find_target("riscv64-lp64d"),)):
        pytest.skip("zig is not installed")
    path = tmp_path / "h.h"
    path.write_text(HEADER)
    return path


def test_a_deviation_stands_at_its_function(header: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = checked(capsys, str(header), "--strict")
    skipped = (
        f"::warning file={header},line=10,title=abiprobe::g is not tested: struct unknown is incomplete here"
    )
    deviation = "zig -O0 on riscv64-lp64d: take deviates from the text (riscv:fp.flatten-zero-width)"
    assert (status, lines) == (1, [f"::error file={header},line=9,title=abiprobe::{deviation}", skipped])
    # What is known is no error.
    assert checked(capsys, str(header)) == (3, [skipped])


def test_a_break_stands_at_its_record(
    header: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "abi.json"
    checked(capsys, str(header), "--write-baseline", str(kept))
    header.write_text(HEADER.replace("char c;", "char c; long d;").replace("    float g;", "    float g, h;"))
    status, lines = checked(capsys, str(header), "--baseline", str(kept))
    assert status == 1
    errors = [line for line in lines if line.startswith("::error")]
    assert any(line.startswith(f"::error file={header},line=2,") and "struct S" in line for line in errors)
    assert any(line.startswith(f"::error file={header},line=7,") and "struct T" in line for line in errors)


def test_what_a_runner_would_take_for_its_own_is_escaped() -> None:
    line = command("error", ("a,b:c%.h", 3), "100%\nsure: yes")
    assert line == "::error file=a%2Cb%3Ac%25.h,line=3,title=abiprobe::100%25%0Asure: yes"
    assert command("warning", None, "x") == "::warning title=abiprobe::x"


def test_it_is_not_for_targets_compared_with_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", "h.h", "--same-on", "x86_64-sysv,i386-sysv", "--format", "github"])
    assert ended.value.code == 2
    assert "--format github is not for --same-on" in capsys.readouterr().err
