"""Compilers of Debian's packages: their names, the mirror, and an installation from a mirror in a folder."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands import toolchains
from abiprobe.harness.subjects import programs, releases, wholeness
from abiprobe.harness.subjects.debian import mirror, names, tree
from abiprobe.harness.subjects.debian.names import expand, wanted
from abiprobe.harness.subjects.families import clang, cxx, gcc
from abiprobe.harness.subjects.find import identity, parse_subject

from .debian_mirror import faux_mirror, faux_programs

NAMES = [
    ("gcc-16", "gcc-16", "gcc-16", "usr/bin/gcc-16"),
    ("gcc-snapshot", "gcc-snapshot", "gcc-snapshot", "usr/lib/gcc-snapshot/bin/gcc"),
    ("clang-24", "clang-24", "clang-24", "usr/lib/llvm-24/bin/clang"),
    (
        "riscv64-gcc-16",
        "riscv64-linux-gnu-gcc-16",
        "gcc-16-riscv64-linux-gnu",
        "usr/bin/riscv64-linux-gnu-gcc-16",
    ),
    (
        "arm-linux-gnueabihf-gcc-14",
        "arm-linux-gnueabihf-gcc-14",
        "gcc-14-arm-linux-gnueabihf",
        "usr/bin/arm-linux-gnueabihf-gcc-14",
    ),
    (
        "x86_64-gcc-16",
        "x86_64-linux-gnu-gcc-16",
        "gcc-16-x86-64-linux-gnu",
        "usr/bin/x86_64-linux-gnu-gcc-16",
    ),
    ("g++-16", "g++-16", "g++-16", "usr/bin/g++-16"),
    (
        "riscv64-g++-16",
        "riscv64-linux-gnu-g++-16",
        "g++-16-riscv64-linux-gnu",
        "usr/bin/riscv64-linux-gnu-g++-16",
    ),
]


def test_a_jdk_is_a_package_with_its_compiler() -> None:
    found = wanted("openjdk-25")
    assert found is not None
    assert (found.package, found.tools) == ("openjdk-25-jdk-headless", ())
    assert found.program == "usr/lib/jvm/java-25-openjdk-amd64/bin/java"
    assert expand("openjdk-25") == ("openjdk-25",)


def test_swift_is_a_package_whose_compiler_is_told_where_its_library_is() -> None:
    found = wanted("swiftlang")
    assert found is not None
    assert (found.name, found.package, found.tools) == ("swiftlang", "swiftlang", ())
    assert "-resource-dir" in found.own
    assert expand("swiftlang") == ("swiftlang",)


@pytest.mark.parametrize(("text", "name", "package", "program"), NAMES, ids=[row[0] for row in NAMES])
def test_a_name_stands_for_a_package_and_a_program(text: str, name: str, package: str, program: str) -> None:
    found = wanted(text)
    assert found is not None
    assert (found.name, found.package, found.program) == (name, package, program)
    assert wanted(found.name) == found
    assert names.of_package(package) == name


@pytest.mark.parametrize("text", ["gcc", "icc-4", "riscv64-clang-24", "../gcc-16", "gcc-0", "gcc-16 -O2", ""])
def test_what_names_no_package(text: str) -> None:
    assert wanted(text) is None
    with pytest.raises(Problem, match="is not something to install"):
        expand(text)


def test_ranges() -> None:
    assert expand("gcc-14..16") == expand("gcc-14..gcc-16") == ("gcc-14", "gcc-15", "gcc-16")
    assert expand("g++-15..16") == ("g++-15", "g++-16")
    assert expand("riscv64-gcc-15..16") == ("riscv64-gcc-15", "riscv64-gcc-16")
    with pytest.raises(Problem):
        expand("gcc-14..clang-16")
    with pytest.raises(Problem):
        expand("gcc-16..14")


LINES = """\
# deb http://a.example/debian bookworm main
deb-src http://b.example/debian bookworm main
deb http://c.example/debian bookworm-updates main
deb [arch=amd64 signed-by=/k.gpg] http://d.example/debian bookworm main contrib # ours
deb http://e.example/tools stable main
"""
STANZAS = """\
Types: deb deb-src
# a comment
URIs: http://f.example/debian http://g.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 xyz

