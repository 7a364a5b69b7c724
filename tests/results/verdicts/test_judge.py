"""Prediction against observation: only what the text defines counts, and nothing is not an agreement."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from abiprobe.oracles.engine.expect import Expected, contents
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import (
    Extension,
    Layout,
    Located,
    MemberAlignment,
    MemberPlace,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
    RegisterFile,
    StackSlot,
)
from abiprobe.results.verdicts.judge import judge_callee, judge_caller, judge_layout, judge_result
from abiprobe.results.verdicts.observations import Frame, ObservedCallee, ObservedCaller, Turn, View
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from abiprobe.results.verdicts.wording import note_text, value_text, where_text

SLOTS: Mapping[str, tuple[int, int]] = {"a0": (0, 8), "a1": (8, 8), "a2": (16, 8)}
FILES = dict.fromkeys(SLOTS, RegisterFile.GENERAL)
A0, A1 = Register("a0"), Register("a1")
LONG = bytes(range(0x10, 0x18))
OTHER = bytes(range(0x20, 0x28))
NOISE = b"\xee" * 8


def direct(
    *pieces: Piece, name: str = "a", size: int = 8, mask: bytes = b"", passing: Passing = Passing.DIRECT
) -> Passed:
    return Passed(name, "T", passing, pieces, "own", size, 8, mask or b"\xff" * size)


def piece(
    place: Place, start: int = 0, end: int = 8, extension: Extension | None = None, clause: str = "place"
) -> Piece:
    return Piece(start, end, place, clause, extension, 8, "extend" if extension else "")


def frame(a0: bytes = NOISE, a1: bytes = NOISE, a2: bytes = NOISE, stack: bytes = b"") -> Frame:
    return Frame(a0 + a1 + a2, SLOTS, FILES, stack, 0)


def turn(passed: tuple[Passed, ...], values: tuple[bytes, ...]) -> Turn:
    """One turn with these arguments, which C sees as they are."""
    places = tuple(
        contents(one, value) if one.passing is Passing.DIRECT else ()
        for one, value in zip(passed, values, strict=True)
    )
    views = tuple(view(one, value) for one, value in zip(passed, values, strict=True))
    return Turn(values, places, views, None, (), None)


def view(passed: Passed, value: bytes) -> View:
    return View(int.from_bytes(value, "little"), int.from_bytes(passed.mask, "little"), len(value), 0)


def result_turn(passed: Passed, value: bytes) -> Turn:
    places: tuple[Expected, ...] = contents(passed, value) if passed.passing is Passing.DIRECT else ()
    return Turn((), (), (), value, places, view(passed, value))


def caller(seen: Frame, *memory: bytes | None, result: bytes = b"") -> ObservedCaller:
    return ObservedCaller(seen, memory or (None,) * 4, result, result_stored=True)


def callee(
    *params: bytes, left: Frame | None = None, memory: bytes = b"", address: int = 0
) -> ObservedCallee:
    return ObservedCallee(params, left or frame(), memory, address.to_bytes(8, "little"))


def asked(passed: Passed, value: bytes, seen: Frame, *memory: bytes | None) -> Verdict:
    """The verdict on a caller of a function with one parameter."""
    return judge_caller("p", (passed,), ((turn((passed,), (value,)), caller(seen, *memory)),))


def differences(verdict: Verdict) -> list[tuple[str, str, str, bool]]:
    return [(item.what, where_text(item.place), item.clause, item.above) for item in verdict.differences]


IN_A0 = direct(piece(A0))
SHORT = direct(piece(A0, 0, 2, Extension.SIGN), size=2)
UNDEFINED = direct(piece(A0, 0, 2, Extension.ANY), size=2)
PADDED = direct(piece(A0), mask=b"\xff\0\0\0\xff\xff\xff\xff")
ON_STACK = direct(piece(StackSlot(8)))
SPLIT = direct(piece(A0), piece(StackSlot(0), 8, 16), size=16)
NEGATIVE = b"\x34\x92"

CALLERS = [
    ("where the text puts it", IN_A0, LONG, frame(LONG), []),
    ("elsewhere", IN_A0, LONG, frame(a1=LONG), [("a", "a0", "place", False)]),
    ("sign-extended", SHORT, NEGATIVE, frame(NEGATIVE + b"\xff" * 6), []),
    ("zero-extended", SHORT, NEGATIVE, frame(NEGATIVE + bytes(6)), [("a", "a0", "extend", True)]),
    ("wrong and extended", SHORT, NEGATIVE, frame(b"\x35\x92" + bytes(6)), [("a", "a0", "place", False)]),
    ("undefined above", UNDEFINED, NEGATIVE, frame(NEGATIVE + NOISE[:6]), []),
    ("padding differs", PADDED, LONG, frame(b"\x10\xee\xee\xee\x14\x15\x16\x17"), []),
    ("beside padding", PADDED, LONG, frame(LONG[:7] + b"\0"), [("a", "a0", "place", False)]),
    ("on the stack", ON_STACK, LONG, frame(stack=NOISE + LONG), []),
    ("beyond the stack seen", ON_STACK, LONG, frame(stack=NOISE), [("a", "stack+8", "place", False)]),
    ("split", SPLIT, LONG + OTHER, frame(LONG, stack=OTHER), []),
    (
        "second half elsewhere",
        SPLIT,
        LONG + OTHER,
        frame(LONG, OTHER, stack=NOISE),
        [("a", "stack+0", "place", False)],
    ),
]


@pytest.mark.parametrize(
    ("passed", "value", "seen", "expected"), [row[1:] for row in CALLERS], ids=[row[0] for row in CALLERS]
)
def test_a_direct_argument(
    passed: Passed, value: bytes, seen: Frame, expected: list[tuple[str, str, str, bool]]
) -> None:
    verdict = asked(passed, value, seen)
    assert differences(verdict) == expected
    assert verdict.verdict is (Judgement.DEVIATES if expected else Judgement.AGREES)
    assert verdict.clause == (expected[0][2] if expected else "")


FOUND = [
    (frame(a1=LONG), "found in a1"),
    (frame(a1=b"\0" + LONG[:7], a2=LONG), "found in a2"),
    (frame(stack=NOISE + LONG), "found on the stack at 8"),
    (frame(), "found nowhere else"),
    (frame(a1=LONG, stack=NOISE + LONG), "found in a1 and on the stack at 8"),
]


@pytest.mark.parametrize(("seen", "note"), FOUND)
def test_a_misplaced_value_is_looked_for(seen: Frame, note: str) -> None:
    (difference,) = asked(IN_A0, LONG, seen).differences
    assert note_text(difference.note) == note


def test_a_value_too_short_to_be_recognised_is_not_looked_for() -> None:
    (difference,) = asked(SHORT, NEGATIVE, frame(a1=NEGATIVE + bytes(6))).differences
    assert difference.note is None


REFERENCE = direct(piece(A0), mask=b"\xff" * 7 + b"\0", passing=Passing.INDIRECT)
MEMORIES = [
    (LONG, Judgement.AGREES, ""),
    (LONG[:7] + b"\xee", Judgement.AGREES, ""),
    (b"\xee" + LONG[1:], Judgement.DEVIATES, "ee 11 12 13 14 15 16 .."),
    (None, Judgement.DEVIATES, "no address of the caller's"),
]


@pytest.mark.parametrize(("memory", "judgement", "seen"), MEMORIES)
def test_an_indirect_argument(memory: bytes | None, judgement: Judgement, seen: str) -> None:
    verdict = asked(REFERENCE, LONG, frame(), memory)
    assert verdict.verdict is judgement
    assert [(where_text(item.place), value_text(item.seen), item.clause) for item in verdict.differences] == (
        [("memory at a0", seen, "own")] if seen else []
    )


EMPTY = direct(size=0, passing=Passing.IGNORED)


def test_where_nothing_travels_nothing_agrees() -> None:
    blank = turn((EMPTY,), (b"",))
    verdicts = [
        judge_caller("p", (EMPTY,), ((blank, caller(frame())),)),
        judge_callee("p", (EMPTY,), ((blank, callee(b"")),)),
        judge_caller("p", (), ((turn((), ()), caller(frame())),)),
        judge_result("p", EMPTY, (), ()),
    ]
    assert {(verdict.verdict, verdict.outcome) for verdict in verdicts} == {
        (Judgement.UNOBSERVED, Outcome.NOTHING)
    }


def test_an_ignored_argument_beside_others_is_no_obstacle() -> None:
    both = (EMPTY, IN_A0)
    verdict = judge_caller("p", both, ((turn(both, (b"", LONG)), caller(frame(LONG))),))
    assert verdict.verdict is Judgement.AGREES


def test_without_a_single_turn_nothing_agrees() -> None:
    verdicts = [
        judge_caller("p", (IN_A0,), ()),
        judge_callee("p", (IN_A0,), ()),
        judge_result("p", IN_A0, (), ()),
    ]
    assert Judgement.AGREES not in {verdict.verdict for verdict in verdicts}


def test_a_value_of_which_no_bit_counts_does_not_agree() -> None:
    blank = direct(piece(A0), mask=bytes(8))
    both = ((turn((blank,), (LONG,)), caller(frame(LONG))),)
    verdicts = [
        judge_caller("p", (blank,), both),
        judge_callee("p", (blank,), ((both[0][0], callee(LONG)),)),
        judge_result("p", blank, (), ((result_turn(blank, LONG), callee(left=frame(LONG))),)),
    ]
    assert Judgement.AGREES not in {verdict.verdict for verdict in verdicts}


def test_the_second_turn_alone_can_tell() -> None:
    turns = (
        (turn((SHORT,), (b"\x01\x02",)), caller(frame(b"\x01\x02" + bytes(6)))),
        (turn((SHORT,), (NEGATIVE,)), caller(frame(NEGATIVE + bytes(6)))),
    )
    assert differences(judge_caller("p", (SHORT,), turns)) == [("a", "a0", "extend", True)]


def test_two_turns_tell_the_same_difference_once() -> None:
    once = (turn((IN_A0,), (LONG,)), caller(frame()))
    assert len(judge_caller("p", (IN_A0,), (once, once)).differences) == 1


def test_a_byte_that_is_right_by_chance_in_one_turn_does_not_change_which_value_is_misplaced_first() -> None:
    both = (SHORT, direct(piece(A1), name="b"))
    first, second = turn(both, (b"\x01\x02", LONG)), turn(both, (b"\x03\x04", LONG))
    by_chance, not_again = frame(b"\x01\x02" + bytes(6)), frame(b"\x01\x02" + bytes(6))
    verdict = judge_caller("p", both, ((first, caller(by_chance)), (second, caller(not_again))))
    assert [item.what for item in verdict.differences] == ["a", "b"]
    read = ((first, callee(b"\x01\x02", OTHER)), (second, callee(b"\x01\x02", OTHER)))
    assert [item.what for item in judge_callee("p", both, read).differences] == ["a", "b"]


def test_a_value_that_is_right_by_chance_in_one_turn_is_misplaced_and_not_only_wrong_above() -> None:
    turns = (
        (turn((SHORT,), (NEGATIVE,)), caller(frame(NEGATIVE + bytes(6)))),
        (turn((SHORT,), (b"\x01\x02",)), caller(frame(NEGATIVE + bytes(6)))),
    )
    assert differences(judge_caller("p", (SHORT,), turns)) == [("a", "a0", "place", False)]


def test_a_callee_that_reads_elsewhere() -> None:
    both = (IN_A0, direct(piece(A1), name="b"))
    asked_turn = turn(both, (LONG, OTHER))
    verdict = judge_callee("p", both, ((asked_turn, callee(OTHER, LONG)),))
    assert differences(verdict) == [("a", "a0", "place", False), ("b", "a1", "place", False)]
    assert judge_callee("p", both, ((asked_turn, callee(LONG, OTHER)),)).verdict is Judgement.AGREES


def test_the_half_that_is_wrong_names_the_clause() -> None:
    halves = direct(piece(A0), piece(StackSlot(0), 8, 16, clause="split"), size=16)
    verdict = judge_callee("p", (halves,), ((turn((halves,), (LONG + OTHER,)), callee(LONG + NOISE)),))
    assert verdict.clause == "split"


RELIED_ON = direct(piece(A0, 0, 2, Extension.ANY), size=2)
WIDENED = [
    (NEGATIVE + b"\xff" * 6, []),
    (NEGATIVE + bytes(6), [("a", "a0", "extend", True)]),
    (b"\x35\x92" + b"\xff" * 6, [("a", "a0", "place", False)]),
]


@pytest.mark.parametrize(("read", "expected"), WIDENED)
def test_a_callee_that_relies_on_undefined_bits(
    read: bytes, expected: list[tuple[str, str, str, bool]]
) -> None:
    narrow = View(int.from_bytes(NEGATIVE + b"\xff" * 6, "little"), (1 << 64) - 1, 8, 0xFFFF)
    asked_turn = msgspec.structs.replace(turn((RELIED_ON,), (NEGATIVE,)), views=(narrow,))
    verdict = judge_callee("p", (RELIED_ON,), ((asked_turn, callee(read)),))
    assert differences(verdict) == expected


RESULTS = [
    (LONG, LONG, []),
    (NOISE, LONG, ["callee"]),
    (LONG, NOISE, ["caller"]),
    (NOISE, NOISE, ["callee", "caller"]),
]


@pytest.mark.parametrize(("left", "read", "sides"), RESULTS)
def test_a_result_is_compared_on_either_side(left: bytes, read: bytes, sides: list[str]) -> None:
    result = direct(piece(A0), name="")
    asked_turn = result_turn(result, LONG)
    verdict = judge_result(
        "p",
        result,
        ((asked_turn, caller(frame(), result=read)),),
        ((asked_turn, callee(left=frame(left))),),
    )
    assert verdict.kind is ProbeKind.RESULT
    assert [item.side for item in verdict.differences] == sides
    assert {item.what for item in verdict.differences} <= {"result"}


ADDRESS = 0x20_1000
IN_MEMORY = [
    (LONG, ADDRESS, []),
    (LONG[:7] + b"\xee", ADDRESS, []),
    (NOISE, ADDRESS, [("result", "memory")]),
    (LONG, ADDRESS + 8, [("address of the result", "a0")]),
]


@pytest.mark.parametrize(("memory", "returned", "expected"), IN_MEMORY)
def test_a_result_in_memory_and_its_address(
    memory: bytes, returned: int, expected: list[tuple[str, str]]
) -> None:
    asked_turn = result_turn(REFERENCE, LONG)
    left = frame(returned.to_bytes(8, "little"))
    seen = ((asked_turn, callee(left=left, memory=memory, address=ADDRESS)),)
    verdict = judge_result("p", REFERENCE, (), seen)
    assert [(item.what, where_text(item.place)) for item in verdict.differences] == expected


LAYOUT = Layout(
    16,
    8,
    (MemberPlace("a", 0, 32, "first"), MemberPlace("b", 35, 7, "bits", bit_field=True)),
    "record",
)
LAYOUTS = [
    (16, 8, {"a": (0, 32), "b": (35, 7)}, []),
    (16, 8, {"a": (0, 32)}, []),
    (24, 8, {"a": (0, 32), "b": (35, 7)}, [("sizeof", "record")]),
    (16, 4, {"a": (0, 32), "b": (35, 7)}, [("_Alignof", "record")]),
    (16, 8, {"a": (0, 32), "b": (40, 7)}, [("b", "bits")]),
    (16, 8, {"a": (0, 32), "b": (35, 6)}, [("b", "bits")]),
    (16, 8, {"a": (0, 32), "b": (-1, 9)}, [("b", "bits")]),
    (24, 8, {"a": (32, 32), "b": (40, 7)}, [("a", "first"), ("b", "bits"), ("sizeof", "record")]),
]


@pytest.mark.parametrize(("size", "align", "places", "expected"), LAYOUTS)
def test_a_layout(
    size: int, align: int, places: dict[str, tuple[int, int]], expected: list[tuple[str, str]]
) -> None:
    verdict = judge_layout("p", LAYOUT, size, align, places)
    assert [(item.what, item.clause) for item in verdict.differences] == expected
    assert verdict.verdict is (Judgement.DEVIATES if expected else Judgement.AGREES)


TELLING = MemberAlignment("a", 4, "type", Scalar(Kind.INT))
OF_MEMBER = MemberAlignment("a", 2, "member")
ALIGNMENTS = [
    (16, [(TELLING, 4), (OF_MEMBER, 2)], []),
    (16, [(TELLING, 8), (OF_MEMBER, 2)], [("_Alignof of the type of a", "type")]),
    (16, [(TELLING, 4), (OF_MEMBER, 4)], [("__alignof__ of a", "member")]),
    (24, [(TELLING, 8), (OF_MEMBER, 4)], [("sizeof", "record")]),
]


@pytest.mark.parametrize(("size", "alignments", "expected"), ALIGNMENTS)
def test_alignments_of_members(
    size: int, alignments: list[tuple[MemberAlignment, int]], expected: list[tuple[str, str]]
) -> None:
    verdict = judge_layout("p", LAYOUT, size, 8, {"a": (0, 32), "b": (35, 7)}, alignments)
    assert [(item.what, item.clause) for item in verdict.differences] == expected


def test_a_value_may_begin_inside_what_looks_like_it() -> None:
    wanted = bytes(range(16)) + b"\0"
    frame = Frame(b"", {}, {}, b"\xff" * 4 + bytes(range(16)) * 3, 0)
    assert list(frame.holders(wanted)) == [Located(StackSlot(4)), Located(StackSlot(20))]
