"""From a run to what a person can act on: triage, accept, bisect, reduce and repro, one after the other."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.harness.machines.executors import find as executors
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet
from abiprobe.oracles.language.lang import Isa
from abiprobe.oracles.text.clause import find_clause
from abiprobe.results.known.deviations import parse

from .calling import TARGET, abiprobe, needed

NARROW = "integer narrower than int"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with a clang, which relies on bits above narrow arguments, and a gcc, which does not."""
    folder = tmp_path_factory.mktemp("run")
    needed("zig", TARGET)
    needed("gcc-12", TARGET)
    done = abiprobe(
        *(
            "run",
            TARGET,
            "--cc",
            "zig,gcc-12",
            "--opt",
            "O2",
            "--cases",
            "14",
            "--seed",
            "2",
            "--out",
            str(folder / "r"),
        ),
        cwd=folder,
    )
    assert done.returncode in {0, 1}, done.stderr
    return folder / "r"


def triaged(run: Path, *arguments: str) -> tuple[int, dict[str, list[dict[str, str]]]]:
    done = abiprobe("triage", str(run), "--format", "json", *arguments, cwd=run)
    return done.returncode, json.loads(done.stdout)


def cause(run: Path) -> dict[str, str]:
    """The one cause of the run that is certain."""
    found = triaged(run, "--no-known")[1]["clusters"]
    return next(item for item in found if item["cause"] == NARROW)


