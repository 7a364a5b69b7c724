"""What `accept` proposes: entries that know a cause and nothing that resembles it."""

from __future__ import annotations

from pathlib import Path

import pytest
from laboratory import said
from msgspec.structs import replace

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.accept import add
from abiprobe.harness.triage.proposals import proposals, toml
from abiprobe.oracles.language.lang import BitInt, Param, Prototype
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.coverage.differing import Group
from abiprobe.results.journal.journal import SCHEMA, BatchDone, BatchKey, Header, Plan, Run, SubjectInfo
from abiprobe.results.known.deviations import Entry, matching, parse
from abiprobe.results.verdicts.record import from_differences
from abiprobe.results.verdicts.values import Size

TARGET = "riscv64-lp64d"
VERSIONS = {
    "clang-16": "Debian clang version 16.0.6",
    "clang-22": "clang version 22.1.8",
    "gcc-12": "gcc-12 12.2.0",
}
PLAN = Plan(1, 1, (TARGET,), tuple(VERSIONS), ("O2",))
RUN = Run(
    Header(SCHEMA, "", "", PLAN, tuple(SubjectInfo(TARGET, *one, "") for one in VERSIONS.items())), (), None
)
STEADY = True
MISPLACED = Fingerprint(TARGET, Symptom.MISPLACED, "riscv:int.bit-int")
CRASHED = Fingerprint(TARGET, Symptom.CRASHED, "", "error in backend: Cannot select: v8i16")


def found(
    what: Fingerprint = MISPLACED,
    *subjects: str,
    traits: tuple[str, ...] = ("_BitInt",),
    places: tuple[str, ...] = ("result",),
) -> Finding:
    subjects = subjects or ("clang-16",)
    blame = Blame(Stand.ALONE, subjects)
    example = Prototype("f", None, (Param("a", BitInt(17, signed=True)),))
    shown = dict.fromkeys(subjects, 1)
    return Finding(what, example, 1, frozenset(traits), blame, "O2", "", STEADY, ("p",), shown, places)


def proposed(*findings: Finding) -> list[Entry]:
    (cause,) = cluster(findings)
    return proposals(cause, RUN)


def is_known(finding: Finding, entries: list[Entry]) -> bool:
    (cause,) = cluster([finding])
    return bool(matching(cause, entries, VERSIONS))


def test_an_entry_says_what_was_seen_and_no_more() -> None:
    (entry,) = proposed(found())
    assert entry.targets == (TARGET,)
    assert entry.subjects == ("clang==16",)
    assert entry.shows == {Symptom.MISPLACED: ("riscv:int.bit-int",)}
    assert entry.traits == ("_BitInt",)
    assert [place.value for place in entry.places] == ["result"]
    assert "_BitInt(17)" in entry.example


@pytest.mark.parametrize("what", [MISPLACED, CRASHED], ids=["misplaced", "crashed"])
def test_what_is_accepted_is_known_and_its_neighbours_are_new(what: Fingerprint) -> None:
    entries = proposed(found(what))
    assert is_known(found(what), entries)
    neighbours = [
        found(CRASHED if what is MISPLACED else MISPLACED),
        found(replace(what, symptom=Symptom.ABOVE, clause="riscv:int.bit-int", words="")),
        found(Fingerprint(TARGET, Symptom.MISPLACED, "riscv:int.extend")),
        found(Fingerprint(TARGET, Symptom.REFUSED, "", "error: planted words that nobody says")),
        found(replace(what, target="riscv32-ilp32d")),
        found(what, "clang-22"),
        found(what, "clang-16", "clang-22"),
        found(what, "gcc-12"),
        replace(found(what, traits=("struct",)), example=Prototype("f", None, ())),
        found(what, places=("stack",)),
        found(what, places=("result", "register")),
    ]
    assert [is_known(one, entries) for one in neighbours] == [False] * len(neighbours)


def test_each_family_and_each_way_to_show_has_an_entry_of_its_own() -> None:
    blame = Blame(Stand.MODEL, ("clang-16", "gcc-12"))
    both = replace(found(), blame=blame, subjects={"clang-16": 1, "gcc-12": 1})
    entries = proposed(both)
    assert [entry.subjects for entry in entries] == [("clang==16",), ("gcc==12",)]
    assert len({entry.name for entry in entries}) == len(entries)