Types: deb
URIs: http://h.example/debian
Suites: bookworm
Components: main
Enabled: no
"""


def test_sources_in_lines() -> None:
    found = list(mirror.lines(LINES))
    assert [one.uri[7] for one in found] == ["c", "d", "e"]
    assert found[1].suites == ("bookworm",)
    assert found[1].components == ("main", "contrib")
    assert found[1].trust == {"Signed-By": "/k.gpg"}


def test_sources_in_stanzas() -> None:
    found = list(mirror.stanzas(STANZAS))
    assert [one.uri[7] for one in found] == ["f", "g"]
    written = found[0].stanza(("unstable",), "amd64")
    again = next(mirror.stanzas(written))
    assert (again.uri, again.suites, again.components) == (found[0].uri, ("unstable",), ("main",))
    assert again.trust == found[0].trust
    assert "-----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n xyz" in again.trust["Signed-By"]


@pytest.mark.parametrize(
    ("release", "text", "words"),
    [
        ({"ID": "fedora", "NAME": "Fedora Linux"}, LINES, "runs Fedora Linux"),
        ({}, LINES, "runs no Debian"),
        ({"ID": "debian", "VERSION_CODENAME": "bookworm"}, "deb http://e.example x main", "no Debian suite"),
    ],
)
def test_a_machine_without_debian(
    release: dict[str, str], text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror, "system", lambda: release)
    monkeypatch.setattr(mirror, "sources", lambda: mirror.lines(text))
    with pytest.raises(Problem, match=words):
        mirror.mirror()


def test_the_machine_s_own_suite_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror, "system", lambda: {"ID": "debian", "VERSION_CODENAME": "bookworm"})
    monkeypatch.setattr(mirror, "sources", lambda: reversed(list(mirror.lines(LINES))))
    assert mirror.mirror().uri == "http://d.example/debian"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mirror, which no test changes."""
    return faux_mirror(tmp_path_factory.mktemp("served"))


