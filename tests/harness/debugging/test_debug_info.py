"""Debug information of calls: compilers that lie are caught, honest ones are not blamed, and known bugs are shown by their examples."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from faux.putting import LIE, real_clang

from abiprobe.harness.base import child
from abiprobe.harness.cli.main import main
from abiprobe.harness.debugging import sweep
from abiprobe.harness.debugging.causes import SEARCH, shows, wrong
from abiprobe.harness.debugging.image import Answer
from abiprobe.harness.debugging.judging import Fact, Point, Shown
from abiprobe.harness.debugging.sweep import Share, Way, answered
from abiprobe.harness.debugging.unit import unit
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.known.entries import DEBUG_INFO
from abiprobe.results.known.ways import Entry, shipped
from tests.skipping import needs_executor

pytest.importorskip("unicorn", reason="unicorn is not installed")

TARGET = "x86_64-sysv"
INT, LONG = Scalar(Kind.INT), Scalar(Kind.LONG)
FUNCTION = Prototype("f", INT, (Param("a", INT), Param("b", LONG)))
ENDLESS = Prototype("f", None, (Param("a", INT), Param("b", LONG), Param("c", LONG)))
PLACES = ("x86_64-sysv", "aarch64-aapcs64", "riscv64-lp64d")
TRIED = ("gcc-16", "gcc-12", "clang-24", "clang-22", "clang-14")
TEXT = """\
void look(const void *);
void other(void);
void pass(long, long);
_Noreturn void stop(void);
extern const unsigned char given[];
extern unsigned char kept[];
int f0(int a, long b)
{
    look(&a);
    __builtin_memcpy(kept + 0, &a, sizeof a);
    __builtin_memcpy(kept + 1024, &b, sizeof b);
    pass(a, 7);
    int *f = (void *)given;
    return *f;
}
"""


def test_parameters_are_looked_at_and_kept() -> None:
    assert unit([FUNCTION]) == TEXT


def answer(liar: Path, target: str, level: str, function: Prototype = FUNCTION) -> Answer:
    """What the compiler that tells the lie of the environment says of a function."""
    needs_executor(target)
    (found,) = answered(Share(Way(target, parse_subject(f"clang:{liar}"), level), (function,)))
    assert isinstance(found, Answer), found
    return found


@pytest.mark.parametrize("target", PLACES)
@pytest.mark.parametrize("level", ["O0", "O2"])
def test_an_honest_compiler_is_not_blamed(liar: Path, target: str, level: str) -> None:
    found = answer(liar, target, level)
    behind = [one for one in found.facts if one.point not in {Point.ENTRY, Point.PASSED}]
    assert [one.shown for one in behind] == [Shown.RIGHT] * 4
    passed = [one for one in found.facts if one.point is Point.PASSED]
    assert {one.name.partition(",")[0] for one in passed} == ({"look", "pass"} if level == "O2" else set())
    assert {one.shown for one in passed} <= {Shown.RIGHT, Shown.ABSENT}
    assert (found.declared, found.other) == ((), ())


@pytest.mark.parametrize(
    ("lie", "level", "expected"),
    [
        ("shifts_an_offset", "O0", [("a", "the one location fbreg, behind the prologue", "dwarf_locations:single")]),
        ("names_another_register", "O2", [("b", "an entry of a list reg, behind the prologue", "dwarf_locations:register")]),
        ("forgets_the_prototype", "O2", [("prototype", "prototype", "dwarf_locations:prototyped")]),
    ],
)  # fmt: skip
def test_a_lie_is_caught(
    liar: Path, monkeypatch: pytest.MonkeyPatch, lie: str, level: str, expected: list[tuple[str, ...]]
) -> None:
    monkeypatch.setenv(LIE, lie)
    seen = [
        (one.name if isinstance(one, Fact) else one.what, one.kind, one.clause)
        for one in wrong(answer(liar, TARGET, level))
        if not isinstance(one, Fact) or one.point is Point.BREAKPOINT
    ]
    assert seen == expected


def test_a_parameter_that_arrives_elsewhere_is_no_matter_of_debug_information(liar: Path) -> None:
    needs_executor(TARGET)
    subject = parse_subject(f"clang:{liar} -Dlong=double")
    (found,) = answered(Share(Way(TARGET, subject, "O0"), (FUNCTION,)))
    assert isinstance(found, Answer)
    assert found.other == ("b",)
    assert {one.name for one in found.facts} == {"a"}


def test_a_value_that_is_passed_on_is_held_against_its_register(
    liar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIE, "passes_another_value")
    (one,) = (each for each in wrong(answer(liar, TARGET, "O2")) if each.kind.endswith("as it is passed on"))
    assert isinstance(one, Fact)
    assert (one.name, one.clause) == ("pass, rsi", "dwarf_locations:call-value")
    assert (one.found[:2], one.expected[:2]) == ("08", "07")


@pytest.mark.parametrize(
    ("lie", "expected"), [("tells_the_truth", []), ("forgets_that_it_never_returns", ["return"])]
)
def test_a_function_that_does_not_return(
    liar: Path, monkeypatch: pytest.MonkeyPatch, lie: str, expected: list[str]
) -> None:
    monkeypatch.setenv(LIE, lie)
    found = answer(liar, TARGET, "O2", ENDLESS)
    assert [one.what for one in found.declared] == expected
    assert found.other == ()


@pytest.fixture
def modern(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not ask the liar, which is asked anew each time, for features: it has those of the first prototypes."""
    monkeypatch.setattr(sweep, "lacking", lambda _built, _program: frozenset())


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["debug-info", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


FEW = ("--cases", "3", "--opt", "O0", "--jobs", "1", "--reduce", "0s")


@pytest.mark.usefixtures("modern")
def test_known_bugs_alone(liar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_executor(TARGET)
    status, out, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW, "--format", "json")
    value = json.loads(out)
    (row,) = value["subjects"]
    assert (status, value["causes"], value["gone"]) == (0, [], [])
    assert row["parameters"]["breakpoint"]["right"] > 0
    assert value["known"][0]["status"] == "ambiguous"
    status, _, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW, "--strict")
    assert status == 1


