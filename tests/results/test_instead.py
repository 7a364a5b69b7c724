"""What is seen instead of what the text asks for, in the words of entries for known deviations."""

from __future__ import annotations

import pytest

from abiprobe.oracles.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.fingerprint import Fingerprint, Symptom
from abiprobe.results.instead import fits, instead_of, open_place
from abiprobe.results.known import parse, resemblances
from abiprobe.results.place_kinds import kinds_in
from abiprobe.results.record import Difference, Judgement, Outcome, Shown, Verdict

from .test_known import ENTRY

TARGET, CLAUSE = "riscv64-lp64d", "riscv:zero"

NOTES = [
    ("found in rdi", {"general register"}),
    ("found in r10 at byte 2 and on the stack at 8", {"general register", "stack"}),
    ("found in a3", {"general register"}),
    ("found in fa3", {"floating-point register"}),
    ("found in xmm0 at byte 4", {"vector register"}),
    ("found in v7", {"vector register"}),
    ("found in v3_right", {"vector register"}),
    ("found in s2, s3", {"s register"}),
    ("found in d17", {"floating-point register"}),
    ("found in o1", {"general register"}),
    ("found in i32.p1", {"general register"}),
    ("found in f64.p1", {"floating-point register"}),
    ("found in st0", {"x87 register"}),
    ("found on the stack at -16", {"stack"}),
    ("found in x8", {"general register"}),
    ("found nowhere else", {"nowhere"}),
    ("only the bits above the value", set()),
    ("", set()),
]


@pytest.mark.parametrize(("note", "expected"), NOTES)
def test_kinds_of_places(note: str, expected: set[str]) -> None:
    assert kinds_in(note) == expected


def value(side: str, note: str, *, above: bool = False, seen: str = "01 ff ff ff") -> Difference:
    return Difference(side, "p0", "fa0", "01 00 00 00", seen, CLAUSE, note, above)


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
                Difference("caller", "p1", "memory at a0", "01", "02", CLAUSE),
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
    shown = verdict(ProbeKind.LAYOUT, Difference("object", what, "bits", expected, seen, CLAUSE))
    assert instead_of(Fingerprint(TARGET, Symptom.LAYOUT, CLAUSE), [shown]) == (words,)


def shown(*items: Shown) -> Verdict:
    return Verdict("p", ProbeKind.CALLER, Judgement.UNSPECIFIED, clause=CLAUSE, shown=items)


def apart(what: str, *items: Shown) -> Verdict:
    detail = f"{what}: gcc -O0: a1; clang -O0: f1"
    return Verdict("p", ProbeKind.OPEN, Judgement.DIFFERS, clause=CLAUSE, detail=detail, shown=items)


OPEN_PLACES = [
    ("b [0..4)", "a1[4]", "a1"),
    ("b [0..4)", "stack+8", "stack+8"),
    ("_Alignof", "64 bytes", "_Alignof 64 bytes"),
    ("__alignof__ of a.b", "2 bytes", "__alignof__ of a member 2 bytes"),
    ("_Alignof of the type of a", "2 bytes", "_Alignof of the type of a member 2 bytes"),
    ("a.b", "bit 8, 1 wide", "member bit 8, 1 wide"),
]


@pytest.mark.parametrize(("what", "at", "expected"), OPEN_PLACES)
def test_where_a_subject_has_what_no_text_decides(what: str, at: str, expected: str) -> None:
    assert open_place(what, at) == expected


def test_where_a_compiler_takes_from_what_it_puts_elsewhere() -> None:
    lost = apart("b [0..4)", Shown("b [0..4)", ("a1", "stack+8"), ("a2[4]",)))
    words = "a1 but taken from a2|stack+8 but taken from a2"
    assert instead_of(Fingerprint(TARGET, Symptom.TORN, CLAUSE), [lost]) == (words,)
    assert instead_of(Fingerprint(TARGET, Symptom.DIFFERS, CLAUSE), [lost]) == ()
    shifted = apart("b [0..1)", Shown("b [0..1)", ("a1[3]",), ("a1",)))
    assert instead_of(Fingerprint(TARGET, Symptom.TORN, CLAUSE), [shifted]) == (
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
