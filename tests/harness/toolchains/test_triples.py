"""`SUBJECT@TRIPLE`: any clang, for the layouts of any target that it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.batch import Job, run_job
from abiprobe.harness.problem import Problem
from abiprobe.harness.toolchains.find import NO_CALLS, build, command, installed, parse_subject
from abiprobe.oracles.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.record import Judgement

TARGET = "x86_64-sysv"
WORD = Record("S", (Member(Scalar(Kind.INT), "a"), Member(Scalar(Kind.CHAR), "b", 3)))
LONG = Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(Scalar(Kind.LONG), "b")))
LITTLE_ENDIAN = [
    "aarch64-linux-gnu",
    "x86_64-windows-gnu",
    "aarch64-windows-msvc",
    "arm64-apple-macos",
    "x86_64-apple-macos",
    "mipsel-linux-gnu",
]


@pytest.mark.parametrize(
    ("text", "name", "triple", "options"),
    [
        ("clang-22@aarch64-linux-gnu", "clang-22", "aarch64-linux-gnu", ()),
        ("zig@x86_64-windows-gnu", "zig", "x86_64-windows-gnu", ()),
        (
            "clang:/opt/llvm/bin/clang@arm64-apple-macos14.0",
            "clang:/opt/llvm/bin/clang",
            "arm64-apple-macos14.0",
            (),
        ),
        ("clang@i686-windows-msvc -fshort-enums", "clang", "i686-windows-msvc", ("-fshort-enums",)),
        ("gcc:/home/a@b-c/bin/gcc", "gcc:/home/a@b-c/bin/gcc", "", ()),
    ],
)
def test_a_triple_is_read_and_spelt(text: str, name: str, triple: str, options: tuple[str, ...]) -> None:
    subject = parse_subject(text)
    assert (subject.name, subject.triple, subject.options) == (name, triple, options)
    assert subject.spelling == text


@pytest.mark.parametrize("text", ["gcc-12@aarch64-linux-gnu", "tcc@arm-linux-gnu", "pcc@i386-linux-gnu"])
def test_other_families_build_for_their_own_targets_only(text: str) -> None:
    with pytest.raises(Problem, match="does not build for a triple of choice"):
        parse_subject(text)


@pytest.mark.parametrize("text", ["clang@", "clang-22@aarch64", "@aarch64-linux-gnu"])
def test_what_is_no_triple_is_a_problem(text: str) -> None:
    with pytest.raises(Problem, match="unknown compiler"):
        parse_subject(text)


def test_the_triple_takes_the_place_of_the_target_for_every_target(tmp_path: Path) -> None:
    path = tmp_path / "cc"
    path.touch(0o755)
    subject = parse_subject(f"clang:{path}@aarch64-linux-gnu -DX")
    for target in TARGETS:
        words = command(subject, target)
        assert words is not None
        assert words[:2] == (str(path), "--target=aarch64-linux-gnu")
        assert words[-1] == "-DX"
        assert not any(word.startswith(("-march", "-mabi", "-msse")) for word in words)


def test_only_another_triple_has_no_calls(tmp_path: Path) -> None:
    path = tmp_path / "cc"
    path.touch(0o755)
    own = build(parse_subject(f"clang:{path}"), TARGET, "O0")
    other = build(parse_subject(f"clang:{path}@aarch64-linux-gnu"), TARGET, "O0")
    assert own is not None
    assert other is not None
    assert (own.no_calls, other.no_calls) == ("", NO_CALLS)


@pytest.mark.parametrize("triple", LITTLE_ENDIAN)
def test_layouts_of_another_triple_are_read(triple: str) -> None:
    if not installed(parse_subject("zig"), (TARGET,)):
        pytest.skip("zig is not installed")
    questions = (WORD, LONG)
    (batch,) = run_job(Job(TARGET, 0, "records", questions, ((f"zig@{triple}", "O0"),)))
    by_probe = {kept.probe: kept.question for kept in batch.kept}
    deviating = {
        by_probe[verdict.probe] for verdict in batch.verdicts if verdict.verdict is Judgement.DEVIATES
    }
    assert {verdict.verdict for verdict in batch.verdicts} <= {Judgement.AGREES, Judgement.DEVIATES}
    narrow = triple in {"x86_64-windows-gnu", "aarch64-windows-msvc", "mipsel-linux-gnu"}
    assert (LONG in deviating) == narrow
