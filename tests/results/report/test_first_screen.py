"""What a run ends with fits on a screen, whatever it found, and what does not fit is counted."""

from __future__ import annotations

import re
from datetime import date
from itertools import product

import pytest
from msgspec.structs import replace

from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.quirk import Status
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.coverage.pairs import Pairing
from abiprobe.results.known.deviations import Entry
from abiprobe.results.known.matches import Recurrence
from abiprobe.results.report.causes_text import Found, in_full, on_a_screen, shares

QUESTION = Record("S", ())
FULL = "abiprobe report somewhere"
ROOM = 26
"""What the README's main job leaves: 39 lines less five of the table, and eight below it."""


def cause(number: int, *, steady: bool = True) -> Cluster:
    shown = Finding(
        Fingerprint("x86_64-sysv", Symptom.MISPLACED, "x86_64:pass.sse"),
        QUESTION,
        1,
        frozenset({"struct"}),
        Blame(Stand.ALONE, ("zig",), ("gcc-12",)),
        "O2",
        "confirmed by 3 fresh runs",
        steady,
        ("p",),
        {"zig": 1},
    )
    return Cluster(f"c{number:07}", ("struct",), Symptom.MISPLACED, (shown,), 1, {"zig": 1})


def entry(number: int) -> Entry:
    return Entry(
        name=f"entry {number}",
        targets=("x86_64-sysv",),
        subjects=("clang",),
        shows={Symptom.MISPLACED: ("x86_64:pass.sse",)},
        status=Status.BUG,
        reason="it is",
        link="unreported",
        since=date(2026, 11, 22),
        example="void f(void);",
    )


def found(new: int, others: int, known: int, lines: int) -> Found:
    """Of everything beside new and known causes there are as many as `others`; examples have so many lines."""
    pairing = Pairing("x86_64-sysv", "O2", "zig", "gcc-12", 3, 1, 0, None)
    return Found(
        tuple(map(cause, range(new))),
        tuple(cause(900 + number, steady=False) for number in range(others)),
        tuple(Recurrence(entry(number), 3, ("x86_64-sysv",), {"zig": 3}) for number in range(known)),
        tuple(entry(500 + number) for number in range(others)),
        (pairing,) * others,
        (),
        lambda _: "p: expected 1, saw 2",
        lambda _: lines_of(lines),
    )


def in_c(_: Question) -> str:
    return "void f(void);"


def lines_of(lines: int) -> str:
    return "\n".join(f"line {number} of {lines};" for number in range(1, lines + 1))


AMOUNTS = list(product((0, 1, 2, 40), (1, 12, 70), (0, 1, 30), (0, 11, 60)))


@pytest.mark.parametrize(("new", "lines", "others", "known"), AMOUNTS)
def test_a_screen_is_never_longer_and_hides_nothing(new: int, lines: int, others: int, known: int) -> None:
    what = found(new, others, known, lines)
    shown = [line.plain for line in on_a_screen(what, in_c, ROOM, FULL)]
    assert len(shown) <= ROOM
    if new:
        assert shown[0].startswith("1. c0000000  ")
        assert any("expected 1, saw 2" in line for line in shown)
        assert f"     line {lines} of {lines};" in shown
    told = sum(line.startswith(("new: ", "no longer", "flaky: ", "1 call ")) for line in shown)
    told += sum(line.startswith("      3  entry") for line in shown)
    counted = [re.match(r"\.\.\. and (\d+) more: abiprobe report somewhere$", line) for line in shown]
    assert told + sum(int(one[1]) for one in counted if one) == max(0, new - 1) + 3 * others + known


@pytest.mark.parametrize("lines", [1, 5, 9])
def test_the_first_cause_comes_in_full_before_the_known_ones_take_their_room(lines: int) -> None:
    shown = [line.plain for line in on_a_screen(found(9, 0, 60, lines), in_c, ROOM, FULL)]
    assert [line.strip() for line in shown if line.startswith("     line")] == lines_of(lines).splitlines()
    assert "60 known deviations:" in shown


def test_a_long_example_is_cut_at_its_beginning() -> None:
    shown = [line.plain for line in on_a_screen(found(1, 0, 0, 70), in_c, ROOM, FULL)]
    assert len(shown) == ROOM
    (cut,) = [number for number, line in enumerate(shown) if "... after" in line]
    (missing,) = re.findall(r"after (\d+) lines more: abiprobe report somewhere", shown[cut])
    assert shown[cut + 1].strip() == f"line {int(missing) + 1} of 70;"


def test_in_full_is_in_full() -> None:
    shown = [line.plain for line in in_full(found(7, 3, 60, 30), in_c)]
    assert sum(" of 30;" in line for line in shown) == 7 * 30
    assert sum("entry" in line for line in shown) == 63
    assert not any("more" in line for line in shown)


@pytest.mark.parametrize(
    ("wanted", "room", "given"),
    [
        ((0, 0, 0), 20, [0, 0, 0]),
        ((5, 5, 5), 20, [5, 5, 5]),
        ((30, 5, 5), 20, [12, 4, 4]),
        ((6, 30, 30), 20, [6, 10, 4]),
        ((30, 30, 30), 3, [4, 4, 4]),
    ],
)
def test_lines_are_divided_by_importance(wanted: tuple[int, ...], room: int, given: list[int]) -> None:
    assert shares(wanted, (4, 4, 4), room) == given


def test_causes_of_compilers_without_releases_are_one_line() -> None:
    old = [replace(cause(number), subjects={name: 1}) for number, name in enumerate(("tcc", "pcc", "tcc"), 5)]
    screen = list(on_a_screen(replace(found(2, 0, 0, 3), new=(cause(1), cause(2), *old)), str, ROOM, FULL))
    new = [line.plain for line in screen if line.plain.startswith("new: ")]
    assert len(new) == 2
    assert new[-1] == "new: 3 causes of compilers without a release for years (pcc, tcc)"