@pytest.fixture
def _debian(served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Debian whose apt, dpkg and mirror are faux, with an empty cache and nothing else on PATH."""
    found = faux_programs(tmp_path, shutil.copytree(served, tmp_path / "mirror", copy_function=os.link))
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(found))
    release = {"ID": "debian", "VERSION_CODENAME": "bookworm"}
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)


@pytest.mark.usefixtures("_debian")
def test_installing_starting_listing_and_removing(capsys: pytest.CaptureFixture[str]) -> None:
    assert toolchains.install(["gcc-16", "clang-24"], "json") == 0
    done = json.loads(capsys.readouterr().out)["releases"]
    assert [(one["release"], one["done"]) for one in done] == [
        ("gcc-16", "installed"),
        ("clang-24", "installed"),
    ]
    assert [one["version"].split()[0] for one in done] == ["-B", "-no-canonical-prefixes"]
    starter = gcc.find("gcc-16", "x86_64-sysv")
    assert starter == (str(releases.folder() / "gcc-16" / "bin" / "gcc-16"),)
    assert clang.find("clang-24", "riscv64-lp64d") == (str(releases.folder() / "clang-24/bin/clang-24"),)
    # The loader of the packages starts it, with the option that lets it find its own programs.
    said = subprocess.run((*starter, "a  b"), capture_output=True, text=True, check=True).stdout
    assert said == f"-B {releases.folder()}/gcc-16/bin/../bin/ a  b\n"
    inside = subprocess.run(
        (f"{releases.folder()}/gcc-16/bin/cc1", "x"), capture_output=True, text=True, check=True
    )
    assert inside.stdout == "x\n"
    assert not (releases.folder() / "gcc-16" / "usr" / "share" / "doc").exists()
    # clang starts itself by its own path, without the options of the first start.
    again = releases.folder() / "clang-24" / "usr" / "lib" / "llvm-24" / "bin" / "clang"
    assert subprocess.run((again, "-cc1"), capture_output=True, text=True, check=True).stdout == "-cc1\n"
    # Nothing is fetched again, and what was fetched does not stay.
    assert toolchains.install(["gcc-16"], "text") == 0
    assert "gcc-16 is installed already: -B" in capsys.readouterr().out
    assert not list(releases.folder().rglob("*.deb"))
    assert toolchains.listing("json") == 0
    rows = {one["release"]: one for one in json.loads(capsys.readouterr().out)["releases"]}
    assert rows["gcc-16"]["from"] == "gcc-16 16.2.0-4"
    assert rows["gcc-16"]["installed_bytes"] > 0
    assert rows["clang-25"]["installed_bytes"] == 0
    assert rows["clang-24"]["from"] == "clang-24 1:24~1"
    assert toolchains.remove(["gcc-16", "clang-24"], "text") == 0
    assert gcc.find("gcc-16", "x86_64-sysv") is None


@pytest.mark.usefixtures("_debian")
def test_a_snapshot_is_a_gcc_of_its_own_folder() -> None:
    toolchains.install(["gcc-snapshot"], "json")
    starter = gcc.find("gcc-snapshot", "x86_64-sysv")
    assert starter == (str(releases.folder() / "gcc-snapshot" / "bin" / "gcc-snapshot"),)
    assert starter == gcc.find("gcc-snapshot", "i386-sysv")
    assert gcc.find("gcc-snapshot", "riscv64-lp64d") is None
    subject = parse_subject("gcc-snapshot -O3")
    assert (subject.family.name, subject.spelling) == ("gcc", "gcc-snapshot -O3")
    assert sorted(path.name for path in Path(starter[0]).parent.iterdir()) == ["as", "cc1", "gcc-snapshot"]


@pytest.mark.usefixtures("_debian")
def test_a_cross_compiler_serves_its_target() -> None:
    toolchains.install(["riscv64-gcc-16"], "json")
    home = releases.folder() / "riscv64-linux-gnu-gcc-16"
    assert gcc.find("gcc-16", "riscv32-ilp32d") == (str(home / "bin" / home.name),)
    assert gcc.find("gcc-16", "x86_64-sysv") is None
    assert sorted(path.name for path in (home / "bin").iterdir()) == ["as", "cc1", home.name]


@pytest.mark.usefixtures("_debian")
def test_a_cxx_compiler_comes_with_a_program_of_its_own_language() -> None:
    toolchains.install(["g++-16"], "json")
    starter = cxx.find_gxx("g++-16", "x86_64-sysv")
    assert starter == (str(releases.folder() / "g++-16" / "bin" / "g++-16"),)
    assert sorted(path.name for path in Path(starter[0]).parent.iterdir()) == [
        "as",
        "cc1",
        "cc1plus",
        "g++-16",
    ]
    assert gcc.find("gcc-16", "x86_64-sysv") is None


@pytest.mark.usefixtures("_debian")
def test_a_compiler_is_known_by_its_packages(tmp_path: Path) -> None:
    toolchains.install(["gcc-16", "clang-24"], "json")
    starter = gcc.find("gcc-16", "x86_64-sysv")
    assert starter is not None
    before = programs.of_compiler((*starter, "-O0"))
    assert before.sure
    assert (
        identity(starter).digest == before.digest == tree.digest(releases.folder() / "gcc-16" / tree.MANIFEST)
    )
    assert programs.of_compiler(clang.find("clang-24", "x86_64-sysv") or ()).digest != before.digest
    plugin = tmp_path / "plugin.so"
    plugin.write_bytes(b"1")
    assert programs.of_compiler((*starter, f"-fplugin={plugin}")).digest != before.digest
    assert not programs.of_compiler((*starter, "-include", "x.h")).sure
    # A copy elsewhere is a script like any other.
    copy = tmp_path / "gcc-16"
    shutil.copy(starter[0], copy)
    assert tree.manifest_of(str(copy)) is None


@pytest.mark.usefixtures("_debian")
def test_a_compiler_whose_files_were_changed_is_another_and_is_not_found() -> None:
    toolchains.install(["gcc-16"], "json")
    home = releases.folder() / "gcc-16"
    starter = gcc.find("gcc-16", "x86_64-sysv")
    assert starter is not None
    before = programs.of_compiler(starter).digest
    decisive = [
        path
        for path in home.rglob("*")
        if path.is_file() and not path.is_symlink() and os.access(path, os.X_OK)
    ]
    assert decisive
    for path in decisive:
        right = path.read_bytes()
        path.write_bytes(right + b"\n")
        # A process that runs already notices it by its next batch, another does not find the compiler.
        assert programs.of_compiler(starter).digest != before
        wholeness.is_whole.cache_clear()
        assert gcc.find("gcc-16", "x86_64-sysv") is None
        path.write_bytes(right)
        assert programs.of_compiler(starter).digest == before
        wholeness.is_whole.cache_clear()
        assert gcc.find("gcc-16", "x86_64-sysv") == starter
    toolchains.install(["gcc-16"], "json")


@pytest.mark.usefixtures("_debian")
@pytest.mark.parametrize("change", ["data", "another", "link", "gone"])
def test_what_a_compiler_reads_belongs_to_it(change: str) -> None:
    toolchains.install(["clang-24"], "json")
    home = releases.folder() / "clang-24"
    path = next(path for path in sorted(home.rglob("*")) if path.is_file() and path.name != tree.MANIFEST)
    match change:
        case "data":
            path.write_bytes(path.read_bytes() + b"\n")
        case "another":
            (home / "more.cfg").write_text("-O3", "utf-8")
        case "link":
            (home / "more").symlink_to("/etc")
        case _:
            path.unlink()
    wholeness.is_whole.cache_clear()
    assert tree.program("clang-24") is None
    toolchains.install(["clang-24"], "json")
    assert tree.program("clang-24") is not None


@pytest.mark.usefixtures("_debian")
def test_one_that_cannot_be_had_does_not_keep_the_others_away(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Problem, match="Debian has no gcc-19"):
        toolchains.install(["gcc-19", "gcc-16"], "text")
    assert "gcc-16 installed: -B" in capsys.readouterr().out
    with pytest.raises(Problem, match="Debian has no gcc-19"):
        toolchains.install(["gcc-16", "gcc-19"], "json")
    assert [one["release"] for one in json.loads(capsys.readouterr().out)["releases"]] == ["gcc-16"]


REFUSALS = [
    ("gcc-19", "Debian has no gcc-19 that can be installed: Unable to locate package gcc-19"),
    ("clang-25", "Unable to locate package libnowhere"),
    ("clang-26", "clang in Debian's packages is not a program of this machine"),
    ("gcc-17", "Debian's packages have no /lib64/ld-linux"),
    ("gcc-18", "Debian's gcc-18 comes without cc1"),
    ("g++-18", "Debian's g\\+\\+-18 comes without cc1plus"),
]


@pytest.mark.usefixtures("_debian")
@pytest.mark.parametrize(("name", "words"), REFUSALS, ids=[row[0] for row in REFUSALS])
def test_what_cannot_be_installed_leaves_nothing(name: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        toolchains.install([name])
    assert [path.name for path in releases.folder().iterdir()] == ["apt"]


@pytest.mark.usefixtures("_debian")
def test_a_package_that_is_not_what_the_index_says(tmp_path: Path) -> None:
    path = tmp_path / "mirror" / "pool" / "gcc-16_16.2.0-4_amd64.deb"
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data + b"\n")
    with pytest.raises(Problem, match="Hash Sum mismatch"):
        toolchains.install(["gcc-16"])
    assert tree.program("gcc-16") is None


@pytest.mark.usefixtures("_debian")
def test_the_other_suites_are_asked_last(tmp_path: Path) -> None:
    dists = tmp_path / "mirror" / "dists"
    shutil.copytree(dists / "unstable", dists / "testing")
    for suite in ("unstable", "experimental"):
        index = dists / suite / "main" / "binary-amd64" / "Packages"
        index.unlink()
        index.touch()
    assert toolchains.install(["clang-24"], "json") == 0


@pytest.mark.usefixtures("_debian")
@pytest.mark.parametrize("program", ["apt-get", "dpkg-deb"])
def test_a_machine_without_its_tools(program: str, tmp_path: Path) -> None:
    (tmp_path / "programs" / program).unlink()
    with pytest.raises(Problem, match=f"need {program}, which is not installed here"):
        toolchains.install(["gcc-16"])


@pytest.mark.usefixtures("_debian")
def test_a_mirror_that_does_not_answer(tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "mirror" / "dists")
    with pytest.raises(Problem, match="The repository has no Release file"):
        toolchains.install(["gcc-16"])


def test_apt_itself_installs_from_a_mirror_in_a_folder(
    served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    sources = tmp_path / "sources.list"
    sources.write_text(f"deb [trusted=yes] file:{served} bookworm main\n", "utf-8")
    settings = tmp_path / "apt.conf"
    settings.write_text(f'Dir::Etc::sourcelist "{sources}";\nDir::Etc::sourceparts "/dev/null";\n', "utf-8")
    monkeypatch.setenv("APT_CONFIG", str(settings))
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    release = {"ID": "debian", "VERSION_CODENAME": "bookworm"}
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)
    monkeypatch.setattr(toolchains, "to_fetch", lambda name: tree.program(name) is None)
    assert toolchains.install(["gcc-16", "clang-24"], "json") == 0
    assert [one["done"] for one in json.loads(capsys.readouterr().out)["releases"]] == ["installed"] * 2
    assert tree.manifest("clang-24") is not None
    toolchains.listing("text")
    assert "clang-24 1:24~1" in capsys.readouterr().out


@pytest.mark.long
def test_a_compiler_from_the_mirror_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("apt-get") is None:
        pytest.skip("apt-get is not installed")
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    try:
        mirror.mirror()
    except Problem as problem:
        pytest.skip(f"a mirror of Debian is not installed: {problem}")
    assert toolchains.install(["riscv64-gcc-16"]) == 0
    starter = gcc.find("gcc-16", "riscv64-lp64d")
    assert starter is not None
    unit = tmp_path / "unit.c"
    unit.write_text("#include <stddef.h>\nsize_t f(void) { return 1; }\n", "utf-8")
    subprocess.run(
        (*starter, "-O2", "-c", str(unit), "-o", str(tmp_path / "unit.o")), check=True, env={**os.environ}
    )
    assert (tmp_path / "unit.o").read_bytes()[:4] == b"\x7fELF"
