"""`abiprobe lowerings` as users call it, with a faux clang: statuses, text, JSON, and what is refused."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from .calling import abiprobe

FAUX = Path(__file__).parents[2] / "lowerings" / "faux_clang.py"


@pytest.fixture
def faux(tmp_path) -> str:
    """The name of a faux clang."""
    program = tmp_path / "faux-clang"
    program.write_text(f"#!{sys.executable} -IS\n{FAUX.read_text('utf-8')}", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return f"clang:{program}"


def lowerings(cwd, first, second, *options):
    """The command on two lowerings of few prototypes."""
    asked = ("--cases", "6", "--jobs", "1", "--reduce", "3s", *options)
    return abiprobe("lowerings", "bpfel", "--cc", f"{first},{second}", *asked, cwd=cwd)


STATUSES = [
    ("honest", (), 0),
    ("takes_reals_for_integers", (), 1),
    ("forgets_promises", (), 0),
    ("forgets_promises", ("--strict",), 1),
    ("crashes_on_unions", (), 4),
]


@pytest.mark.parametrize(("lie", "options", "status"), STATUSES)
def test_the_status_says_what_came_of_it(faux, tmp_path, lie, options, status):
    assert lowerings(tmp_path, faux, f"{faux} -DLIE={lie}", *options).returncode == status


def test_the_text_has_the_smallest_example_with_the_ir_of_both(faux, tmp_path):
    done = lowerings(tmp_path, faux, f"{faux} -DLIE=takes_reals_for_integers")
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert "argument: real | integer" in lines
    assert any("float" in line and "f(" in line for line in lines)
    assert f"{faux}: call void @probe_0(float noundef %1)" in lines
    assert any(
        line.endswith("-DLIE=takes_reals_for_integers: call void @probe_0(i32 noundef %1)") for line in lines
    )
    assert done.stderr == ""


def test_what_is_not_implemented_is_counted_and_costs_itself_only(faux, tmp_path):
    done = lowerings(tmp_path, faux, f"{faux} -DLIE=does_not_implement_unions", "--format", "json")
    told = json.loads(done.stdout)
    first, second = told["tallies"]
    (failure,) = second["failures"]
    assert (failure["outcome"], failure["words"]) == (
        "refused",
        "ClangIR code gen Not Yet Implemented: union",
    )
    assert "union" in failure["example"]
    assert second["compared"] == first["outcomes"]["observed"] - failure["prototypes"] > 0
    assert (told["schema"], told["seed"], told["cases"], told["causes"]) == (1, 1, 6, [])


def test_json_has_causes_with_ir(faux, tmp_path):
    done = lowerings(tmp_path, faux, f"{faux} -DLIE=takes_reals_for_integers", "--format", "json")
    (cause,) = json.loads(done.stdout)["causes"]
    assert cause["differences"] == [{"where": "argument", "left": "real", "right": "integer", "abi": True}]
    assert (cause["reduced"], cause["target"], cause["registers"]) == (True, "bpfel", None)
    assert set(cause["ir"]["left"]) == {"define", "declare", "call"}


OWN = "struct S { long a; char b; };\nint f(float a);\nvoid g(struct S s, ...);\nvoid h(union U u);\n"


def of_file(cwd, first, second, *options, places=("bpfel",)):
    """The command on two lowerings of the functions of a file."""
    (cwd / "own.c").write_text(OWN, "utf-8")
    asked = ("--jobs", "1", "--reduce", "3s", "--format", "json", *options)
    return abiprobe("lowerings", "own.c", *places, "--cc", f"{first},{second}", *asked, cwd=cwd)


def test_the_functions_of_a_file_are_asked_alone_at_each_place(faux, tmp_path):
    done = of_file(tmp_path, faux, f"{faux} -DLIE=takes_reals_for_integers", places=("bpfel", "x86_64-sysv"))
    told = json.loads(done.stdout)
    assert (done.returncode, told["files"]) == (1, ["own.c"])
    assert "seed" not in told
    assert [one["outcomes"] for one in told["tallies"]] == [{"observed": 2}] * 4
    (cause,) = told["causes"]
    assert cause["prototypes"] == {"bpfel": 1, "x86_64-sysv": 1}
    assert "float" in cause["example"]
    assert "bpfel: skipped h (own.c:4:16): union U is incomplete" in done.stderr


def test_a_file_that_all_lower_alike_has_status_0(faux, tmp_path):
    assert of_file(tmp_path, faux, f"{faux} -DLIE=honest").returncode == 0


MISTAKES = [
    (("nowhere.c", "bpfel", "--cc", "FAUX,FAUX"), "nowhere.c: No such file or directory"),
    (("own.c", "--cases", "5", "--cc", "FAUX,FAUX"), "--cases draws prototypes, and own.c has its own"),
    (("bpfel", "--cc", "gcc-12,clang-24"), "'gcc-12' writes no LLVM IR"),
    (("bpfel", "--cc", ","), "no lowering is named"),
    (("bpfel", "--cc", "FAUX -DLIE=refuses_options"), "has no other lowering to compare with"),
    (("bpfel", "--cc", "rustc"), "rustc"),
    (("bpfel", "--cc", "FAUX,clang:/nowhere/clang"), "'clang:/nowhere/clang' is not installed"),
    (("bpfel", "--cc", "FAUX,FAUX@mips64-linux-gnu"), "names a triple"),
    (("bpfel", "--cc", "FAUX,FAUX -DLIE=refuses_everything"), "lowers nothing for bpfel: no licence"),
    (("abacus", "--cc", "FAUX -DLIE=knows_no_triple,FAUX"), "'abacus' is no target, and clang:"),
    (("bpfel", "--cc", "FAUX,FAUX", "--cases", "no"), "--cases 'no' is not a whole number"),
    (("bpfel", "--cc", "FAUX,FAUX", "--reduce", "soon"), "cannot read the budget 'soon'"),
]


@pytest.mark.parametrize(("words", "expected"), MISTAKES, ids=[row[1] for row in MISTAKES])
def test_a_mistake_is_one_line(faux, tmp_path, words, expected):
    done = abiprobe("lowerings", *(word.replace("FAUX", faux) for word in words), cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert len(done.stderr.splitlines()) == 1


ALONE = [
    ("FAUX", ["FAUX", "FAUX+cir", "FAUX+llvmabi"]),
    ("FAUX -O1", ["FAUX -O1", "FAUX+cir -O1", "FAUX+llvmabi -O1"]),
    ("FAUX+cir", ["FAUX", "FAUX+cir"]),
]


@pytest.mark.parametrize(("named", "compared"), ALONE, ids=[row[0] for row in ALONE])
def test_a_compiler_alone_stands_for_its_lowerings(faux, tmp_path, named, compared):
    asked = ("bpfel", "--cc", named.replace("FAUX", faux), "--cases", "2", "--format", "json")
    done = abiprobe("lowerings", *asked, cwd=tmp_path)
    assert json.loads(done.stdout)["lowerings"] == [one.replace("FAUX", faux) for one in compared]


def test_without_a_clang_nothing_is_compared(tmp_path):
    env = {"PATH": "/nowhere", "ABIPROBE_CACHE": str(tmp_path / "cache")}
    done = abiprobe("lowerings", "bpfel", cwd=tmp_path, env=env)
    assert (done.returncode, done.stdout) == (3, "")
    assert "no clang with two lowerings is installed" in done.stderr


KNOWN = """
[[lowering]]
name = "faux clang passes reals as integers"
targets = ["bpf*"]
between = ["clang", "clang"]
differences = ["argument: real | integer"]
status = "bug"
reason = "it lies"
link = "unreported"
since = 2026-11-22
example = "void f(float a);"

