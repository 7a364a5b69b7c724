"""Known deviations: what an entry selects, and what is wrong with one."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from abiprobe.oracles.language.lang import Array, Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.quirks.versions import Range, numbers_of
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.known.deviations import (
    Entry,
    Known,
    concerns,
    expects,
    matching,
    parse,
    resemblances,
    shipped,
)
from abiprobe.results.known.entries import KnownError
from abiprobe.results.verdicts.locations import BYTES
from abiprobe.results.verdicts.readings import CRASHED_AGAIN
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict
from abiprobe.results.verdicts.values import Bytes

ENTRY = """
[[deviation]]
name = "zero width"
targets = ["riscv64-*"]
subjects = ["clang>=13,<23"]
shows.misplaced = ["riscv:zero"]
traits = ["zero-width bit-field"]
status = "bug"
reason = "clang does not flatten past it"
link = "unreported"
since = 2026-11-21
example = "void f(int a);"
"""
ALWAYS = True
VERSIONS = {
    "clang-22": "Debian clang version 22.1.8 (1~deb12u1)",
    "clang-12": "clang version 12.0.1",
    "gcc-12": "",
}


CLANG = "clang-22"


def entry(text: str = ENTRY) -> Entry:
    (found,) = parse(text, "known.toml").entries
    return found


def caused(
    *traits: str, clause: str = "riscv:zero", subject: str = "clang-22", target: str = "riscv64-lp64d"
) -> Cluster:
    blame = Blame(Stand.ALONE, (subject,))
    finding = Finding(
        Fingerprint(target, Symptom.MISPLACED, clause),
        Prototype("f", None, ()),
        1,
        frozenset(traits),
        blame,
        "O2",
        "",
        ALWAYS,
        ("p",),
        {subject: 1},
    )
    (found,) = cluster([finding])
    return found


SELECTED = [
    ("the cause itself", caused("zero-width bit-field", "struct"), True),
    ("more around it", caused("zero-width bit-field", "union", "array"), True),
    ("another cause", caused("flexible array"), False),
    ("another clause", caused("zero-width bit-field", clause="riscv:other"), False),
    ("another target", caused("zero-width bit-field", target="x86_64-sysv"), False),
    ("another family", caused("zero-width bit-field", subject="gcc-12"), False),
    ("an older version", caused("zero-width bit-field", subject="clang-12"), False),
]


@pytest.mark.parametrize(
    ("found", "expected"), [row[1:] for row in SELECTED], ids=[row[0] for row in SELECTED]
)
def test_what_an_entry_selects(found: Cluster, expected: bool) -> None:  # noqa: FBT001
    assert bool(matching(found, [entry()], VERSIONS)) is expected


RANGES = [
    ("clang", "clang-22", "clang version 22.1.8", True),
    ("clang", "zig", "clang version 22.1.8", True),
    ("clang>=13,<18", "clang-17", "clang version 17.0.6", True),
    ("clang>=13,<18", "clang-18", "clang version 18.1.6", False),
    ("gcc==12", "gcc-12", "gcc-12 (Debian 12.2.0-14) 12.2.0", True),
    ("gcc<=12.1", "gcc-12", "gcc-12 (Debian 12.2.0-14) 12.2.0", False),
    ("gcc>11", "gcc-11", "gcc-11 (Debian 11.3.0-12) 11.3.0", False),
    ("tcc", "tcc", "tcc version 0.9.27 (x86_64 Linux)", True),
    ("zig-lang>=0.17", "zig-lang", "0.17.1", True),
    ("zig-lang<0.17", "zig-lang", "0.17.1", False),
    ("zig-lang", "zig", "clang version 22.1.8", False),
    ("gcc:/my/cc", "gcc:/my/cc -mavx", "cc 12.2.0", True),
    ("gcc:/my/cc", "gcc:/my/cc2", "cc 12.2.0", False),
    ("gcc:/my/cc", "gcc-12", "cc 12.2.0", False),
    ("gcc", "gcc:/my/cc", "cc 12.2.0", True),
]


@pytest.mark.parametrize(("text", "subject", "version", "expected"), RANGES)
def test_ranges_of_versions(text: str, subject: str, version: str, expected: bool) -> None:  # noqa: FBT001
    assert Range.read(text).has(subject, version) is expected


def test_versions_in_the_words_of_compilers() -> None:
    assert numbers_of("riscv64-linux-gnu-gcc-12 (Debian 12.2.0-13) 12.2.0") == (12, 2, 0)
    assert numbers_of("Debian clang version 14.0.6") == (14, 0, 6)
    assert numbers_of("LDC - the LLVM D compiler (1.30.0):") == (1, 30, 0)
    assert numbers_of("x86_64-w64-mingw32-gcc-12 (GCC) 12-win32") == (12,)
    assert numbers_of("") == ()


WRONG = [
    (ENTRY.replace('link = "unreported"\n', ""), "link"),
    (ENTRY.replace('reason = "clang does not flatten past it"', 'reason = ""'), "reason"),
    (ENTRY.replace('"bug"', '"sad"'), "sad"),
    (ENTRY.replace("clang>=13,<23", "clang >> 3"), "range"),
    (ENTRY + ENTRY, "two entries"),
    (ENTRY + 'targget = "x"\n', "targget"),
    ("[[deviation", "known.toml"),
    (ENTRY.replace("shows.misplaced", "#"), "say how it shows, as shows.misplaced"),
    (ENTRY.replace('["riscv:zero"]', "[]"), "zero width.* does not say how it shows"),
    (ENTRY.replace('["riscv:zero"]', '[""]'), "zero width.* does not say how it shows"),
    (ENTRY.replace("shows.misplaced", "clauses"), "instead of clauses"),
    (ENTRY + 'cluster = "c02110ea"\n', "instead of cluster"),
    (ENTRY.replace("shows.misplaced", "shows.mispalced"), "zero width.*mispalced"),
    (ENTRY + 'places = ["attic"]\n', "zero width.*attic"),
]


@pytest.mark.parametrize(("text", "words"), WRONG, ids=[row[1] for row in WRONG])
def test_what_is_wrong_with_an_entry(text: str, words: str) -> None:
    with pytest.raises(KnownError, match=words):
        parse(text, "known.toml")


DIALECTS = [
    # the targets of an entry, the target of a run, whether the entry applies, whether it says that something is seen there
    (("riscv64-lp64d",), "riscv64-lp64d", True, True),
    (("riscv64-lp64d",), "riscv64-lp64d@clang-reading", True, False),
    (("riscv64-*",), "riscv64-lp64d@clang-reading", True, False),
    (("riscv64-lp64d@clang-reading",), "riscv64-lp64d@clang-reading", True, True),
    (("riscv64-*@clang-reading",), "riscv64-lp64d@clang-reading", True, True),
    (("riscv64-lp64d@gcc-reading",), "riscv64-lp64d@clang-reading", False, False),
    (("riscv64-lp64d", "riscv64-lp64d@gcc-reading"), "riscv64-lp64d@clang-reading", False, False),
    (("riscv64-lp64d", "riscv64-lp64d@gcc-reading"), "riscv64-lp64d", True, True),
    (("riscv64-lp64d@clang-reading",), "riscv64-lp64d", False, False),
    (("riscv64-lp64f",), "riscv64-lp64d@clang-reading", False, False),
]


@pytest.mark.parametrize(("targets", "target", "applies", "expected"), DIALECTS)
def test_an_entry_that_names_no_dialect_applies_to_all_and_promises_nothing_there(
    targets: tuple[str, ...],
    target: str,
    applies: bool,  # noqa: FBT001
    expected: bool,  # noqa: FBT001
) -> None:
    one = replace(entry(), targets=targets)
    assert concerns(one, target, CLANG, VERSIONS[CLANG]) is applies
    assert expects(one, target, CLANG, VERSIONS[CLANG]) is expected


def test_a_deviation_on_a_dialect_is_known_by_the_entry_of_the_target() -> None:
    seen = caused("zero-width bit-field", target="riscv64-lp64d@clang-reading")
    assert matching(seen, [entry()], VERSIONS)
    assert not matching(seen, [replace(entry(), targets=("riscv64-lp64d@gcc-reading",))], VERSIONS)


def test_an_entry_is_void_from_its_last_day_on() -> None:
    lasting = entry(ENTRY + "expires = 2027-01-01\n")
    assert not lasting.is_void(date(2026, 12, 31))
    assert lasting.is_void(date(2027, 1, 1))
    assert not entry().is_void(date(2999, 1, 1))


def test_what_is_shipped_can_be_read() -> None:
    known = shipped()
    assert len(known.entries) > 10
    assert known.without(known.entries[0].name) == Known(known.entries[1:])
    assert all(one.link == "unreported" or one.link.startswith("https://") for one in known.entries)


def test_each_family_of_a_finding_is_known_by_itself() -> None:
    both = caused("zero-width bit-field")
    blame = Blame(Stand.MODEL, ("clang-22", "tcc"))
    (finding,) = both.findings
    shared = replace(finding, blame=blame, subjects={"clang-22": 1})
    theirs = replace(shared, subjects={"tcc": 1})
    (known,) = cluster([shared])
    assert matching(known, [entry()], VERSIONS)
    (partly,) = cluster([shared, theirs])
    assert not matching(partly, [entry()], VERSIONS)
    tcc = entry(ENTRY.replace('subjects = ["clang>=13,<23"]', 'subjects = ["tcc"]'))
    assert len(matching(partly, [entry(), replace(tcc, name="tcc")], VERSIONS)) == 2


DYING = entry(
    ENTRY.replace('shows.misplaced = ["riscv:zero"]', 'shows.crashed = ["the compiler died"]').replace(
        "zero-width bit-field", "flexible array"
    )
)
FLEXIBLE = Record("S", (Member(Scalar(Kind.INT), "a"), Member(Array(Scalar(Kind.INT), None), "b")))


@pytest.mark.parametrize("asked_of", [FLEXIBLE, Scalar(Kind.INT)])
@pytest.mark.parametrize("entries", [[entry()], [entry(), DYING]])
@pytest.mark.parametrize("again", [(), (CRASHED_AGAIN,)])
def test_an_answer_by_chance_is_known_by_a_crash_with_the_traits_of_the_question(
    asked_of: Record | Scalar, entries: list[Entry], again: tuple[str, ...]
) -> None:
    deviating = Verdict("p", ProbeKind.CALLER, Judgement.DEVIATES, clause="riscv:other", quirks=again)
    function = Prototype("f", None, (Param("a", asked_of),))
    (found,) = resemblances(entries, "riscv64-lp64d", function, [deviating])
    known = again and asked_of is FLEXIBLE and DYING in entries
    assert found.entry is (DYING if known else None)


VALUE = Difference("callee", "a", BYTES, Bytes("10"), Bytes("11"), "riscv:other")


@pytest.mark.parametrize("outcome", [Outcome.DIED, Outcome.OBSERVED])
@pytest.mark.parametrize("instead", ["dies", "stack"])
def test_a_program_that_dies_does_not_tell_of_which_value(outcome: Outcome, instead: str) -> None:
    known = entry(ENTRY.replace("zero-width bit-field", "flexible array"))
    known = replace(known, instead={"riscv:zero": (instead,)})
    seen = () if outcome is Outcome.DIED else (VALUE,)
    dead = Verdict("p", ProbeKind.CALLEE, Judgement.DEVIATES, outcome, "riscv:other", "", seen)
    function = Prototype("f", None, (Param("a", FLEXIBLE),))
    (found,) = resemblances([known], "riscv64-lp64d", function, [dead])
    assert (found.entry is known) == (outcome is Outcome.DIED and instead == "dies")