def test_a_budget_of_cpu_time_ends_reductions_and_the_next_triage_goes_on(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    shutil.copytree(run, folder)
    short = abiprobe("triage", str(folder), "--no-known", "--fresh", "--budget", "0.001s", cwd=tmp_path)
    assert short.returncode == 1
    assert "the budget ended before" in short.stderr
    assert "as the run saw it, not reduced" in short.stdout
    whole = abiprobe("triage", str(folder), "--no-known", "--budget", "5m", cwd=tmp_path)
    assert "the budget ended" not in whole.stderr
    assert "not reduced" not in whole.stdout


def test_causes_are_told_with_their_smallest_example(run: Path) -> None:
    found = cause(run)
    assert "short" in found["example"] or "char" in found["example"]
    assert found["blame"]["deviating"] == ["zig"]  # type: ignore[index]
    assert found["blame"]["agreeing"] == ["gcc-12"]  # type: ignore[index]
    shown = abiprobe("triage", str(run), "--no-known", cwd=run)
    assert shown.returncode == 1
    assert f"new: {found['id']} {NARROW}" in shown.stdout
    assert "callee: reads" in shown.stdout
    assert "[" in shown.stdout.split("callee: reads")[1]


def test_the_same_causes_again(run: Path) -> None:
    kept = triaged(run, "--no-known")[1]
    again = triaged(run, "--no-known", "--fresh", "-j", "1")[1]
    for item in (*kept["clusters"], *again["clusters"]):
        # A machine at work may end a reduction before it finds nothing smaller.
        item["confirmed"] = item["confirmed"].removesuffix(", not fully reduced")
    assert again == kept


def test_what_is_accepted_is_known_and_what_is_gone_is_told(run: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    written = abiprobe("accept", str(run), "--no-known", "--write", str(known), cwd=run)
    assert written.returncode == 0, written.stderr
    assert triaged(run, "--known-only", str(known))[0] == 0
    one = json.dumps(NARROW)
    assert f"traits = [{one}]" in known.read_text("utf-8")
    proposed = abiprobe("accept", str(run), "--no-known", "--format", "json", cwd=run)
    entries = json.loads(proposed.stdout)["entries"]
    assert [entry["name"] for entry in entries] == [
        entry.name for entry in parse(known.read_text("utf-8"), "k").entries
    ]
    assert all(entry["shows"] for entry in entries)
    alone = {tuple(entry["subjects"]) for entry in entries if len(entry["subjects"]) == 1}
    assert alone == {("clang==22",), ("gcc==12",)}

    false = known.read_text("utf-8").split("[[deviation]]")[1].replace(NARROW, "a false one", 1)
    false = false.replace(f"[{one}]", '["flexible array"]')
    false = "\n".join(
        "example = 'struct S { long n; char a[]; };'" if line.startswith("example") else line
        for line in false.splitlines()
    )
    more = tmp_path / "more.toml"
    more.write_text(f"{known.read_text('utf-8')}\n[[deviation]]{false}\n", "utf-8")
    status, found = triaged(run, "--known-only", str(more))
    assert status == 1
    assert [name for name in found["gone"] if "a false one" in str(name)]

    less = tmp_path / "less.toml"
    entries = known.read_text("utf-8").split("[[deviation]]")
    less.write_text("[[deviation]]".join(one for one in entries if NARROW not in one), "utf-8")
    status, found = triaged(run, "--known-only", str(less))
    assert status == 1
    assert [item["cause"] for item in found["clusters"] if not item["known"]] == [NARROW]


def test_a_timeline(run: Path) -> None:
    done = abiprobe("bisect", cause(run)["id"], "--run", str(run), "--cc", "zig", "--format", "json", cwd=run)
    (found,) = json.loads(done.stdout)
    assert found["versions"][0]["shown"]["O0"] == "good"
    assert found["versions"][0]["shown"]["O2"] == "bad"
    assert found["first_bad"] == "zig"


def test_a_bundle_fails_with_nothing_but_the_compilers(run: Path, tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    out = tmp_path / "bundle"
    done = abiprobe("repro", cause(run)["id"], "--run", str(run), "--cc", "zig", "--out", str(out), cwd=run)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"probe.c", "driver.c", "registers.S", "values.h", "Makefile", "issue-llvm.md"} <= {
        path.name for path in out.iterdir()
    }
    issue = (out / "issue-llvm.md").read_text("utf-8")
    assert find_clause("x86_64:pass.narrow").section in issue
    assert re.search(rf"\bclang \d+\.\d+\.\d+ for {TARGET}: {NARROW}", issue)
    assert "undefined" not in (out / "make-output.txt").read_text("utf-8")
    copy = shutil.copytree(out, tmp_path / "empty" / "x")
    made = subprocess.run(["make", "-k"], cwd=copy, capture_output=True, text=True, check=False, timeout=120)
    assert made.returncode != 0
    assert "WRONG  callee: a read as" in made.stdout
    again = abiprobe("repro", cause(run)["id"], "--run", str(run), "--cc", "zig", "--out", str(out), cwd=run)
    assert again.returncode == 2
    assert "not empty" in again.stderr


def test_a_file_is_reduced(run: Path, tmp_path: Path) -> None:
    header = tmp_path / "t.h"
    header.write_text(
        "struct P { int x, y; }; double f(struct P p, double d, unsigned char c, long l);", "utf-8"
    )
    asked = ("--target", TARGET, "--cc", "zig,gcc-12", "--opt", "O2")
    corpus = tmp_path / "kept.json"
    done = abiprobe("reduce", str(header), *asked, "--format", "json", "--save", str(corpus), cwd=run)
    (found,) = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert found["example"] in {"void f(short a);", "void f(char a);"}
    again = abiprobe("reduce", str(corpus), *asked, "--format", "json", cwd=run)
    assert json.loads(again.stdout)[0]["example"] == found["example"]


MISTAKES = [
    (("triage", "nowhere"), "no run at"),
    (("accept", "nowhere"), "no run at"),
    (("reduce", "c0000000", "--run", "nowhere"), "no run at"),
    (("reduce", "012345678901", "--run", "nowhere"), "no run at"),
    (("reduce", "what?"), "is not a cluster"),
    (("bisect", "c0000000"), "no run is named"),
    (("repro", "c0000000", "--out", "x"), "no run is named"),
    (("toolchains", "install", "clang-9"), "no wheel carries"),
    (("toolchains", "remove", "icc"), "is not something to install"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=[" ".join(row[0][:2]) for row in MISTAKES])
def test_mistakes_are_told_in_one_line(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = abiprobe(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_of_known_deviations_that_cannot_be_read(run: Path, tmp_path: Path) -> None:
    broken = tmp_path / "known.toml"
    broken.write_text("[[deviation]]\nname = 'x'\n", "utf-8")
    done = abiprobe("triage", str(run), "--known-only", str(broken), cwd=run)
    assert done.returncode == 2
    assert "known.toml" in done.stderr
    assert abiprobe("triage", str(run), "--known-only", str(tmp_path / "none"), cwd=run).returncode == 2


LIARS = [
    ("-mpreferred-stack-boundary=3", "the stack arguments are not at a multiple of 16"),
    ("-fcall-used-rbx", "caller: rbx kept"),
]


@pytest.mark.parametrize(("option", "words"), LIARS)
def test_bundles_see_the_stack_and_what_is_kept(option: str, words: str, tmp_path: Path) -> None:
    needed("gcc-12", TARGET)
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (tmp_path / "f.h").write_text("int f(long, long, long, long, long, long, long, long);", "utf-8")
    asked = ("--target", TARGET, "--cc", f"gcc-12 {option},gcc-12", "--out", "bundle")
    done = abiprobe("repro", "f.h", *asked, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert words in (tmp_path / "bundle" / "make-output.txt").read_text("utf-8")


def test_a_bundle_for_a_machine_without_division(tmp_path: Path) -> None:
    target = "arm-aapcs-vfp"
    needed("gcc-12", target)
    needed("clang-22", target)
    for tool in ("make", "qemu-arm"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    (tmp_path / "f.h").write_text("union U { int : 0; float a; }; void f(union U a);", "utf-8")
    done = abiprobe(
        "repro", "f.h", "--target", target, "--cc", "gcc-12,clang-22", "--out", "bundle", cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "as expected" in done.stdout


def test_a_bundle_with_wide_vectors(tmp_path: Path) -> None:
    for name in ("zig", "gcc-12"):
        needed(name, TARGET)
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    if not executors.find("x86_64", Isa.AVX.vectors):
        pytest.skip("nothing runs x86_64 programs with vector registers of 32 bytes")
    wide = '__attribute__((target("avx"))) void f(float __attribute__((vector_size(32))) a);'
    (tmp_path / "f.h").write_text(wide, "utf-8")
    asked = ("--target", TARGET, "--cc", "zig,gcc-12", "--opt", "O0", "--out", "bundle")
    done = abiprobe("repro", "f.h", *asked, "--format", "json", cwd=tmp_path)
    tried = json.loads(done.stdout)["tried"]
    assert tried["failed"] == tried["to_blame"] == ["zig-O0"]


READ = [
    (
        "nvptx64-cuda",
        "clang-16",
        "clang-19",
        "struct S { short a; }; void f(struct S a);",
        "instead .align 4 .b8[2]",
    ),
    (
        "nvptx64-cuda",
        "clang-19 -Dshort=int",
        "clang-19",
        "struct S { char a; short b; };",
        "sizeof(struct S)",
    ),
    ("x86_64-vfabi", "clang-22", "gcc-12", "#pragma omp declare simd\nint f(int a);", "instead _ZGVcN8_f"),
]


@pytest.mark.parametrize(("target", "wrong", "right", "source", "said_of"), READ)
def test_bundles_about_what_is_read_and_not_run(
    target: str, wrong: str, right: str, source: str, said_of: str, tmp_path: Path
) -> None:
    needed(wrong, target)
    needed(right, target)
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (tmp_path / "f.h").write_text(source, "utf-8")
    asked = ("--target", target, "--cc", f"{wrong},{right}", "--opt", "O1", "--out", "bundle")
    done = abiprobe("repro", "f.h", *asked, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    said = (tmp_path / "bundle" / "make-output.txt").read_text("utf-8")
    assert f"WRONG: {said_of}" in said
    assert "as expected" in done.stdout
