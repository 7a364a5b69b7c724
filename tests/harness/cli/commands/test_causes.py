"""What a run ends with: new causes in full, known deviations in a line each, and an exit status that counts what is new.

The compiler is a real clang, which lies where a test has it lie.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.faux.putting import program

from .calling import TARGET, abiprobe, compiler, needed

LIAR = {
    "ABIPROBE_TESTS_LIE": "rewrites",
    # Structs that begin with a float travel as if they began with an int.
    "ABIPROBE_TESTS_REWRITE": r"(struct \w+ \{ )float => \1int",
}
LIES = {
    "ABIPROBE_TESTS_LIE": "rewrites",
    # Structs travel and are laid out otherwise, whatever they begin with.
    "ABIPROBE_TESTS_REWRITE": r"(struct \w+ \{ )(?:float|double|short|_Bool)(?= \w) => \1long",
}
CRASH = {"ABIPROBE_TESTS_LIE": "crashes_on_complex"}
KNOWN = """
[[deviation]]
name = "the liar takes a float for an int"
targets = ["x86_64-sysv"]
subjects = ["clang"]
shows.misplaced = ["x86_64:pass.sse", "x86_64:pass.integer", "x86_64:result.sse", "x86_64:result.integer"]
traits = ["struct"]
status = "bug"
reason = "it lies"
link = "https://example.org/liar"
since = 2026-11-21
example = "struct S { float a; }; void f(struct S a);"

[[deviation]]
name = "the liar dies of complex numbers"
targets = ["x86_64-sysv"]
subjects = ["clang"]
shows.crashed = ["internal compiler error: in faux"]
status = "bug"
reason = "it dies"
link = "unreported"
since = 2026-11-21
example = "void f(double _Complex a);"
"""
WIDE = {"COLUMNS": "1000"}
"""No table is folded, however long the path of the subject is."""
LIE_HEADER = "struct S { float a; };\nvoid f(struct S a);\nvoid g(long a);\n"


@pytest.fixture(scope="module")
def liar(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The subject that lies when it is told to; it was asked for its features while it was honest."""
    path = program(tmp_path_factory.mktemp("faux"))
    subject = f"clang:{path}"
    folder = path.parent
    (folder / "known.toml").write_text(KNOWN, "utf-8")
    (folder / "lie.h").write_text(LIE_HEADER, "utf-8")
    (folder / "complex.h").write_text("void f(double _Complex a);\nvoid g(long a);\n", "utf-8")
    assert abiprobe("check", "lie.h", "-t", TARGET, "--cc", subject, cwd=folder).returncode == 0
    return subject


def folder(liar: str) -> Path:
    return Path(liar.partition(":")[2]).parent


