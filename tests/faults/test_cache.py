"""Whatever happens to an entry of the cache, what was kept is right or made anew."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from abiprobe.harness.base import cache
from abiprobe.harness.machines.runtime.build import runtime_objects
from abiprobe.harness.machines.runtime.machine import machine
from tests.skipping import trusted_or_skip

from .damage import BYTES, Way

DATA = bytes(range(256)) * 8


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An entry of a cache of its own."""
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    path = cache.entry("sort", "name")
    assert cache.remember(path, DATA)
    assert cache.recall(path) == DATA
    return path


@pytest.mark.parametrize("way", BYTES, ids=lambda way: way.__name__)
@pytest.mark.parametrize("seed", range(6))
def test_damaged_bytes_are_not_taken(entry: Path, way: Way, seed: int) -> None:
    broken = way(random.Random(seed), entry.read_bytes())
    entry.write_bytes(broken)
    assert cache.recall(entry) is None


def as_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def as_zeros(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_large(path: Path) -> None:
    os.truncate(path, 20 << 30)


def for_all(path: Path) -> None:
    path.chmod(0o666)


def in_a_folder_for_all(path: Path) -> None:
    path.parent.chmod(0o777)


def of_another_entry(path: Path) -> None:
    other = cache.entry("sort", "other")
    assert cache.remember(other, b"another")
    other.rename(path)


def of_another_sort(path: Path) -> None:
    other = cache.entry("another", "name")
    assert cache.remember(other, b"another")
    other.rename(path)


PLACES = (
    Path.unlink,
    as_link,
    as_zeros,
    as_folder,
    as_pipe,
    as_large,
    for_all,
    in_a_folder_for_all,
    of_another_entry,
    of_another_sort,
)


@pytest.mark.parametrize("spoil", PLACES, ids=lambda spoil: spoil.__name__)
def test_what_is_no_entry_of_ours_is_not_taken(entry: Path, spoil: Callable[[Path], None]) -> None:
    spoil(entry)
    assert cache.recall(entry) is None
    made = cache.kept(entry, msgspec.json.Decoder(int), lambda: 7)
    assert made == 7


def test_a_folder_that_others_may_write_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path))
    assert "can be written by others" in cache.obstacle(tmp_path)
    assert not cache.remember(cache.entry("sort", "name"), DATA)
    assert [*tmp_path.iterdir()] == []


def test_a_write_that_fails_leaves_nothing(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_self: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert not cache.remember(entry, b"another")
    assert cache.recall(entry) == DATA
    assert [path.name for path in entry.parent.iterdir()] == ["name"]


@pytest.mark.parametrize(
    "way",
    [*BYTES[:2], *(pytest.param(way, marks=pytest.mark.long) for way in BYTES[2:])],
    ids=lambda way: way.__name__,
)
def test_the_runtime_is_that_of_an_empty_cache(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = machine("x86_64")
    trusted = trusted_or_skip(here)
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    right = [path.read_bytes() for path in runtime_objects(here, trusted)]
    for path in (tmp_path / "cache" / "runtime").iterdir():
        path.write_bytes(way(random.Random(1), path.read_bytes()))
        assert [path.read_bytes() for path in runtime_objects(here, trusted)] == right