def test_who_goes_together_is_said_where_no_text_decides() -> None:
    groups = (
        Group((("clang-16", "O0"), ("clang-16", "O2")), (Size(4),), "clang"),
        Group((("gcc-12", "O0"),), (Size(8),), "none"),
    )
    blame = Blame(Stand.MODEL, ("clang-16", "gcc-12"), what="sizeof", groups=groups)
    apart = replace(
        found(replace(MISPLACED, symptom=Symptom.DIFFERS), places=()),
        blame=blame,
        subjects={"clang-16": 1, "gcc-12": 1},
    )
    (entry,) = proposed(apart)
    assert [(side.subjects, side.readings) for side in entry.sides] == [
        (("clang==16",), ("clang",)),
        (("gcc==12",), ("none",)),
    ]
    assert is_known(apart, [entry])
    assert list(parse(toml([entry]), "known.toml").entries) == [entry]
    together = replace(
        apart,
        blame=replace(blame, groups=(replace(groups[0], subjects=(("clang-16", "O0"), ("gcc-12", "O0"))),)),
    )
    assert not is_known(together, [entry])


def test_entries_are_read_as_they_were_written() -> None:
    entries = [
        *proposed(found()),
        *proposed(found(CRASHED)),
        *proposed(found(replace(MISPLACED, symptom=Symptom.ABOVE))),
    ]
    assert list(parse(toml(entries), "known.toml").entries) == entries


def test_nothing_new_is_an_empty_file() -> None:
    assert toml([]) == ""


EDITED = """\
# Ours: see the wiki.
owner = "us"   # who decides

[[deviation]]   # found in May
shows.misplaced = ['riscv:int.bit-int']
name    = "mine"

# Nothing below this line.
[other]
left = 'alone'
"""


def test_a_file_that_a_user_edits_keeps_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(EDITED, "utf-8")
    entries = proposed(found())
    assert add(entries, path) == 1
    written = path.read_text("utf-8")
    mine = EDITED.splitlines()
    kept = iter(written.splitlines())
    assert all(line in kept for line in mine if line), "in the order of the user"
    added = [line for line in written.splitlines() if line not in mine]
    assert f'name = "{entries[0].name}"' in added
    assert add(entries, path) == 0
    assert path.read_text("utf-8") == written


def test_an_entry_that_is_there_is_left_as_a_person_made_it(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    entries = proposed(found())
    add(entries, path)
    path.write_text(path.read_text("utf-8").replace("TODO", "it is so"), "utf-8")
    add([*entries, replace(entries[0], name="another")], path)
    first, second = parse(path.read_text("utf-8"), "known.toml").entries
    assert (first.reason, second.reason, second.name) == ("it is so", "TODO", "another")


@pytest.mark.parametrize("text", ["[[deviation", "deviation = 3"])
def test_a_file_that_is_none_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(Problem, match=r"known\.toml"):
        add(proposed(found()), path)
    assert path.read_text("utf-8") == text


def test_an_entry_says_what_was_seen_instead() -> None:
    seen = said.difference(
        "callee", "result", "a0", "10", "20", "riscv:int.bit-int", "found in a1 and on the stack at 8"
    )
    told = from_differences("p", ProbeKind.RESULT, (seen,))
    other = replace(told, probe="other", differences=(replace(seen, note=said.noted("found in fa0")),))
    key = BatchKey(TARGET, "clang-16", "O2", Sort.PROTOTYPES, 0)
    run = replace(RUN, batches=(BatchDone(key, 2, (told, other)),))
    (cause,) = cluster([found()])
    (entry,) = proposals(cause, run)
    assert entry.instead == {"riscv:int.bit-int": ("general register", "stack")}
    assert 'instead."riscv:int.bit-int" = ["general register", "stack"]' in toml([entry])
    (again,) = parse(toml([entry]), "proposed.toml").entries
    assert again.instead == entry.instead
