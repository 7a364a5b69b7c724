"""What is seen instead of what the text asks for, in the words of entries for known deviations."""

from __future__ import annotations

import pytest
from laboratory import said
from laboratory.said import in_file
from msgspec.structs import replace

from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import RegisterFile
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.known.deviations import parse, resemblances
from abiprobe.results.known.instead import fits, instead_of, open_place
from abiprobe.results.verdicts.locations import AmongUnnamed, Declared, MemberAt, Spot
from abiprobe.results.verdicts.notes import Found, Shifted
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Shown, Verdict
from abiprobe.results.verdicts.values import (
    Alignment,
    AlignmentOf,
    Beyond,
    Bounds,
    Multiple,
    Number,
    Parameter,
    Size,
    Value,
    Words,
)

from .test_deviations import ENTRY

TARGET, CLAUSE = "riscv64-lp64d", "riscv:zero"


def value(side: str, note: str, *, above: bool = False, seen: str = "01 ff ff ff") -> Difference:
    return said.difference(side, "p0", "fa0", "01 00 00 00", seen, CLAUSE, note, above)


def verdict(kind: ProbeKind, *found: Difference, outcome: Outcome = Outcome.OBSERVED) -> Verdict:
    return Verdict("p", kind, Judgement.DEVIATES, outcome, CLAUSE, "", found)


CALLER, CALLEE = ProbeKind.CALLER, ProbeKind.CALLEE
CALLS = [
    ("one side", [verdict(CALLER, value("caller", "found in a0"))], ("general register",)),
    (
        "what both sides have in common is where it is passed",
        [
            verdict(CALLER, value("caller", "found in a0 and on the stack at 8")),
            verdict(CALLEE, value("callee", "found on the stack at 8")),
        ],
        ("stack",),
    ),
    (
        "sides that disagree",
        [
            verdict(CALLER, value("caller", "found in a0")),
            verdict(CALLEE, value("callee", "found on the stack at 8")),
        ],
        ("general register", "stack"),
    ),
    (
        "one of several, as far as is known",
        [verdict(CALLER, value("caller", "found in a0 and on the stack at 8"))],
        ("general register|stack",),
    ),
    ("what a function saves is no place", [verdict(CALLER, value("caller", "found in s2"))], ("nowhere",)),
    (
        "a program dies on an address that is further on",
        [
            verdict(
                CALLER,
                value("caller", "found on the stack at 8"),
                said.difference("caller", "p1", "memory at a0", "01", "02", CLAUSE),
            ),
            verdict(CALLEE, outcome=Outcome.DIED),
        ],
        ("stack",),
    ),
    (
        "a program dies on a value",
        [verdict(CALLER, value("caller", "found on the stack at 8")), verdict(CALLEE, outcome=Outcome.DIED)],
        ("dies", "stack"),
    ),
    (
        "unnamed arguments behind a named one that moves them",
        [
            verdict(CALLER, value("caller", "found on the stack at 8")),
            verdict(ProbeKind.VARIADIC, value("caller", "found in fa1")),
        ],
        ("stack",),
    ),
    (
        "an s register where values are passed in such",
        [verdict(CALLER, replace(value("caller", ""), note=Found((in_file("s2", RegisterFile.SINGLE),))))],
        ("s register",),
    ),
    (
        "what was shifted tells nothing of what moved it",
        [verdict(CALLER, replace(value("caller", ""), note=Shifted("c", said.noted("found in a1"))))],
        (),
    ),
    ("a control register holds no value", [verdict(CALLER, value("caller", "found in mxcsr"))], ()),
    ("too short to be told", [verdict(CALLER, value("caller", ""))], ()),
    ("a program that dies", [verdict(CALLEE, outcome=Outcome.DIED)], ("dies",)),
    ("a pair tells of two compilers", [verdict(ProbeKind.PAIR, value("pair", "found in a0"))], ()),
]