def check(liar: str, file: str, lie: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    asked = ("check", file, "-t", TARGET, "--cc", liar, "--opt", "O0", *options)
    return abiprobe(*asked, cwd=folder(liar), env=lie)


CHECKS = [
    ("lie.h", LIAR, (), 1),
    ("lie.h", LIAR, ("--known", "known.toml"), 0),
    ("lie.h", LIAR, ("--known", "known.toml", "--strict"), 1),
    ("lie.h", LIAR, ("--known-only", "known.toml"), 0),
    ("complex.h", CRASH, (), 4),
    ("complex.h", CRASH, ("--known", "known.toml"), 0),
    ("complex.h", CRASH, ("--known", "known.toml", "--strict"), 4),
]


@pytest.mark.parametrize(("file", "lie", "options", "status"), CHECKS)
def test_check_counts_what_is_new(
    liar: str, file: str, lie: dict[str, str], options: tuple[str, ...], status: int
) -> None:
    done = check(liar, file, lie, *options)
    assert done.returncode == status, done.stdout + done.stderr
    assert ("the liar" in done.stdout) is ("known.toml" in options)


def test_check_tells_a_known_deviation_in_a_line(liar: str) -> None:
    new, known = check(liar, "lie.h", LIAR), check(liar, "lie.h", LIAR, "--known", "known.toml")
    assert "x86_64:pass.sse" in new.stdout
    assert "x86_64:pass.sse" not in known.stdout
    (line,) = [line for line in known.stdout.splitlines() if "takes a float" in line]
    assert "https://example.org/liar" in line
    values = json.loads(check(liar, "lie.h", LIAR, "--known", "known.toml", "--format", "json").stdout)
    shown = [one for one in values["verdicts"] if one["verdict"] == "deviates"]
    assert shown
    assert all(one["known"] == ["the liar takes a float for an int"] for one in shown)


@pytest.fixture(scope="module")
def lied(liar: str) -> Path:
    """A run of the liar, whose causes are told when it ends."""
    asked = ("run", TARGET, "--cc", liar, "--cases", "40", "--opt", "O0", "--seed", "1", "--pairs", "none")
    done = abiprobe(*asked, "--out", "lied", cwd=folder(liar), env=LIAR | WIDE)
    assert done.returncode == 1, done.stdout + done.stderr
    (folder(liar) / "lied.txt").write_text(done.stdout, "utf-8")
    return folder(liar) / "lied"


def test_a_run_tells_what_is_new_first_and_in_full_and_what_to_do_next(lied: Path) -> None:
    text = lied.with_suffix(".txt").read_text("utf-8")
    cause, clause = text.splitlines()[:2]
    assert cause.startswith("1. c")
    assert clause.startswith("   x86_64:")
    assert "float" in text.partition("next:")[0]
    assert "expected" in text
    heading, row = text[text.index("\ntarget ") :].splitlines()[1:3]
    assert (heading.split()[:2], row.split()[0]) == (["target", "subject"], TARGET)
    assert "run folder: lied" in text
    for command in ("repro c", "triage lied", "report lied --by clause", "accept lied"):
        assert f"abiprobe {command}" in text


def test_what_a_run_told_is_kept_for_those_who_come_after(lied: Path, liar: str) -> None:
    told = lied.with_suffix(".txt").read_text("utf-8").split("run folder")[0]
    again = abiprobe("report", "lied", cwd=lied.parent, env=WIDE)
    assert again.returncode == 1
    # A report has all in full, the screen that a run ends with has the first cause in full.
    first_cause = re.split(r"\n2\. |\ntarget ", again.stdout)[0]
    assert told.startswith(first_cause.rstrip())
    causes = json.loads(abiprobe("report", "lied", "--format", "json", cwd=lied.parent).stdout)["causes"]
    first = causes["new"][0]
    assert f"1. {first['id']}" in told
    reduced = abiprobe("reduce", first["id"], "--run", "lied", "--format", "json", cwd=lied.parent, env=LIAR)
    (found,) = json.loads(reduced.stdout)
    assert found["fingerprint"]["clause"] == first["clauses"][0]


def test_a_run_with_many_new_causes_ends_with_one_screen(liar: str) -> None:
    asked = (
        "run",
        TARGET,
        "--cc",
        liar,
        "--cases",
        "100",
        "--seed",
        "1",
        "--opt",
        "O0",
        "--no-triage",
        "--out",
        "many",
    )
    done = abiprobe(*asked, cwd=folder(liar), env=LIES | WIDE)
    assert done.returncode == 1, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len((*done.stderr.splitlines(), *lines)) <= 40
    assert lines[0].startswith("1. c")
    assert sum(line.startswith("new: c") for line in lines) > 1
    assert any("abiprobe report many    # every cause in full" in line for line in lines)
    full = abiprobe("report", "many", cwd=folder(liar), env=WIDE).stdout
    causes = json.loads(abiprobe("report", "many", "--format", "json", cwd=folder(liar)).stdout)["causes"]
    assert len(causes["new"]) > 3
    assert all(f"{number}. {one['id']}" in full for number, one in enumerate(causes["new"], 1))


def test_a_cause_keeps_the_name_that_the_run_told_for_it(lied: Path, liar: str) -> None:
    (first, *_) = json.loads(abiprobe("report", "lied", "--format", "json", cwd=lied.parent).stdout)[
        "causes"
    ]["new"]
    shutil.copytree(lied, lied.parent / "joined")
    assert abiprobe("triage", "joined", "--no-known", "--top", "1", cwd=lied.parent, env=LIAR).returncode == 1
    triaged = lied.parent / "joined" / "triage.json"
    values = json.loads(triaged.read_text("utf-8"))
    for number, cluster in enumerate(values["clusters"]):
        cluster |= {"id": f"c000000{number}", "former": []}
    triaged.write_text(json.dumps(values), "utf-8")
    for name in (first["id"], "c0000000"):
        done = abiprobe("reduce", name, "--run", "joined", cwd=lied.parent, env=LIAR)
        assert done.returncode == 0, done.stderr


def test_the_same_run_with_what_is_known_fails_nothing(lied: Path, liar: str) -> None:
    known = ("--known", "known.toml")
    text = abiprobe("report", "lied", *known, cwd=lied.parent)
    assert text.returncode == 0, text.stdout
    assert "the liar takes a float for an int" in text.stdout
    strict = abiprobe("report", "lied", *known, "--strict", cwd=lied.parent)
    assert strict.returncode == 1
    for form in ("junit", "sarif", "markdown", "card"):
        done = abiprobe("report", "lied", *known, "--format", form, cwd=lied.parent)
        assert done.returncode == 0, form
        assert "<failure" not in done.stdout
        assert "<error" not in done.stdout
    assert "<failure" in abiprobe("report", "lied", "--format", "junit", cwd=lied.parent).stdout
    asked = ("run", TARGET, "--cc", liar, "--cases", "40", "--opt", "O0", "--seed", "1", "--pairs", "none")
    again = abiprobe(*asked, *known, "--no-triage", "--out", "again", cwd=lied.parent, env=LIAR)
    assert again.returncode == 0, again.stdout


def test_a_known_deviation_is_no_news_for_diff(lied: Path, liar: str) -> None:
    asked = ("run", TARGET, "--cc", liar, "--cases", "40", "--opt", "O0", "--seed", "1", "--pairs", "none")
    honest = abiprobe(*asked, "--fresh", "--out", "honest", cwd=lied.parent)
    assert honest.returncode == 0, honest.stdout
    new = abiprobe("diff", "honest", "lied", cwd=lied.parent)
    assert (new.returncode, new.stdout.startswith("new: ") or "\nnew: " in new.stdout) == (1, True)
    shutil.copytree(lied, lied.parent / "untriaged", ignore=shutil.ignore_patterns("triage.json"))
    named = abiprobe("diff", "honest", "untriaged", "--format", "json", cwd=lied.parent)
    assert all(cause["id"] for cause in json.loads(named.stdout)["causes"])
    known = abiprobe("diff", "honest", "lied", "--known", "known.toml", cwd=lied.parent)
    assert known.returncode == 0, known.stdout
    assert "\nknown (bug): the liar takes a float for an int, " in f"\n{known.stdout}"
    gone = abiprobe("diff", "lied", "honest", "--known", "known.toml", cwd=lied.parent)
    assert gone.returncode == 1


def test_a_shard_without_a_part_has_compared_nothing(tmp_path: Path) -> None:
    asked = ("run", TARGET, "--cc", compiler(), "--cases", "10", "--seed", "1", "--opt", "O0")
    for part, status in (("1", 0), ("2", 3)):
        done = abiprobe(*asked, "--shard", f"{part}/2", "--out", part, cwd=tmp_path)
        assert done.returncode == status, done.stdout + done.stderr
    assert "shard 2 of 2 has no part" in done.stderr
    assert abiprobe("merge", "1", "2", "--out", "whole", cwd=tmp_path).returncode == 0
    assert abiprobe("report", "whole", cwd=tmp_path).returncode == 0


def test_a_budget_is_shared_and_says_so(tmp_path: Path) -> None:
    name = needed("zig", "riscv64-lp64d")
    asked = ("run", TARGET, "riscv64-lp64d", "upmem-dpu", "--cc", name, "--opt", "O0", "--budget", "0s")
    done = abiprobe(*asked, "--out", "run", cwd=tmp_path)
    assert done.returncode == 3
    assert "are shared by 3 targets" in done.stderr
    assert "the budget ended before any test of" in done.stderr
    assert "left out there: zig (upmem-dpu)" in done.stderr


@pytest.fixture(scope="module")
def latest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which one run was made."""
    folder = tmp_path_factory.mktemp("latest")
    asked = ("run", TARGET, "--cc", compiler(), "--cases", "3", "--seed", "1", "--opt", "O0")
    assert abiprobe(*asked, cwd=folder).returncode == 0
    return folder


@pytest.mark.parametrize("command", ["report", "triage", "coverage", "accept"])
def test_the_latest_run_is_meant_and_named(tmp_path: Path, latest: Path, command: str) -> None:
    none = abiprobe(command, cwd=tmp_path)
    assert (none.returncode, none.stderr.count("\n")) == (2, 1)
    assert "no run is named" in none.stderr
    (run,) = (latest / ".abiprobe" / "runs").iterdir()
    done = abiprobe(command, cwd=latest)
    assert done.returncode == 0, done.stderr
    assert f"the latest run: {run.relative_to(latest)}" in done.stderr
    for place in (".", ".abiprobe/runs"):
        wrong = abiprobe(command, place, cwd=latest)
        assert wrong.returncode == 2
        assert f"{place} is not a run" in wrong.stderr
        assert run.name in wrong.stderr
