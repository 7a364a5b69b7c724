"""Umbrella headers: what they include from their own package is asked about; the options of packages are those of pkg-config."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import STRICT, ReadOptions
from abiprobe.harness.input import pkg_config as module
from abiprobe.harness.input.declared import NothingToAskError, declared_in_file
from abiprobe.harness.input.pkg_config import options_of, read
from abiprobe.harness.input.umbrella import own_files
from abiprobe.oracles.registry import find_target

TARGET = find_target("x86_64-sysv")
ROWS = (
    ("include/git2.h", "git2/common.h", True),
    ("include/git2.h", "other/common.h", False),
    ("include/git2.h", "git.h", False),
    ("include/wayland-client.h", "wayland-util.h", True),
    ("include/x86_64-linux-gnu/lzma.h", "lzma/base.h", True),
    ("include/alsa/asoundlib.h", "alsa/pcm.h", True),
    ("include/alsa/asoundlib.h", "alsamixer.h", False),
    ("project/all.h", "parts/one.h", True),
)


def header(folder: Path, path: str, text: str) -> Path:
    """A file below a folder."""
    made = folder / path
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(text)
    return made


@pytest.mark.parametrize(("name", "inner", "own"), ROWS)
def test_what_an_umbrella_includes_of_its_package_is_asked(
    tmp_path: Path,
    name: str,
    inner: str,
    own: bool,  # noqa: FBT001
) -> None:
    root = tmp_path / ("project" if name.startswith("project") else "include")
    if "x86_64" in name:
        root /= "x86_64-linux-gnu"
    file = header(tmp_path, name, f"#include <{inner}>\n")
    header(root, inner, "struct S { int a; };\nvoid f(struct S s);\n")
    how = ReadOptions((f"-I{root}",), strict=False)
    if not own:
        with pytest.raises(NothingToAskError, match="itself declares no record"):
            declared_in_file(str(file), TARGET, how)
        return
    found = declared_in_file(str(file), TARGET, how)
    assert [one.tag for one in found.records] == ["S"]
    assert [one.name for one in found.functions] == ["f"]
    assert found.umbrellas == (str(file),)


def test_a_header_that_declares_something_is_no_umbrella(tmp_path: Path) -> None:
    header(tmp_path, "include/a/inner.h", "void f(int a);\n")
    file = header(tmp_path, "include/a.h", '#include "a/inner.h"\nvoid g(int a);\n')
    found = declared_in_file(str(file), TARGET, STRICT)
    assert ([one.name for one in found.functions], found.umbrellas) == (["g"], ())


def test_patterns_are_of_names_as_they_are(tmp_path: Path) -> None:
    file = header(tmp_path, "include/a[1]/x.h", "")
    assert own_files(str(file)) == (f"{tmp_path}/include/a[[]1]/*",)


def test_the_options_of_a_package_are_those_that_say_how_headers_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = next(filter(shutil.which, module.PROGRAMS), None)
    if program is None:
        pytest.skip("pkg-config is not installed")
    text = "Name: a\nDescription: a\nVersion: 1\nRequires: b\nCflags: -I/a -DA='\"x y\"' -pthread\n"
    header(tmp_path, "a.pc", text)
    header(tmp_path, "b.pc", "Name: b\nDescription: b\nVersion: 1\nCflags: -isystem /b -O2\n")
    monkeypatch.setenv("PKG_CONFIG_PATH", str(tmp_path))
    assert options_of(("a",)) == ("-I/a", '-DA="x y"', "-isystem", "/b")
    assert options_of(()) == ()
    with pytest.raises(Problem, match=r"--pkg nowhere: .*nowhere"):
        options_of(("nowhere",))


def test_a_machine_without_pkg_config_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PKG_CONFIG", raising=False)
    monkeypatch.setattr(module, "PROGRAMS", ())
    with pytest.raises(Problem, match="pkg-config, which is not installed"):
        options_of(("a",))


def test_what_is_about_code_is_left_out() -> None:
    assert read(["-pthread", "-include", "a.h", "-O2", "-mavx"]) == ["-include", "a.h", "-mavx"]
