"""The blame for arguments that are one place further on falls on what moved them."""

from __future__ import annotations

import pytest
from laboratory import said

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Passed, Passing, Piece, Register, StackSlot
from abiprobe.results.verdicts.locations import kinds, places_of
from abiprobe.results.verdicts.notes import Found, Shifted
from abiprobe.results.verdicts.record import Difference, from_differences
from abiprobe.results.verdicts.shifting import blame_shifts

EMPTY = Passed("p0", "struct {}", Passing.IGNORED, (), "riscv:int.empty", 0, 1, b"")
RESULT = Passed("", "struct S", Passing.INDIRECT, (), "riscv:int.result-memory", 24, 8, b"\xff" * 24)


def word(name: str, register: str) -> Passed:
    piece = Piece(0, 8, Register(register), "riscv:int.scalar")
    return Passed(name, "long", Passing.DIRECT, (piece,), "riscv:int.scalar", 8, 8, b"\xff" * 8)


def seen(place: str, note: str, *, above: bool = False) -> Difference:
    return said.difference("caller", "p1", place, "10", "20", "riscv:int.scalar", note, above)


FIRST = (EMPTY, word("p1", "a0"))
CASES = (
    (FIRST, None, seen("a0", "found in a1"), "riscv:int.empty"),
    (FIRST, None, seen("stack+0", "found on the stack at 8"), "riscv:int.empty"),
    ((word("p0", "a0"), word("p1", "a1")), RESULT, seen("a1", "found in a0"), "riscv:int.result-memory"),
    (FIRST, RESULT, seen("a1", "found in a0"), "riscv:int.result-memory"),
    # a value in a place of another kind was not shifted
    (FIRST, None, seen("a0", "found in fa0"), "riscv:int.scalar"),
    (FIRST, None, seen("a0", "found nowhere else"), "riscv:int.scalar"),
    (FIRST, None, seen("a0", ""), "riscv:int.scalar"),
    (FIRST, None, seen("fa0, a0", "found in a1"), "riscv:int.scalar"),
    (FIRST, None, seen("fa0, a0", "found in fa1"), "riscv:int.empty"),
    (FIRST, None, seen("a7, stack+0", "found on the stack at 0"), "riscv:int.empty"),
    # nor was one that is whole in a register that the text gives a part of it
    (FIRST, None, seen("a0, fa0", "found in a0 at byte 4"), "riscv:int.scalar"),
    # what is without bytes moves nothing to an earlier place
    (FIRST, None, seen("stack+24", "found in rdx and on the stack at 16"), "riscv:int.scalar"),
    (FIRST, None, seen("stack+24", "found on the stack at 16 and on the stack at 32"), "riscv:int.empty"),
    # nor does what has a value of the same kind behind it in its place
    ((EMPTY, word("p2", "a0"), word("p1", "a1")), None, seen("a1", "found in a2"), "riscv:int.scalar"),
    ((EMPTY, word("p2", "fa0"), word("p1", "a0")), None, seen("a0", "found in a1"), "riscv:int.empty"),
    # nor was one that begins where the text has it
    (
        FIRST,
        None,
        said.difference("caller", "p1", "a0, fa0", "70 78", "70 80", "riscv:int.scalar", "found in a1"),
        "riscv:int.scalar",
    ),
    # bits above a value move nothing
    (FIRST, None, seen("a0", "only the bits above the value", above=True), "riscv:int.scalar"),
    # nothing is before it, or something that shows by itself
    ((word("p0", "a0"), word("p1", "a1")), None, seen("a1", "found in a2"), "riscv:int.scalar"),
    ((word("p1", "a0"), EMPTY), None, seen("a0", "found in a1"), "riscv:int.scalar"),
)


@pytest.mark.parametrize(("arguments", "result", "difference", "clause"), CASES)
def test_the_clause_of_what_moves_an_argument_is_blamed(
    arguments: tuple[Passed, ...], result: Passed | None, difference: Difference, clause: str
) -> None:
    verdict = from_differences("id", ProbeKind.CALLER, (difference,))
    misread = {"caller"} if result is not None else set()
    found = blame_shifts(verdict, arguments, result, misread, said.FILES)
    assert found.clause == clause
    # Where it was found does not say where the value of the broken clause is.
    if clause == "riscv:int.scalar":
        assert found.differences == (difference,)
    else:
        assert isinstance(difference.note, Found)
        assert found.differences[0].note == Shifted("riscv:int.scalar", difference.note)