@pytest.mark.usefixtures("modern")
def test_a_wrong_place_is_told(
    liar: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_executor(TARGET)
    monkeypatch.setenv(LIE, "shifts_an_offset")
    status, out, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW)
    assert status == 1
    assert "the one location fbreg, behind the prologue" in out
    assert "dwarf_locations:single (2.6 Location Descriptions" in out


@pytest.mark.usefixtures("modern")
def test_a_bundle_has_a_program_and_a_script(
    liar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_executor(TARGET)
    monkeypatch.setenv(LIE, "shifts_an_offset")
    out = tmp_path / "bundles"
    status, _, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW, "--out", str(out))
    assert status == 1
    folder = out / f"01-{TARGET}"
    words = (*real_clang(), "-w", "-fsyntax-only", *(str(folder / name) for name in ("f.c", "main.c")))
    done = child.run(words, timeout=60)
    assert done.ok, done.stderr.decode()
    (script,) = folder.glob("show-*.gdb")
    lines = script.read_text("utf-8").splitlines()
    assert lines[:2] in (["break *f0", "run"], ["break f0", "run"], ["break look", "break other"])
    assert "print/x in_0_0" in lines
    issue = (folder / "issue.md").read_text("utf-8")
    assert issue.startswith(f"# Wrong debug information on {TARGET}: the one location fbreg")
    assert (folder / "f.c").read_text("utf-8") in issue


@pytest.mark.usefixtures("modern")
def test_a_compiler_that_fails_is_not_compared(liar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_executor(TARGET)
    status, out, _ = run(capsys, TARGET, "--cc", f"clang:{liar} -fno-such-option", *FEW)
    assert status == 3
    assert "3 functions not compared, refused: " in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("s390x",), "debug information is not tested on s390x"),
        (("nvptx64-cuda",), "no functions of nvptx64-cuda run"),
        ((TARGET, "--cc", "cc:true"), "cc:true has no options for unwind tables"),
        ((TARGET, "--cases", "0"), "--cases 0 is too small"),
    ],
)
def test_mistakes_are_usage_errors(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    needs_executor(TARGET)
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.parametrize("entry", shipped(DEBUG_INFO), ids=lambda entry: entry.name)
def test_the_example_of_an_entry_shows_it(entry: Entry) -> None:
    ways: dict[str, Way] = {}
    for place in filter(entry.is_about, PLACES):
        needs_executor(place)
        for name in TRIED:
            if installed(parse_subject(name), (TARGETS[place],)):
                ways.setdefault(name, Way(place, parse_subject(name), "O2"))
    concerned = [one for one in ways.values() if SEARCH.concerns(entry, one)]
    if not concerned:
        family = re.match("[a-z]+", entry.subjects[0])
        assert family is not None
        pytest.skip(f"no {family[0]} of {entry.subjects[0]} is installed")
    assert all(shows(entry, one) for one in concerned)
