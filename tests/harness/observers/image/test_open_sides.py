"""Each side of an open call against its own dialect: a part is where that has it, byte by byte, or nothing is explained."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from abiprobe.harness.input.declared import declared_in_each
from abiprobe.harness.machines.executors import find as executors
from abiprobe.harness.machines.workbench import described
from abiprobe.harness.observers.ask import ask
from abiprobe.harness.observers.image.open_sides import (
    CALLEE,
    CALLER,
    PartOfSides,
    addressed,
    follow_dialects,
    has_sides,
)
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.question import WITNESSES, probe
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Located, Register, RegisterFile, StackSlot
from abiprobe.results.verdicts.locations import AtAddress, Spot
from abiprobe.results.verdicts.record import Shown, Verdict

FIRST, OTHER = (Located(Register(name), 0, RegisterFile.GENERAL) for name in ("r1", "r2"))
STACK = Located(StackSlot(8))


def byte(number: int, at: Located, taken: Located | None) -> PartOfSides:
    whence = None if taken is None else (taken,)
    return PartOfSides(f"a [{number}..{number + 1})", (at,), whence, arrived=False, is_result=False)


def part(at: Located, taken: Located | None, *, arrived: bool = False) -> PartOfSides:
    each = tuple(
        byte(number, replace(at, at=number), None if taken is None else replace(taken, at=number))
        for number in range(2)
    )
    return PartOfSides(
        "a [0..2)", (at,), None if taken is None else (taken,), arrived, is_result=False, each=each
    )


def reading(spot: Spot) -> tuple[Shown, ...]:
    return (Shown("a [0..2)", (spot,)),)


def by(caller: Spot, callee: Spot) -> dict[str, tuple[Shown, ...]]:
    return {CALLER: reading(caller), CALLEE: reading(callee)}


def test_sides_follow_their_own_dialects_though_the_part_does_not_arrive() -> None:
    assert follow_dialects([part(FIRST, STACK)], by(FIRST, STACK))
    assert not follow_dialects([part(FIRST, STACK)], by(FIRST, FIRST))
    assert not follow_dialects([part(FIRST, STACK)], by(STACK, STACK))


def test_a_lie_in_one_part_explains_nothing_of_the_others() -> None:
    right, lie = part(FIRST, STACK), replace(part(FIRST, OTHER), what="b [0..2)")
    said = {name: (*shown, Shown("b [0..2)", (STACK,))) for name, shown in by(FIRST, STACK).items()}
    assert not follow_dialects([right, lie], said)


def test_each_byte_counts_where_a_dialect_has_them_in_pieces() -> None:
    said = tuple(Shown(f"a [{number}..{number + 1})", (replace(FIRST, at=number),)) for number in range(2))
    dialects = {CALLER: said, CALLEE: said}
    assert follow_dialects([part(FIRST, FIRST)], dialects)
    moved = part(FIRST, FIRST)
    moved = replace(moved, each=(moved.each[0], byte(1, OTHER, FIRST)))
    assert not follow_dialects([moved], dialects)


def test_of_a_side_that_could_not_be_asked_only_an_arrival_tells() -> None:
    assert follow_dialects([part(FIRST, None, arrived=True)], by(FIRST, FIRST))
    assert not follow_dialects([part(FIRST, None, arrived=False)], by(FIRST, FIRST))
    assert not follow_dialects([part(FIRST, None, arrived=True)], by(FIRST, STACK))


def test_a_result_is_put_by_the_callee() -> None:
    result = replace(part(STACK, FIRST), is_result=True)
    assert follow_dialects([result], by(FIRST, STACK))
    assert not follow_dialects([result], by(STACK, FIRST))


def test_nothing_is_explained_where_no_dialect_says_anything() -> None:
    assert not follow_dialects([part(FIRST, FIRST)], {CALLER: (), CALLEE: ()})
    assert not follow_dialects([], by(FIRST, FIRST))


def test_the_callee_gets_addresses_where_its_own_dialect_has_some() -> None:
    dialects = by(AtAddress(FIRST), AtAddress(STACK))
    assert has_sides(dialects)
    assert addressed(dialects) == {STACK}
    assert not has_sides({"gcc": (), "clang": ()})


# Of a result in memory, a program that dies tells no more than where its address was.
DIES = [
    (
        "x86_64-windows-gnu",
        (
            "void f(int n, ...);"
            "static void calls_f(void) { f(*(int *)0, *(__int128 __attribute__((vector_size(16))) *)0, *(int *)0); }"
        ),
        "clang's va_arg goes by the size of an argument alone under ms_abi",
    ),
    (
        "sparc-sysv",
        (
            "struct Z { double a; char : 0; }; struct S { int a; }; struct S f(struct Z a, ...);"
            "static void calls_f(void) { f(*(struct Z *)0, *(long double *)0, *(struct S *)0); }"
        ),
        "clang 22 and 23 take an unnamed long double of 32-bit SPARC from the words of arguments",
    ),
    (
        "wasm32",
        (
            "struct S { int a; int b; }; void f(int n, ...);"
            "static void calls_f(void) { f(1, *(struct S *)0, *(int *)0, *(_BitInt(128) *)0, *(struct S *)0); }"
        ),
        "clang's va_arg on WebAssembly aligns a _BitInt of more than 64 bits to 8",
    ),
]


def shown(target: str, text: str) -> Verdict:
    """What clang 22 shows of the open call of `f`."""
    about, subject = find_target(target), "clang-22"
    if build(parse_subject(subject), about, "O0") is None:
        pytest.skip(f"{subject} is not installed")
    here, _ = described(about)
    if not executors.find(here.name, here.vectors):
        pytest.skip(f"nothing here runs {here.name} programs")
    question = next(one for one in declared_in_each([text], about)[0].functions if one.name == "f")
    (found,) = ask(about, [question], [(subject, "O0")], tuple(WITNESSES.values())).values()
    (verdict,) = (one for one in found[probe(question).id] if one.shown)
    return verdict


@pytest.mark.parametrize(("target", "text", "quirk"), DIES, ids=lambda value: value.split()[0])
def test_a_callee_that_dies_of_a_known_bug_is_known(target: str, text: str, quirk: str) -> None:
    verdict = shown(target, text)
    assert "the program dies" in str(verdict.shown)
    assert quirk in verdict.quirks


def test_a_callee_of_sparc_finds_behind_the_call_what_its_caller_puts_there() -> None:
    verdict = shown(
        "sparc-sysv", "struct Z { double a; char : 0; }; struct S { int a; }; struct S f(struct Z a, int b);"
    )
    assert {one.what for one in verdict.shown if one.at} == {
        "a [0..4)",
        "a [4..8)",
        "b [0..4)",
        "result [0..4)",
    }


def test_a_callee_of_webassembly_finds_addresses_in_the_buffer() -> None:
    verdict = shown(
        "wasm32",
        "struct S { int a; int b; }; void f(int n, ...);"
        "static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }",
    )
    places = {one.what: one.at for one in verdict.shown}
    assert AtAddress(Located(StackSlot(0))) in places["...0 [0..4)"]
    assert AtAddress(Located(Register("i32.p1"), 0, RegisterFile.GENERAL), 4) in places["...1 [0..4)"]
