"""The headers of clang and of the target's C library are found, and the host's are not taken for another machine's."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Classes, ReadOptions, read
from abiprobe.harness.input import search as searching
from abiprobe.harness.input.search import (
    is_native,
    of_sysroot,
    resource_folder,
    search,
    searched,
    zig_folders,
)
from abiprobe.oracles.language.classes import Class, CxxArray

RISCV = "riscv64-linux-gnu"


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    search.cache_clear()


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number in ("13", "16.0.6", "19"):
        folder = tmp_path / "clang" / number / "include"
        folder.mkdir(parents=True)
        (folder / "stddef.h").touch()
    monkeypatch.setattr(searching, "CLANG_FOLDERS", (f"{tmp_path}/clang/*",))
    return tmp_path / "clang"


@pytest.mark.parametrize(
    ("version", "expected"), [(18, "16.0.6"), (19, "19"), (22, "19"), (12, "13"), (13, "13")]
)
def test_headers_of_the_closest_release_that_is_not_newer(
    releases: Path, version: int, expected: str
) -> None:
    assert resource_folder(version) == str(releases / expected)


def test_without_any_release_limits_are_there_and_the_rest_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "CLANG_FOLDERS", (f"{tmp_path}/none/*",))
    monkeypatch.setattr(searching, "zig_library", lambda: None)
    text = "#include <limits.h>\n#include <float.h>\nstruct S { char a[CHAR_BIT], b[FLT_DIG]; };"
    (record,) = read(text, filename="t.c", triple="riscv64-unknown-elf").records
    assert len(record.members) == 2
    with pytest.raises(
        Problem, match=r"no C library for riscv64-unknown-elf is installed.*clang's own headers"
    ):
        read("#include <stdatomic.h>", filename="t.c", triple="riscv64-unknown-elf")


def test_a_sysroot_is_searched_and_the_host_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "usr/include"
    folder.mkdir(parents=True)
    (folder / "stdio.h").write_text("typedef struct target_file { short only_here; } FILE;")
    found = read(
        "#include <stdio.h>\nvoid f(FILE);",
        filename="t.c",
        triple=RISCV,
        how=ReadOptions(sysroot=str(tmp_path), strict=False),
    )
    assert [function.name for function in found.functions] == ["f"]
    assert of_sysroot(str(tmp_path), RISCV) == ("-idirafter", str(folder))
    with pytest.raises(Problem, match="neither usr/include nor include"):
        of_sysroot(str(tmp_path / "usr/include"), RISCV)


def test_the_newest_library_of_cxx_is_searched_for_cxx_alone(tmp_path: Path) -> None:
    for number, size in (("9", 1), ("12", 2)):
        library, of_machine = (
            tmp_path / f"usr/include/c++/{number}",
            tmp_path / f"usr/include/{RISCV}/c++/{number}",
        )
        library.mkdir(parents=True)
        of_machine.mkdir(parents=True)
        (library / "cstddef").write_text("#include <config.h>\n#include_next <stdio.h>")
        (of_machine / "config.h").write_text(f"struct of_machine {{ char a[{size}]; }};")
    (tmp_path / "usr/include/stdio.h").write_text("struct of_library { short a; };")
    text = "#include <cstddef>\nstruct S { of_machine a; of_library b; };"
    how = ReadOptions(sysroot=str(tmp_path), strict=False, classes=Classes.ALONE)
    (found,) = read(text, filename="t.hpp", triple=RISCV, how=how).classes
    assert found.tag == "S"
    of_machine, of_library = (member.type for member in found.members)
    assert isinstance(of_machine, Class)
    assert isinstance(of_library, Class)
    assert [one.type.length for one in of_machine.members if isinstance(one.type, CxxArray)] == [2]
    assert [one.name for one in of_library.members] == ["a"]
    with pytest.raises(Problem, match="'cstddef' file not found"):
        read(text, filename="t.c", triple=RISCV, how=ReadOptions(sysroot=str(tmp_path)))
    (tmp_path / "usr/include/c++/12").rename(tmp_path / "other")
    (tmp_path / "usr/include/c++/9").rename(tmp_path / "another")
    search.cache_clear()
    with pytest.raises(Problem, match=r"'cstddef' file not found.*its C\+\+ library is not installed"):
        read(text, filename="t.hpp", triple=RISCV, how=how)


def test_a_cross_compiler_says_where_it_searches(tmp_path: Path) -> None:
    library = tmp_path / "target/include"
    program = tmp_path / f"{RISCV}-gcc"
    program.write_text(
        "#!/bin/sh\n"
        f"echo '#include <...> search starts here:\n {library}\n /usr/include\nEnd of search list.' >&2\n"
    )
    program.chmod(0o755)
    assert searched(str(program)) == [str(library), "/usr/include"]
    assert searched(str(tmp_path / "absent")) == []


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the host is not x86-64")
def test_which_machines_share_the_hosts_library() -> None:
    assert is_native("x86_64-linux-gnu")
    assert is_native("nvptx64-nvidia-cuda")
    assert not is_native(RISCV)
    assert not is_native("riscv64-unknown-elf")
    assert not is_native("arc")


def test_zig_has_a_c_library_for_other_machines() -> None:
    pytest.importorskip("ziglang", reason="ziglang is not installed")
    folders = zig_folders(RISCV)
    assert sum("generic-glibc" in word for word in folders) == 1
    assert zig_folders("nonesuch-linux-gnu") == ()
    assert zig_folders("riscv64-unknown-elf") == ()
    text = "#include <stdio.h>\n#include <sys/stat.h>\nvoid f(struct stat);"
    options = ("-nostdlibinc", *folders)
    (function,) = read(text, filename="t.c", triple=RISCV, options=options).functions
    assert function.name == "f"