@pytest.mark.parametrize(
    ("read", "clause"),
    [
        # The caller left a copy in a register on the way to the stack, where the callee looks for the value.
        ("found on the stack at 8", "riscv:int.scalar"),
        ("found in a1", "riscv:int.empty"),
        ("found nowhere else", "riscv:int.empty"),
        ("", "riscv:int.empty"),
    ],
)
def test_a_copy_left_in_a_register_is_no_shift(read: str, clause: str) -> None:
    passed = seen("a0", "found in a1 and on the stack at 8")
    verdict = from_differences("id", ProbeKind.CALLER, (passed,))
    taken = said.difference("callee", "p1", "a0", "10", "20", "riscv:int.scalar", read)
    assert blame_shifts(verdict, FIRST, None, (), said.FILES, lambda: (passed, taken)).clause == clause


def test_a_result_misread_on_the_other_side_moves_nothing() -> None:
    verdict = from_differences("id", ProbeKind.CALLER, (seen("a1", "found in a0"),))
    arguments = (word("p0", "a0"), word("p1", "a1"))
    assert blame_shifts(verdict, arguments, RESULT, {"callee"}, said.FILES) == verdict


@pytest.mark.parametrize(
    ("note", "other", "clause"),
    [
        # A char is too short to be recognised; the address behind it tells that everything is one register further on.
        ("", "found in a2", "riscv:int.empty"),
        ("", "found nowhere else", "riscv:int.scalar"),
        ("", "", "riscv:int.scalar"),
        ("found nowhere else", "found in a2", "riscv:int.scalar"),
    ],
)
def test_what_is_too_short_to_be_recognised_is_where_the_next_one_is(
    note: str, other: str, clause: str
) -> None:
    short = said.difference("caller", "p1", "a0", "10 .. ..", "20 .. ..", "riscv:int.scalar", note)
    behind = said.difference("caller", "p2", "a1", "30", "40", "riscv:int.scalar", other)
    verdict = from_differences("id", ProbeKind.CALLER, (short, behind))
    arguments = (EMPTY, word("p1", "a0"), word("p2", "a1"))
    assert blame_shifts(verdict, arguments, None, (), said.FILES).clause == clause


WIDE = Passed(
    "p0",
    "v32",
    Passing.DIRECT,
    (Piece(0, 32, Register("ymm0"), "x86_64:pass.sseup"),),
    "x86_64:pass.sseup",
    32,
    32,
    b"\xff" * 32,
)
FIRST_ON_STACK = Passed(
    "p1",
    "struct S",
    Passing.DIRECT,
    (Piece(0, 8, StackSlot(0), "x86_64:pass.memory"),),
    "x86_64:pass.memory",
    8,
    8,
    b"\xff" * 8,
)


@pytest.mark.parametrize(
    ("place", "read", "found", "clause"),
    [
        # The caller has left a copy in the register that the text asks for; the callee looks on the stack, as the caller does.
        ("ymm0", "found on the stack at 0", "found on the stack at 32", "x86_64:pass.sseup"),
        # What is large is too far on to be found.
        ("ymm0", "found on the stack at 0", "found nowhere else", "x86_64:pass.sseup"),
        ("ymm0", "found in ymm1", "found nowhere else", "x86_64:pass.memory"),
        # What the callee takes from another register has no place on the stack that could move others,
        ("ymm0", "found in ymm1", "found on the stack at 32", "x86_64:pass.memory"),
        # nor has what is there by the text more of them than it should,
        ("stack+8", "found on the stack at 0", "found on the stack at 32", "x86_64:pass.memory"),
        # and nothing more on the stack moves what follows to an earlier place.
        ("ymm0", "found on the stack at 0", "found in rax", "x86_64:pass.memory"),
    ],
)
def test_what_only_the_callee_shows_to_be_on_the_stack_moves_what_follows_there(
    place: str, read: str, found: str, clause: str
) -> None:
    passed = said.difference("caller", "p1", "stack+0", "10", "20", "x86_64:pass.memory", found)
    taken = said.difference("callee", "p0", place, "30", "40", "x86_64:pass.sseup", read)
    verdict = from_differences("id", ProbeKind.CALLER, (passed,))
    assert (
        blame_shifts(verdict, (WIDE, FIRST_ON_STACK), None, (), said.FILES, lambda: (passed, taken)).clause
        == clause
    )


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("a0", {"general register"}),
        ("memory at a0", {"general register"}),
        ("memory at stack+8", {"stack"}),
        ("fa0, a0", {"floating-point register", "general register"}),
        ("a7, stack+0", {"general register", "stack"}),
        ("memory", set()),
    ],
)
def test_kinds_of_places(place: str, expected: set[str]) -> None:
    assert {kind.value for kind in kinds(places_of(said.where(place)))} == expected