@pytest.mark.parametrize(("verdicts", "expected"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])
def test_where_a_value_is_instead(verdicts: list[Verdict], expected: tuple[str, ...]) -> None:
    assert instead_of(Fingerprint(TARGET, Symptom.MISPLACED, CLAUSE), verdicts) == expected


FILLINGS = [("01 ff ff ff", "ones"), ("01 00 ff ff", "ones"), ("01 5a c3 00", "other bits")]


@pytest.mark.parametrize(("seen", "expected"), FILLINGS)
def test_bits_above_a_value(seen: str, expected: str) -> None:
    shown = verdict(CALLER, value("caller", "only the bits above the value", above=True, seen=seen))
    assert instead_of(Fingerprint(TARGET, Symptom.ABOVE, CLAUSE), [shown]) == (expected,)


def test_a_callee_that_relies_on_bits() -> None:
    shown = verdict(CALLEE, value("callee", "it relies on the bits above the value", above=True))
    assert instead_of(Fingerprint(TARGET, Symptom.ABOVE, CLAUSE), [shown]) == ("relied on",)


ALIGNMENTS = [
    (Multiple(16), Beyond(8), "aligned to 1|aligned to 2|aligned to 4|aligned to 8"),
    (Multiple(16, arguments=True), Beyond(2), "aligned to 1|aligned to 2"),
    (Bounds(1, 8), Number(0), "too few"),
    (Bounds(1, 8), Number(9), "too many"),
    (Parameter(8, 8, "", bytes=True), Parameter(4, 8, "", bytes=True), "aligned to 4"),
    (Parameter(8, 8, "", bytes=True), Parameter(8, 4, "", bytes=True), "smaller"),
]


@pytest.mark.parametrize(("expected", "seen", "words"), ALIGNMENTS)
def test_what_a_number_is_that_is_no_part_of_a_value(expected: Value, seen: Value, words: str) -> None:
    item = Difference("caller", "p0", said.where("address in a0"), expected, seen, CLAUSE)
    assert instead_of(Fingerprint(TARGET, Symptom.MISPLACED, CLAUSE), [verdict(CALLER, item)]) == (words,)


def test_a_scalar_in_ptx_tells_nothing_of_its_alignment() -> None:
    written = Parameter(8, 8, ".param .align 8 .b8[8]", bytes=True), Parameter(4, 4, ".param .b32")
    item = Difference("callee", "p0", said.where("PTX"), *written, CLAUSE)
    assert instead_of(Fingerprint(TARGET, Symptom.MISPLACED, CLAUSE), [verdict(CALLER, item)]) == ()


LAYOUTS = [
    ("_Alignof", "16", "8", "aligned to 8"),
    ("_Alignof of the type of a.b", "8", "4", "type of a member aligned to 4"),
    ("__alignof__ of a", "2", "8", "member aligned more"),
    ("__alignof__ of a", "8", "2", "member aligned less"),
    ("sizeof", "32", "24", "smaller"),
    ("sizeof", "16", "24", "larger"),
    ("a", "64:32", "32:32", "earlier"),
    ("a", "32:32", "64:32", "later"),
    ("a", "32:32", "32:16", "narrower"),
    ("a", "32:16", "32:32", "wider"),
    ("a", "32:16", "nothing", "unknown member"),
]


@pytest.mark.parametrize(("what", "expected", "seen", "words"), LAYOUTS)
def test_layouts(what: str, expected: str, seen: str, words: str) -> None:
    shown = verdict(ProbeKind.LAYOUT, said.difference("object", what, "bits", expected, seen, CLAUSE))
    assert instead_of(Fingerprint(TARGET, Symptom.LAYOUT, CLAUSE), [shown]) == (words,)


def apart(what: str, *items: Shown) -> Verdict:
    detail = f"{what}: gcc -O0: a1; clang -O0: f1"
    return Verdict("p", ProbeKind.OPEN, Judgement.DIFFERS, clause=CLAUSE, detail=detail, shown=items)


