"""Exposure: what real headers meet, by the models alone; the examples of known bugs meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.exposure import debian
from abiprobe.harness.exposure.meeting import Meetings, Release, quirks_for
from abiprobe.harness.exposure.packages import behind, flags_in, package_at, unpacked
from abiprobe.harness.exposure.sweep import Asked, exposed
from abiprobe.harness.subjects.debian.apt import FIELD, Apt, available
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.triage.quirk_examples import examples_of
from abiprobe.oracles.quirks.in_force import SHIPPED
from abiprobe.oracles.registry import find_target
from tests.harness.cli.commands.calling import abiprobe
from tests.skipping import needs_executor

MET = "struct S { char c; _BitInt(96) wide; };\nstruct T { int a, b; };\nint plain(struct T t);\n"
"""`struct S` meets a bug of clang before 19 on AArch64, the rest none."""
TARGET = "aarch64-aapcs64"


def folder_of(place: Path, **headers: str) -> Path:
    folder = place / "include"
    folder.mkdir(parents=True)
    for name, text in headers.items():
        (folder / f"{name}.h").write_text(text)
    return folder


def test_declarations_that_meet_a_known_bug_are_told(tmp_path: Path) -> None:
    folder_of(tmp_path, shapes=MET)
    done = abiprobe(
        "exposure", "include", "-t", TARGET, "--cc", "clang-16,clang-24", "--format", "json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    assert (found["package"], found["headers"], found["declarations"]) == ("include", 1, 3)
    cause = "clang before 19 aligns a _BitInt of more than 64 bits on AArch64 to 8"
    told = {(one["subject"], one["declaration"]) for one in found["meets"] if one["cause"] == cause}
    assert told == {("clang-16", "struct S")}
    assert {one["declaration"] for one in found["meets"]} == {"struct S"}


NARROW = "int f(short a);\nint g(int a);\n"


def test_installed_compilers_confirm_what_meets_a_bug(tmp_path: Path) -> None:
    subject = "clang-22"
    if not installed(parse_subject(subject), (find_target("x86_64-sysv"),)):
        pytest.skip(f"{subject} is not installed for x86_64-sysv")
    needs_executor("x86_64-sysv")
    folder_of(tmp_path, narrow=NARROW)
    asked = ("exposure", "include", "-t", "x86_64-sysv", "--cc", f"{subject},clang-1", "--confirm")
    (found,) = json.loads(abiprobe(*asked, "--format", "json", cwd=tmp_path).stdout)
    assert {(one["subject"], one["declaration"], one["confirmed"]) for one in found["meets"]} == {
        (subject, "f", True),
        ("clang-1", "f", None),
    }
    rows = abiprobe(*asked, cwd=tmp_path).stdout
    assert "1 of 1" in rows


@pytest.mark.parametrize("by", ["cause", "package"])
def test_the_table_names_package_and_declaration(tmp_path: Path, by: str) -> None:
    folder_of(tmp_path, shapes=MET)
    done = abiprobe("exposure", "include", "-t", TARGET, "--cc", "clang-16", "--by", by, cwd=tmp_path)
    assert "struct S" in done.stdout
    assert "1 package of 1 meet a known bug; 3 declarations of 1 header were asked about" in done.stdout


def test_headers_that_do_not_go_together_are_read_one_by_one(tmp_path: Path) -> None:
    folder_of(tmp_path, one="void f(int a);", other="void f(long a);", broken="void g(unknown a);")
    done = abiprobe("exposure", "include", "-t", TARGET, "--format", "json", cwd=tmp_path)
    (found,) = json.loads(done.stdout)
    assert found["declarations"] == 2
    assert (found["unread"], found["skipped"]) == ({}, {"unknown type name 'unknown'": 1})


CLASSES = """\
#include <vector>
namespace n {
struct P { P() = default; int a; char b; };
struct D : P { char c; };
class C { public: bool g(short a) const; std::vector<int> own; };
}
"""
"""`n::P`, and `n::D` with it, meet a bug of clang before 16, `g` one of every clang on x86-64."""


def test_headers_of_cxx_are_asked_about_classes_and_calls(tmp_path: Path) -> None:
    folder_of(tmp_path, shapes=CLASSES, plain="int f(short a);")
    asked = ("exposure", "include", "-t", "x86_64-sysv", "--cc", "clang-14,clang-24", "--format", "json")
    (found,) = json.loads(abiprobe(*asked, cwd=tmp_path).stdout)
    assert (found["unread"], found["skipped"]) == ({}, {})
    causes: dict[str, set[tuple[str, str]]] = {}
    for one in found["meets"]:
        causes.setdefault(one["cause"], set()).add((one["subject"], one["declaration"]))
    narrow = "clang relies on callers extending narrow integers"
    pod = "clang before 16 takes a class with a defaulted or deleted member function for no POD"
    assert {name for _, name in causes[narrow]} == {"f", "bool n_C::g(short)"}
    assert causes[pod] == {("clang-14", "struct n_P"), ("clang-14", "struct n_D")}
    assert set(causes) == {narrow, pod}


def test_a_class_meets_no_bug_that_moves_nothing_in_it(tmp_path: Path) -> None:
    folder_of(tmp_path, shapes="class B { public: B() = delete; B(const B &) = delete; };")
    (found,) = json.loads(
        abiprobe(
            "exposure", "include", "-t", TARGET, "--cc", "clang-14", "--format", "json", cwd=tmp_path
        ).stdout
    )
    assert (found["declarations"], found["meets"]) == (1, [])


def test_what_clang_alone_could_tell_of_cxx_is_told_as_such(tmp_path: Path) -> None:
    folder_of(
        tmp_path, shapes="namespace n { struct alignas(sizeof(int)) S { int a; }; struct T { int a; }; }"
    )
    (found,) = json.loads(
        abiprobe("exposure", "include", "-t", TARGET, "--format", "json", cwd=tmp_path).stdout
    )
    assert found["declarations"] == 1
    assert found["skipped"] == {"C++: an alignment or a packing that only clang can tell": 1}


def test_headers_of_objective_c_are_told_as_such(tmp_path: Path) -> None:
    package = package_at(
        folder_of(tmp_path, a="@class B;\n@interface A\n- f;\n@end\n", plain="int f(short a);")
    )
    found = exposed(Asked(package, find_target("x86_64-sysv"), (Release("gcc-16"),), SHIPPED))
    assert (found.declarations, found.unread) == (1, {"the header is for Objective-C": 1})


def test_without_cxx_its_headers_are_told_as_unread(tmp_path: Path) -> None:
    package = package_at(folder_of(tmp_path, shapes=CLASSES, plain="int f(short a);"))
    found = exposed(Asked(package, find_target("x86_64-sysv"), (Release("clang-24"),), SHIPPED, cxx=False))
    assert (found.declarations, found.unread) == (1, {"the header is for C++": 1})
    assert found.looks == (("function", ("integer narrower than int",)),)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("nowhere/", "-t", TARGET), 2, "nowhere/ is no header, no folder and no name of a package"),
        ((".", "-t", TARGET), 2, ". has no header"),
        (("include", "-t", TARGET, "--cc", "gcc"), 2, "gcc names no release of a compiler"),
        (("include", "-t", "pdp11"), 2, "pdp11"),
        (("broken", "-t", TARGET), 3, "0 packages of 1 meet a known bug; 0 declarations of 1 header"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], status: int, words: str
) -> None:
    here = tmp_path / "here"
    folder_of(here, shapes=MET)
    (here / "include").rename(tmp_path / "include")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "a.h").write_text("no C at all")
    cwd = here if arguments[0] == "." else tmp_path
    done = abiprobe("exposure", *arguments, cwd=cwd)
    assert done.returncode == status, done.stderr
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("target", "subject"), [("x86_64-sysv", "clang-24"), ("riscv64-lp64d", "gcc-16")])
def test_the_example_of_a_known_bug_meets_it(target: str, subject: str) -> None:
    release, where = Release(subject), find_target(target)
    quirks = [one for one in quirks_for(where, release, SHIPPED) if not {"names", "tables"} & {*one.policies}]
    for name, questions in examples_of(where, quirks):
        mine = Meetings(where, [release], SHIPPED).of(dict.fromkeys(questions, "example"))
        assert not questions or name in {one.cause for one in mine}, name


def test_flags_of_pkg_config_name_folders_and_macros(tmp_path: Path) -> None:
    text = "prefix=/usr\nincludedir=${prefix}/include\nCflags: -I${includedir}/SDL2 -D_REENTRANT -pthread\n"
    assert flags_in(text) == ["-I/usr/include/SDL2", "-D_REENTRANT", "-pthread"]
    root, other = tmp_path / "libsdl2-dev_2", tmp_path / "libother-dev_1"
    for folder, headers in ((root, "usr/include/SDL2"), (other, "usr/include")):
        (folder / headers).mkdir(parents=True)
        (folder / headers / "own.h").write_text("int f(void);")
    files = root / "usr/lib/x86_64-linux-gnu/pkgconfig"
    files.mkdir(parents=True)
    (files / "sdl2.pc").write_text(text)
    found = unpacked("libsdl2-dev", root, [other], "x86_64-linux-gnu")
    assert found.headers == (root / "usr/include/SDL2/own.h",)
    assert found.options == (
        f"-I{root}/usr/include",
        f"-I{other}/usr/include",
        f"-I{root}/usr/include/SDL2",
        "-D_REENTRANT",
    )


def test_a_folder_is_found_that_no_file_for_pkg_config_names(tmp_path: Path) -> None:
    root = tmp_path / "libdeep-dev_1"
    text = {"a": "#include <inner/b.h>\nvoid f(struct b x);", "inner/b": "struct b { int a; };"}
    for name, words in text.items():
        path = root / "usr/include/deep4" / f"{name}.h"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)
    package = unpacked("libdeep-dev", root, [], "x86_64-linux-gnu")
    assert list(behind(package, package.headers)) == [f"-idirafter{root}/usr/include/deep4"]
    found = exposed(Asked(package, find_target("x86_64-sysv"), (Release("gcc-16"),), SHIPPED))
    assert (found.declarations, found.unread) == (2, {})


def test_a_header_of_cxx_without_a_suffix_is_found(tmp_path: Path) -> None:
    root, other = tmp_path / "libwidgets-dev_1", tmp_path / "libcore-dev_1"
    for path, words in (
        (root / "usr/include/widgets.h", "#include <Job>\nclass W { Job job; };"),
        (other / "usr/include/KF5/Core/Job", '#include "job.h"'),
        (other / "usr/include/KF5/Core/job.h", "struct Job { int a; };"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)
    package = unpacked("libwidgets-dev", root, [other], "x86_64-linux-gnu")
    assert list(behind(package, package.headers)) == [f"-idirafter{other}/usr/include/KF5/Core"]
    found = exposed(Asked(package, find_target("x86_64-sysv"), (Release("gcc-16"),), SHIPPED, cxx=True))
    assert (found.declarations, found.unread) == (1, {})


def test_of_a_package_headers_are_kept(tmp_path: Path) -> None:
    kept = {
        "usr/include/a.h",
        "usr/include/c++/vector",
        "usr/lib/x/glib/include/config.h",
        "usr/lib/x/pkgconfig/a.pc",
    }
    for name in (*kept, "usr/lib/x/liba.a", "usr/share/gir-1.0/A.gir"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    debian.keep_headers(tmp_path)
    assert {str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file()} == kept


def test_a_cache_behind_a_link_is_read(tmp_path: Path) -> None:
    folder_of(tmp_path / "real" / "usr", shapes='#include "inner.h"\n', inner="#pragma once\nvoid f(int a);")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    package = unpacked("liblink-dev", tmp_path / "link", [], "x86_64-linux-gnu")
    found = exposed(Asked(package, find_target("x86_64-sysv"), (Release("gcc-16"),), SHIPPED))
    assert (found.declarations, found.unread) == (1, {})


INDEX = """\
Package: liba-dev
Version: 1:2.0-1
Architecture: amd64
Section: libdevel
Depends: libb-dev (>= 1), libnone-dev | libvirtual-dev | libd-dev, liba1 (= 1:2.0-1), libc6-dev
Filename: pool/a/liba-dev_2.0-1_amd64.deb
Size: 7
SHA256: 00

