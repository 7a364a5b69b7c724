"""Known bugs of unwind tables: told from new ones, gone where their examples show nothing, and shown by those that ship."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import msgspec
import pytest
from faux.putting import LIE

from abiprobe.generators.frames import Call, Ending, Function, Local, traits
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.unwind.causes import members
from abiprobe.harness.unwind.known import SEARCH, shows
from abiprobe.harness.unwind.sorting import gone, sort_out
from abiprobe.harness.unwind.sweep import Share, Way, answered
from abiprobe.harness.unwind.unit import example
from abiprobe.oracles.quirks.quirk import Status
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.known.entries import UNWINDING
from abiprobe.results.known.ways import Entry, shipped
from tests.skipping import needs_executor

pytest.importorskip("capstone", reason="capstone is not installed")
pytest.importorskip("unicorn", reason="unicorn is not installed")

TARGET = "x86_64-sysv"
PUSHES = Function(body=(Call(12),))
ENTRY = Entry(
    name="shifted",
    targets=(TARGET,),
    subjects=("clang",),
    wrong=("a register (*(CFA)), after pushq",),
    traits=("stack arguments",),
    status=Status.BUG,
    reason="it lies",
    link="unreported",
    since=date(2026, 11, 29),
    example=example(PUSHES),
)
TRIED = ("gcc-16", "gcc-14", "gcc-12", "clang-24", "clang-22", "clang-19", "clang-14")
PLACES = (
    "x86_64-sysv",
    "i386-sysv",
    "aarch64-aapcs64",
    "riscv64-lp64d",
    "arm-aapcs",
    "s390x",
    "powerpc64le-elfv2",
)


def way(liar: Path, monkeypatch: pytest.MonkeyPatch, lie: str) -> Way:
    needs_executor(TARGET)
    monkeypatch.setenv(LIE, lie)
    return Way(TARGET, parse_subject(f"clang:{liar}"), "O2", ("-fomit-frame-pointer",))


@pytest.mark.parametrize(
    ("lie", "entry", "known", "new"),
    [
        ("shifts_an_offset", ENTRY, ["shifted"], []),
        ("shifts_an_offset", msgspec.structs.replace(ENTRY, traits=("realigned",)), [], ["a register (*(CFA)), after pushq"]),
        ("shifts_an_offset", msgspec.structs.replace(ENTRY, subjects=("gcc",)), [], ["a register (*(CFA)), after pushq"]),
        ("shifts_an_offset", msgspec.structs.replace(ENTRY, targets=("i386-sysv",)), [], ["a register (*(CFA)), after pushq"]),
        ("forgets_to_adjust", ENTRY, [], ["CFA (rsp), after pushq"]),
        ("names_another_register", ENTRY, ["shifted"], ["a register (same value), after movq"]),
    ],
)  # fmt: skip
def test_only_what_an_entry_describes_is_known(
    liar: Path, monkeypatch: pytest.MonkeyPatch, lie: str, entry: Entry, known: list[str], new: list[str]
) -> None:
    share = Share(way(liar, monkeypatch, lie), (PUSHES,))
    found = sort_out([(share.way, list(members(share, answered(share))))], (entry,), SEARCH)
    assert list(found.met) == known
    assert [str(each) for each, _ in found.new] == new


def test_an_entry_whose_example_shows_nothing_is_gone(liar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = way(liar, monkeypatch, "tells_the_truth")
    assert gone((ENTRY,), (asked,), SEARCH) == ("shifted",)
    assert gone((msgspec.structs.replace(ENTRY, subjects=("gcc",)),), (asked,), SEARCH) == ()
    assert gone((msgspec.structs.replace(ENTRY, example="no C"),), (asked,), SEARCH) == ()
    monkeypatch.setenv(LIE, "shifts_an_offset")
    assert gone((ENTRY,), (asked,), SEARCH) == ()


def test_the_traits_of_a_frame() -> None:
    assert traits(Function(ending=Ending.TAIL)) == {"tail call"}
    assert traits(Function(body=(Local(5000, 32), Call(12)), kept=1)) == {
        "kept", "local", "large", "realigned", "call", "stack arguments", "return",
    }  # fmt: skip


NEWER = re.compile(r"clang>=2[3-9]|gcc>=1[3-9]")
"""Compilers that Debian 12 does not have."""
ENTRIES = [
    pytest.param(one, id=one.name, marks=[pytest.mark.long] * all(map(NEWER.match, one.subjects)))
    for one in shipped(UNWINDING)
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_example_of_an_entry_shows_it(entry: Entry) -> None:
    asked = []
    for place in filter(entry.is_about, PLACES):
        needs_executor(place)
        asked += [
            Way(place, subject, "O2", ())
            for subject in map(parse_subject, TRIED)
            if installed(subject, (TARGETS[place],))
        ]
    concerned = [one for one in asked if SEARCH.concerns(entry, one)]
    if not concerned:
        family = re.match("[a-z]+", entry.subjects[0])
        assert family is not None
        pytest.skip(f"no {family[0]} of {entry.subjects[0]} is installed")
    assert all(shows(entry, one) for one in concerned)