[[lowering]]
name = "faux clang dies of unions"
targets = ["bpf*"]
between = ["clang", "clang"]
crashed = ["SIGSEGV"]
status = "bug"
reason = "it lies"
link = "unreported"
since = 2026-11-22
example = "union U { int a; }; void f(union U a);"
"""
WITH_KNOWN = [
    ("takes_reals_for_integers", "--known-only", (), 0),
    ("takes_reals_for_integers", "--known", (), 0),
    ("takes_reals_for_integers", "--known-only", ("--strict",), 1),
    ("crashes_on_unions", "--known-only", (), 0),
    ("crashes_on_unions", "--known-only", ("--strict",), 4),
]


@pytest.mark.parametrize(("lie", "option", "more", "status"), WITH_KNOWN)
def test_what_is_known_fails_nothing(faux, tmp_path, lie, option, more, status):
    (tmp_path / "known.toml").write_text(KNOWN, "utf-8")
    done = lowerings(tmp_path, faux, f"{faux} -DLIE={lie}", option, "known.toml", *more)
    assert done.returncode == status
    name = "passes reals as integers" if lie.startswith("takes") else "dies of unions"
    assert f"faux clang {name} (bug; bpfel)  unreported" in done.stdout
    assert "1 known difference (prototypes):" in done.stdout


def test_no_known_contradicts_a_file(faux, tmp_path):
    (tmp_path / "known.toml").write_text(KNOWN, "utf-8")
    done = lowerings(tmp_path, faux, faux, "--no-known", "--known", "known.toml")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
