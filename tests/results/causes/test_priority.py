"""Causes of the newest gcc and clang come first, those of compilers without releases last."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.quirks.versions import newest_of
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.priority import Priority, by_priority, is_unreleased, priority

VERSIONS = {
    "clang-22": "Debian clang version 22.1.8",
    "clang-9": "clang version 9.0.1",
    "zig": "clang version 22.1.8",
    "gcc-12": "gcc (Debian 12.2.0-14) 12.2.0",
    "gcc-16": "gcc-16 (Debian 16.2.0-1) 16.2.0",
    "tcc": "tcc version 0.9.27 (x86_64 Linux)",
    "pcc": "pcc 1.2.0.DEVEL",
    "ldc2": "LDC - the LLVM D compiler (1.30.0)",
}


def cause(name: str, *subjects: str) -> Cluster:
    shown = Finding(
        Fingerprint("x86_64-sysv", Symptom.MISPLACED, "x86_64:pass.sse"),
        Record("S", ()),
        1,
        frozenset(),
        Blame(Stand.ALONE, subjects, ()),
        "O2",
        confirmed="",
        steady=True,
        probes=("p",),
        subjects=dict.fromkeys(subjects, 1),
    )
    return Cluster(name, (), Symptom.MISPLACED, (shown,), 1, dict.fromkeys(subjects, 1))


def test_the_newest_are_those_of_the_run() -> None:
    assert newest_of(VERSIONS) >= {"clang-22", "zig", "gcc-16"}
    assert not newest_of(VERSIONS) & {"clang-9", "gcc-12"}
    assert newest_of({"gcc-12": VERSIONS["gcc-12"]}) == {"gcc-12"}


@pytest.mark.parametrize(
    ("subjects", "expected"),
    [
        (("gcc-16",), Priority.NEWEST),
        (("gcc-12", "tcc", "zig"), Priority.NEWEST),
        (("gcc-12",), Priority.OTHER),
        (("clang-9",), Priority.OTHER),
        (("ldc2",), Priority.OTHER),
        (("tcc",), Priority.UNRELEASED),
        (("pcc", "tcc"), Priority.UNRELEASED),
        (("gcc-12", "tcc"), Priority.OTHER),
    ],
)
def test_who_acts_on_a_cause(subjects: tuple[str, ...], expected: Priority) -> None:
    one = cause("c", *subjects)
    assert priority(one, newest_of(VERSIONS)) is expected
    assert is_unreleased(one) == (expected is Priority.UNRELEASED)


def test_the_order_within_a_priority_stays() -> None:
    every = [
        cause("1", "tcc"),
        cause("2", "gcc-12"),
        cause("3", "zig"),
        cause("4", "ldc2"),
        cause("5", "gcc-16"),
    ]
    assert [item.id for item in by_priority(every, newest_of(VERSIONS))] == ["3", "5", "2", "4", "1"]