Package: libb-dev
Version: 1
Architecture: all
Section: libdevel
Depends: liba-dev
Filename: pool/b/libb-dev_1_all.deb
Size: 7
SHA256: 00

Package: libd-dev
Version: 1
Architecture: all
Section: libdevel
Provides: libvirtual-dev (= 1), libother-dev
Filename: pool/d/libd-dev_1_all.deb
Size: 7
SHA256: 00
"""


def test_a_package_brings_the_headers_that_it_depends_on() -> None:
    there = {
        fields["Package"]: available(fields) for fields in map(dict, map(FIELD.findall, INDEX.split("\n\n")))
    }
    assert there["liba-dev"].archive.file == "liba-dev_1%3a2.0-1_amd64.deb"
    provided = {"libvirtual-dev": "libd-dev"}
    assert debian.closure("liba-dev", there, provided) == ["liba-dev", "libb-dev", "libd-dev"]
    assert debian.closure("libd-dev", there, provided) == ["libd-dev"]


def test_a_header_by_itself_is_a_package_of_its_name(tmp_path: Path) -> None:
    path = folder_of(tmp_path, shapes=MET) / "shapes.h"
    assert package_at(path).own == (str(path),)


def test_a_package_that_there_is_not_brings_in_no_other_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    updates: list[tuple[str, ...]] = []
    monkeypatch.setattr(debian, "folder", lambda: tmp_path)
    monkeypatch.setattr(debian, "system", lambda: {"VERSION_CODENAME": "bookworm"})
    monkeypatch.setattr(Apt, "update", lambda apt, *others: updates.append((*apt.suites, *others)))
    monkeypatch.setattr(Apt, "available", lambda _: {})
    with pytest.raises(Problem, match="Debian has no package libnone-dev"):
        debian.packages(["libnone-dev"], lambda _: None)
    assert set(updates) == {("bookworm",)}
