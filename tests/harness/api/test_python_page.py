"""The examples of docs/python.md, as they stand there, and what the namespace promises."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from markdown_it import MarkdownIt

import abiprobe
from tests.harness.cli.commands.calling import needed

TARGET = "x86_64-sysv"
PAGE = Path(__file__).parents[3].joinpath("docs", "python.md").read_text("utf-8")
BLOCKS = [one.content for one in MarkdownIt().parse(PAGE) if one.type == "fence" and one.info == "python"]
EXAMPLES = [block for block in BLOCKS if block.startswith(">>>")]
(TEST,) = (block for block in BLOCKS if not block.startswith(">>>"))
WRAPPER = '#!/bin/sh\nexec {compiler} {options} "$@"\n'


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0][4:60])
def test_an_example_shows_what_it_says(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if '"zig"' in example:
        needed("zig", TARGET)
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner()
    test = doctest.DocTestParser().get_doctest(example, {"abiprobe": abiprobe}, "python.md", None, 0)
    assert runner.run(test).failed == 0


@pytest.mark.parametrize(("options", "status"), [("", 0), ("-fshort-enums", 1)])
def test_the_test_of_a_compiler_passes_and_fails(tmp_path: Path, options: str, status: int) -> None:
    compiler = which(needed("gcc-12", TARGET))
    header = tmp_path / "include" / "e.h"
    cc = tmp_path / "build" / "bin" / "cc"
    for path in (header, cc):
        path.parent.mkdir(parents=True)
    header.write_text("enum E { A, B }; struct S { char c; enum E e; }; enum E f(struct S, enum E);\n")
    cc.write_text(WRAPPER.format(compiler=compiler, options=options))
    cc.chmod(0o755)
    (tmp_path / "test_abi.py").write_text(TEST)
    words = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_abi.py")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert ("x86_64:type.enum" in done.stdout) is bool(status)


def test_every_promised_name_is_there_and_told() -> None:
    for name in abiprobe.__all__:
        assert getattr(abiprobe, name) is not None
    assert {"predict", "explain", "check", "run"} <= set(dir(abiprobe))
    with pytest.raises(AttributeError, match="no attribute 'ask'"):
        _ = abiprobe.ask  # type: ignore[attr-defined]


def test_a_name_is_imported_when_it_is_used() -> None:
    code = "import sys, abiprobe; print(sorted(one for one in sys.modules if one.startswith('abiprobe.')))"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_not_declared_has_no_prediction() -> None:
    said = abiprobe.predict(
        "struct S { int a; }; void f(int, ...); void g(void) { f(1, 2); f(1, 2.0); }", TARGET
    )
    with pytest.raises(LookupError, match="there is no prediction for struct T"):
        said.layout("struct T")
    with pytest.raises(LookupError, match="f is predicted in 2 ways"):
        said.call("f")


def test_a_compiler_that_is_not_there_is_a_problem() -> None:
    with pytest.raises(abiprobe.Problem):
        abiprobe.check("void f(int);", TARGET, ["gcc-99"])
