"""Releases of clang in the cache."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects import releases, wholeness
from abiprobe.harness.subjects.families.clang import find
from abiprobe.harness.subjects.releases import Release

NAME = "clang-77"
FILES = {
    "ziglang/zig": "#!/bin/sh\necho clang version 77.0.1\n",
    "ziglang/lib/include/stddef.h": "typedef int x;\n",
    "ziglang/lib/libc/large.c": "int x;\n",
    "ziglang/__init__.py": "",
    "ziglang/lib/include/../../evil": "no",
}


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel of a release that nobody has published; the cache is empty, and pip brings nothing."""
    path = tmp_path / "downloads" / "ziglang-7.7.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
    release = Release("7.7.0", path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
    monkeypatch.setattr(releases, "releases", lambda: {NAME: release})
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    failed = child.Exit(1, None, False, False, b"", b"ERROR: no matching distribution", 0.0)  # noqa: FBT003
    monkeypatch.setattr(child, "run", lambda *_args, **_rest: failed)
    return path


def test_a_release_is_unpacked_without_its_libraries(wheel: Path) -> None:
    assert find(NAME, "x86_64-sysv") is None
    home = releases.install(NAME, wheel.parent)
    assert sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()) == [
        "lib/include/stddef.h",
        "zig",
    ]
    assert find(NAME, "x86_64-sysv") == (str(home / "zig"), "clang")
    assert releases.size_of(home) == len(FILES["ziglang/zig"]) + len(FILES["ziglang/lib/include/stddef.h"])
    assert not wheel.exists()


def test_what_is_installed_is_not_fetched_again(wheel: Path) -> None:
    home = releases.install(NAME, wheel.parent)
    assert releases.install(NAME, wheel.parent) == home


def test_a_wheel_that_is_not_what_it_should_be_is_not_unpacked(wheel: Path) -> None:
    data = bytearray(wheel.read_bytes())
    data[40] ^= 1
    wheel.write_bytes(data)
    with pytest.raises(Problem, match="no matching distribution"):
        releases.install(NAME, wheel.parent)
    assert releases.program(NAME) is None


def test_a_disk_that_is_full_is_no_missing_pip(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel.unlink()
    said = b"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"
    full = child.Exit(1, None, False, False, b"", said, 0.0)  # noqa: FBT003
    monkeypatch.setattr(child, "run", lambda *_args, **_rest: full)
    with pytest.raises(Problem, match=f"^{wheel.parent}: No space left on device: make room there"):
        releases.install(NAME, wheel.parent)


def test_an_interrupted_installation_leaves_nothing(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_wheel: Path, home: Path, _wanted: tuple[str, ...]) -> None:
        home.mkdir(parents=True)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(releases, "unpack", interrupted)
        with pytest.raises(KeyboardInterrupt):
            releases.install(NAME, wheel.parent)
    assert releases.program(NAME) is None
    assert list(releases.folder().iterdir()) == []
    assert releases.install(NAME, wheel.parent).exists()


@pytest.mark.parametrize("file", ["zig", "lib/include/stddef.h"])
def test_a_release_that_was_changed_is_none(wheel: Path, file: str) -> None:
    data = wheel.read_bytes()
    home = releases.install(NAME, wheel.parent)
    right = (home / file).read_bytes()
    (home / file).write_bytes(right + b" ")
    wholeness.is_whole.cache_clear()
    assert releases.program(NAME) is None
    wheel.write_bytes(data)
    assert releases.program(NAME) is None
    releases.install(NAME, wheel.parent)
    assert (home / file).read_bytes() == right
    assert releases.program(NAME) is not None


def test_removal_frees_what_it_says(wheel: Path) -> None:
    size = releases.size_of(releases.install(NAME, wheel.parent))
    assert releases.remove(NAME) == size > 0
    assert releases.remove(NAME) == 0
    assert releases.program(NAME) is None


def test_names_of_releases() -> None:
    names = releases.named("clang-12..clang-22")
    assert names[0] == "clang-12"
    assert names[-1] == "clang-22"
    assert "clang-14" not in names
    assert releases.named("clang-17") == ("clang-17",)
    assert releases.named("zig-0.13.0") == ("zig-0.13.0",)
    assert releases.named("clang-17..18") == ("clang-17", "clang-18")


@pytest.mark.parametrize("text", ["gcc-12", "clang", "clang-14", "clang-9..clang-11", "../clang-12"])
def test_names_of_none(text: str) -> None:
    with pytest.raises(Problem):
        releases.named(text)


def test_an_unknown_release_of_zig_is_told_those_of_zig() -> None:
    with pytest.raises(Problem) as raised:
        releases.named("zig-0.10.0")
    assert "zig-0.13.0" in str(raised.value.hint)
    assert "clang" not in str(raised.value.hint)


def test_every_release_has_a_digest() -> None:
    found = releases.releases()
    assert sum(name.startswith("clang-") for name in found) == 10
    assert sum(name.startswith("zig-") for name in found) == 10
    assert all(len(one.sha256) == 64 and one.bytes > 1 << 20 for one in found.values())
