"""Which files a compiler consists of, and when that can be known."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from abiprobe.harness.subjects import find, programs
from abiprobe.harness.subjects.find import identity
from abiprobe.oracles.registry import find_target


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def _as_if_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "is_elf", lambda path: Path(path).is_file())
    monkeypatch.setattr(programs, "libraries", lambda _program, _mark: ())


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def gcc(folder: Path, inner: Path) -> Path:
    """A driver that says that it starts `inner`."""
    return script(
        folder / "gcc",
        f'case "$*" in *-###*) echo "COLLECT_GCC=$0" >&2; echo " {inner} -quiet unit.c" >&2;; esac',
    )


@pytest.mark.usefixtures("_as_if_binary")
def test_what_gcc_starts_belongs_to_it(tmp_path: Path) -> None:
    inner = script(tmp_path / "cc1", "exit 0")
    outer = gcc(tmp_path, inner)
    first = programs.of_compiler((str(outer), "-O0"))
    assert [path for path, _ in first.files] == [str(outer), str(inner)]
    assert first.sure
    script(inner, "exit 1")
    second = programs.of_compiler((str(outer), "-O2"))
    assert second.digest != first.digest
    script(inner, "exit 0")
    assert programs.of_compiler((str(outer),)).digest == first.digest


CLANG = 'case "$*" in *-###*) echo \\ \\"{}\\" \\"-cc1\\" >&2;; esac'


@pytest.mark.usefixtures("_as_if_binary")
def test_a_clang_starts_itself(tmp_path: Path) -> None:
    path = tmp_path / "clang"
    assert programs.of_compiler((str(script(path, CLANG.format(path))),)).sure


@pytest.mark.usefixtures("_as_if_binary")
def test_ccache_under_the_name_of_a_compiler_is_not_that_compiler(tmp_path: Path) -> None:
    """It hands `-###` on, so that what answers is the compiler behind it."""
    real = tmp_path / "clang-22"
    script(real, CLANG.format(real))
    ccache = script(tmp_path / "ccache", f'exec {real} "$@"')
    link = tmp_path / "clang"
    link.symlink_to(ccache)
    assert programs.of_compiler((str(real),)).sure
    assert not programs.of_compiler((str(link),)).sure
    assert not programs.of_compiler((str(ccache), str(real))).sure


@pytest.mark.usefixtures("_as_if_binary")
@pytest.mark.parametrize("option", ["-include", "@options"])
def test_options_that_read_more_files_are_not_known(tmp_path: Path, option: str) -> None:
    outer = gcc(tmp_path, script(tmp_path / "cc1", ""))
    assert not programs.of_compiler((str(outer), option)).sure


@pytest.mark.usefixtures("_as_if_binary")
def test_a_plugin_belongs_to_the_compiler(tmp_path: Path) -> None:
    outer, plugin = gcc(tmp_path, script(tmp_path / "cc1", "")), tmp_path / "plugin.so"
    plugin.write_text("one")
    command = (str(outer), f"-fplugin={plugin}")
    first = programs.of_compiler(command)
    plugin.write_text("two")
    assert programs.of_compiler(command).digest != first.digest


def test_a_script_is_never_known(tmp_path: Path) -> None:
    path = tmp_path / "clang"
    assert not programs.of_compiler((str(script(path, CLANG.format(path))),)).sure


def test_the_version_line_of_a_wrapper_is_that_of_the_compiler_behind_it(tmp_path: Path) -> None:
    inner = script(tmp_path / "inner", "echo one 1.0")
    outer = script(tmp_path / "outer", f'exec {inner} "$@"')
    first = identity((str(outer),))
    script(inner, "echo one 2.0")
    second = identity((str(outer),))
    assert (first.version, second.version) == ("one 1.0", "one 2.0")
    assert first.digest != second.digest
    assert not first.sure


@pytest.mark.parametrize("name", ["gcc-12", "clang-22", "clang-16", "zig", "tcc", "pcc"])
def test_compilers_as_they_are_installed_are_known(name: str) -> None:
    built = find.build(find.parse_subject(name), find_target("x86_64-sysv"), "O0")
    if built is None:
        pytest.skip(f"{name} is not installed")
    found = programs.of_compiler(built.command)
    if not programs.is_elf(built.command[0]):
        pytest.skip(f"{name} is a script here")
    assert found.sure
    assert found.unchanged
    if name == "gcc-12":
        assert {"cc1", "as"} <= {Path(path).name for path, _ in found.files}


def test_a_program_by_a_relative_path_is_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "cc", "echo 1.0")
    monkeypatch.chdir(tmp_path)
    words = find.command(find.parse_subject("gcc:./cc"), find_target("x86_64-sysv"))
    assert words is not None
    assert words[0] == str(tmp_path / "cc")


def test_a_link_keeps_its_name(tmp_path: Path) -> None:
    script(tmp_path / "cc", "")
    (tmp_path / "gcc").symlink_to("cc")
    words = find.command(find.parse_subject(f"gcc:{tmp_path}/gcc"), find_target("x86_64-sysv"))
    assert words is not None
    assert words[0].endswith("/gcc")


def test_tools_are_known_by_their_contents(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    copy = tmp_path / "tool"
    shutil.copy(os.path.realpath(shell), copy)
    first = programs.of_tools(str(copy))
    assert first.sure
    with copy.open("ab") as file:
        file.write(b"more")
    assert programs.of_tools(str(copy)).digest != first.digest


def toolkit_of(folder: Path) -> Path:
    """A CUDA toolkit whose nvcc says where it is, and preprocesses with a gcc beside it; the script that starts it."""
    for name in ("bin/nvcc.profile", "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc", "include/cuda.h"):
        file = folder / "cuda" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("first")
    host = gcc(folder, script(folder / "cc1plus", "exit 0"))
    top = folder / "cuda"
    lines = (
        f"_HERE_={top}/bin",
        f"CICC_PATH={top}/nvvm/bin",
        "PATH=$PATH",
        f"{host} -E -x c++ unit.cu -o /t/tmpxft_$$-0_unit.ii",
    )
    script(top / "bin" / "nvcc", "\n".join(f'echo "#\\$ {line}" >&2' for line in lines))
    return script(folder / "nvcc", f'exec {top}/bin/nvcc "$@"')


@pytest.mark.usefixtures("_as_if_binary")
@pytest.mark.parametrize(
    "changed",
    [
        "nvcc",
        "cc1plus",
        "cuda/bin/nvcc",
        "cuda/bin/nvcc.profile",
        "cuda/nvvm/bin/cicc",
        "cuda/nvvm/libdevice/libdevice.10.bc",
        "cuda/include/cuda.h",
    ],
)
def test_nvcc_is_known_by_its_toolkit(tmp_path: Path, changed: str) -> None:
    command = (str(toolkit_of(tmp_path)), "-ptx")
    first = programs.of_compiler(command)
    assert first.sure
    assert programs.of_compiler(command) is first
    file = tmp_path / changed
    file.write_text(f"{file.read_text()}\n")
    second = programs.of_compiler(command)
    assert second.sure
    assert second.digest != first.digest


@pytest.mark.usefixtures("_as_if_binary")
def test_an_nvcc_without_a_plan_is_not_known(tmp_path: Path) -> None:
    assert not programs.of_compiler((str(script(tmp_path / "nvcc", "exit 0")), "-ptx")).sure


@pytest.mark.usefixtures("_as_if_binary")
def test_an_nvcc_that_reads_more_is_not_known(tmp_path: Path) -> None:
    assert not programs.of_compiler((str(toolkit_of(tmp_path)), "-ptx", "-include", "more.h")).sure


def test_a_toolkit_of_scripts_is_not_known(tmp_path: Path) -> None:
    assert not programs.of_compiler((str(toolkit_of(tmp_path)), "-ptx")).sure