OPEN = [
    (said.placed("a0"), "a0"),
    (said.placed("a1[4]"), "a1"),
    (said.placed("stack+8"), "stack+8"),
    (said.placed("memory at a1"), "memory at a1"),
    (said.placed("memory 8 bytes behind a1"), "memory 8 bytes behind a1"),
    (said.placed("a0 (2 bytes), a1[2]"), "a0 (2 bytes), a1"),
    (said.placed("a0[2], a1[2] (2 bytes)"), "a0[2], a1[2] (2 bytes)"),
    (said.placed("fa0 as double"), "fa0 as double"),
    (Size(8), "sizeof 8 bytes"),
    (Alignment(64), "_Alignof 64 bytes"),
    (Alignment(2, AlignmentOf.MEMBER), "__alignof__ of a member 2 bytes"),
    (Alignment(2, AlignmentOf.MEMBER_TYPE), "_Alignof of the type of a member 2 bytes"),
    (Alignment(2, AlignmentOf.PREFERRED), "__alignof__ of the type of a member 2 bytes"),
    (MemberAt(8, 1), "member bit 8, 1 wide"),
    (MemberAt(8), "member byte 1"),
    (MemberAt(None), "nowhere"),
    (AmongUnnamed(8), "member byte 8 of the unnamed arguments"),
    (Declared(8, 4, "local"), "8 bytes aligned to 4, a local address"),
    (Words("no place that was found"), "no place that was found"),
]


@pytest.mark.parametrize(("at", "words"), OPEN)
def test_where_something_is_on_which_no_text_decides(at: Spot, words: str) -> None:
    assert open_place(at) == words


def test_where_a_compiler_takes_from_what_it_puts_elsewhere() -> None:
    lost = apart("b [0..4)", said.shown("b [0..4)", ("a1", "stack+8"), ("a2[4]",)))
    words = "a1 but taken from a2|stack+8 but taken from a2"
    assert instead_of(Fingerprint(TARGET, Symptom.SELF_INCONSISTENT, CLAUSE), [lost]) == (words,)
    assert instead_of(Fingerprint(TARGET, Symptom.DIFFERS, CLAUSE), [lost]) == ()
    shifted = apart("b [0..1)", said.shown("b [0..1)", ("a1[3]",), ("a1",)))
    assert instead_of(Fingerprint(TARGET, Symptom.SELF_INCONSISTENT, CLAUSE), [shifted]) == (
        "a1 but taken from another byte of it",
    )


FITTING = [
    (("stack",), ("stack", "dies"), True),
    (("general register|stack",), ("stack",), True),
    (("general register", "stack"), ("stack",), False),
    (("aligned to 32", "later"), ("aligned to *", "later"), True),
    (("aligned to 32",), ("aligned to 8",), False),
    (("stack",), (), True),
    ((), ("stack",), True),
]


@pytest.mark.parametrize(("seen", "named", "expected"), FITTING)
def test_what_fits(seen: tuple[str, ...], named: tuple[str, ...], expected: bool) -> None:  # noqa: FBT001
    assert fits(seen, named) is expected


def test_what_an_entry_does_not_see_is_new_and_told_as_such() -> None:
    (entry,) = parse(ENTRY.replace("status =", 'instead."riscv:zero" = ["stack"]\nstatus ='), "k").entries
    zero = Member(Scalar(Kind.INT), "", width=0)
    asked = Prototype("f", None, (Param("p0", Record("S", (Member(Scalar(Kind.FLOAT), "a"), zero))),))
    for note, known in (("found on the stack at 0", True), ("found in a0", False)):
        given = [verdict(CALLER, value("caller", note))]
        (found,) = resemblances([entry], TARGET, asked, given)
        assert (found.entry, found.unlike) == ((entry, None) if known else (None, entry))
