"""Languages that installed packages bring by entry points."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import built_in
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.families import languages
from abiprobe.harness.subjects.find import build, installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

TARGET = "x86_64-sysv"
PAIR = Record("S", (Member(Scalar(Kind.FLOAT), "a"), Member(Scalar(Kind.INT), "b")))
FUNCTION = Prototype("f", PAIR, (Param("a", PAIR), Param("b", Scalar(Kind.LONG))))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages, on the path of Python."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "brought", raising=False)
    languages.of_package.cache_clear()
    return tmp_path


def bring(site: Path, name: str, module: str, own_name: str) -> None:
    """Install a package with Zig's templates under another name."""
    shutil.copytree(built_in()["zig-lang"], site / "brought" / "lang")
    (site / "brought" / "__init__.py").touch()
    path = site / "brought" / "lang" / "subject.toml"
    text = path.read_text("utf-8")
    path.write_text(text.replace('name = "zig-lang"', f'name = "{own_name}"', 1), "utf-8")
    about = site / "brought-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[{languages.GROUP}]\n{name} = {module}\n", "utf-8")


def test_a_package_brings_a_subject(site: Path) -> None:
    bring(site, "zag", "brought.lang", "zag")
    subject = parse_subject("zag-0.99")
    assert subject.family.name == "zag"
    assert Path(subject.family.language) == site / "brought" / "lang"


def test_its_compiler_is_asked(site: Path) -> None:
    bring(site, "zag", "brought.lang", "zag")
    if not installed(parse_subject("zig-lang"), (find_target(TARGET),)):
        pytest.skip("zig is not installed")
    honest = build(parse_subject("zig-lang"), find_target(TARGET), "O0")
    assert honest is not None
    spelling = f"zag:{honest.command[2]}"
    done = run_job(spelled_job(TARGET, 0, Sort.PROTOTYPES, (FUNCTION,), ((spelling, "O0"),)))[0]
    assert {one.verdict for one in done.verdicts} == {Judgement.AGREES}


@pytest.mark.parametrize(
    ("module", "own_name", "words"),
    [
        ("brought.missing", "zag", "which is not a package"),
        ("missing", "zag", "which is not a package"),
        ("brought.lang", "zog", "has the language 'zog', its entry point 'zag'"),
    ],
)
def test_what_is_no_language_is_a_problem(site: Path, module: str, own_name: str, words: str) -> None:
    bring(site, "zag", module, own_name)
    with pytest.raises(Problem, match=words):
        parse_subject("zag")


def test_a_name_is_a_word(site: Path) -> None:
    bring(site, "other-zag", "brought.lang", "other-zag")
    with pytest.raises(Problem, match="called 'other-zag' by its package"):
        parse_subject("other-zag")


def test_what_nobody_brings_is_unknown(site: Path) -> None:
    with pytest.raises(Problem, match="unknown compiler 'zag'"):
        parse_subject("zag")
