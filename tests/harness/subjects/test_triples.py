"""`SUBJECT@TRIPLE`: any clang, for the layouts of any target that it has."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.pool import stream
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import NO_CALLS, build, command, installed, parse_subject
from abiprobe.harness.subjects.triples import remarks
from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

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
    "powerpc64le-linux-gnu",
    "loongarch64-linux-gnu",
]
BIG_ENDIAN = ["mips-linux-gnu", "powerpc64-linux-gnu", "s390x-linux-gnu", "sparc64-linux-gnu"]
NARROW = {"x86_64-windows-gnu", "aarch64-windows-msvc", "mipsel-linux-gnu", "mips-linux-gnu"}
"""Where a `long` has 4 bytes."""
TWINS = [
    ("aarch64-linux-gnu", "aarch64_be-linux-gnu"),
    ("mipsel-linux-gnu", "mips-linux-gnu"),
    ("mips64el-linux-gnuabi64", "mips64-linux-gnuabi64"),
    ("powerpc64le-linux-gnu", "powerpc64-linux-gnu"),
    ("arm-linux-gnueabi", "armeb-linux-gnueabi"),
]
"""One ABI in both byte orders."""
WITNESSES = (ProbeKind.LAYOUT, ProbeKind.DEBUG_INFO)
RECORDS = 60


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


@pytest.mark.parametrize("text", ["clang@", "clang-22@22", "@aarch64-linux-gnu"])
def test_what_is_no_triple_is_a_problem(text: str) -> None:
    with pytest.raises(Problem, match="unknown compiler"):
        parse_subject(text)


def test_the_triple_takes_the_place_of_the_target_for_every_target(tmp_path: Path) -> None:
    path = tmp_path / "cc"
    path.touch(0o755)
    subject = parse_subject(f"clang:{path}@aarch64-linux-gnu -DX")
    for target in TARGETS:
        words = command(subject, find_target(target))
        assert words is not None
        assert words[:2] == (str(path), "--target=aarch64-linux-gnu")
        assert words[-1] == "-DX"
        assert not any(word.startswith(("-march", "-mabi", "-msse")) for word in words)


def test_only_another_triple_has_no_calls(tmp_path: Path) -> None:
    path = tmp_path / "cc"
    path.touch(0o755)
    own = build(parse_subject(f"clang:{path}"), find_target(TARGET), "O0")
    other = build(parse_subject(f"clang:{path}@aarch64-linux-gnu"), find_target(TARGET), "O0")
    assert own is not None
    assert other is not None
    assert (own.no_calls, other.no_calls) == ("", NO_CALLS)


@pytest.fixture
def _zig() -> None:
    if not installed(parse_subject("zig"), (find_target(TARGET),)):
        pytest.skip("zig is not installed")


def asked(triple: str, questions: tuple[Record, ...]) -> tuple[Verdict, ...]:
    job = spelled_job(TARGET, 0, Sort.RECORDS, questions, ((f"zig@{triple}", "O0"),), witnesses=WITNESSES)
    (batch,) = run_job(job)
    return batch.verdicts


@pytest.mark.usefixtures("_zig")
@pytest.mark.parametrize("triple", LITTLE_ENDIAN + BIG_ENDIAN)
def test_layouts_of_another_triple_are_read(triple: str) -> None:
    verdicts = asked(triple, (WORD, LONG))
    deviating = {verdict.probe for verdict in verdicts if verdict.verdict is Judgement.DEVIATES}
    assert deviating == ({probe(LONG).id} if triple in NARROW else set())
    codeview = triple.endswith("msvc")
    for verdict in verdicts:
        unread = codeview and verdict.kind is ProbeKind.DEBUG_INFO
        assert (verdict.outcome is Outcome.UNSUPPORTED) == unread, verdict


@pytest.mark.usefixtures("_zig")
@pytest.mark.parametrize(("little", "big"), TWINS)
def test_the_byte_order_alone_makes_no_deviation(little: str, big: str) -> None:
    """Random records, bit-fields among them, come to the same on both machines of one ABI."""
    drawn = islice(stream(seed=7, kind=Sort.RECORDS), RECORDS)
    questions = tuple(each for each in drawn if isinstance(each, Record))
    known = {(item.probe, item.kind): (item.verdict, item.outcome) for item in asked(little, questions)}
    found = {(item.probe, item.kind): (item.verdict, item.outcome) for item in asked(big, questions)}
    assert found == known
    assert sum(judgement is Judgement.AGREES for judgement, _ in found.values()) > RECORDS // 4


@pytest.mark.usefixtures("_zig")
def test_a_format_that_is_not_read_is_no_refusal() -> None:
    (layout, _) = asked("powerpc64-ibm-aix", (WORD,))
    assert (layout.verdict, layout.outcome) == (Judgement.UNOBSERVED, Outcome.UNDECODED)
    assert "XCOFF" in layout.detail


@pytest.mark.usefixtures("_zig")
@pytest.mark.parametrize(
    ("triple", "says"),
    [
        ("aarch64-linux-gnu", "layouts only, against the model of x86_64-sysv: sizes, alignments, offsets"),
        ("mips-linux-gnu", "as the machine is big-endian"),
        ("powerpc64-ibm-aix", "nothing is compared: object files in the format XCOFF are not read"),
        ("nonesuch-linux-gnu", "nothing is compared: "),
    ],
)
def test_what_is_compared_is_told_before(triple: str, says: str) -> None:
    (line,) = remarks({find_target(TARGET): tuple(map(parse_subject, ("zig", f"zig@{triple}")))})
    assert line.startswith(f"zig@{triple} for {TARGET}: ")
    assert says in line
