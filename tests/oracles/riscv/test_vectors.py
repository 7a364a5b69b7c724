"""The standard vector calling convention variant, row by row; the first rows are the document's own examples."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalable, ScalableMask, Scalar, Type
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Assignment, Passing, Register

TARGET = "riscv64-lp64d-vector"
M1, M2, M4, M8 = (Scalable(Kind.INT, 8 * lmul) for lmul in (1, 2, 4, 8))
MF2 = Scalable(Kind.INT, 4)
M1X2, M2X3, M1X8 = Scalable(Kind.INT, 8, 2), Scalable(Kind.INT, 16, 3), Scalable(Kind.INT, 8, 8)
MASK, SPARSE = ScalableMask(1), ScalableMask(64)
INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)

ROWS: list[tuple[str, tuple[Type, ...], str]] = [
    ("the document's first note", (M1, M2, M1X2), "v8; v10 v11; v12 v13"),
    ("the document's second note", (M1, M2, M1), "v8; v10 v11; v9"),
    ("a group starts at a multiple of LMUL", (M1, M4, M8), "v8; v12-v15; v16-v23"),
    ("an LMUL under 1 counts as 1", (MF2, M2, MF2), "v8; v10 v11; v9"),
    ("the first mask", (MASK, M1, SPARSE), "v0; v8; v9"),
    ("masks behind vectors", (M2, MASK, MASK), "v8 v9; v0; v10"),
    ("a tuple is consecutive", (M1, M2X3), "v8; v10-v15"),
    ("a tuple that finds no room", (M1, M8, M2X3, M1X8), "v8; v16-v23; v10-v15; &a0"),
    ("all registers taken", (M8, M8, M1, INT), "v8-v15; v16-v23; &a0; a1"),
    ("other files are as without vectors", (INT, M1, DOUBLE, M1), "a0; v8; fa0; v9"),
    ("no third m8, but a small one before it", (M8, M4, M8, M4), "v8-v15; v16-v19; &a0; v20-v23"),
]


def told(answer: Assignment) -> str:
    """Each parameter's registers in words: those in a row from first to last, an address with `&`."""
    words = []
    for passed in answer.params:
        names = [piece.place.name for piece in passed.pieces if isinstance(piece.place, Register)]
        text = " ".join(names) if len(names) < 3 else f"{names[0]}-{names[-1]}"
        words.append(f"&{text}" if passed.passing is Passing.INDIRECT else text)
    return "; ".join(words)


def assigned(result: Type | None, types: tuple[Type, ...], unnamed: tuple[Type, ...] = ()) -> Assignment:
    params = tuple(Param(f"p{number}", c_type) for number, c_type in enumerate(types))
    answer = find_model(TARGET).assign(Prototype("f", result, params, bool(unnamed), unnamed))
    assert isinstance(answer, Assignment)
    return answer


@pytest.mark.parametrize(("types", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_parameters(types: tuple[Type, ...], expected: str) -> None:
    assert told(assigned(None, types)) == expected


@pytest.mark.parametrize(
    ("result", "registers"), [(M8, 8), (M1X8, 8), (MF2, 1), (MASK, 1)], ids=["m8", "m1x8", "mf2", "mask"]
)
def test_a_result_is_where_a_first_argument_is(result: Type, registers: int) -> None:
    answer = assigned(result, (result,))
    assert answer.result is not None
    assert answer.result.pieces == answer.params[0].pieces
    assert len(answer.result.pieces) == registers
    assert answer.hidden == ()


def test_an_unnamed_vector_is_passed_by_reference() -> None:
    answer = assigned(None, (INT, M1), (M1, MASK))
    assert told(answer) == "a0; v8; &a1; &a2"
    assert answer.params[2].clause == "riscv:vector.variadic"


def test_sizes_are_those_of_registers_of_128_bits() -> None:
    sizes = [assigned(None, (c_type,)).params[0].size for c_type in (MF2, M1, M8, M2X3, MASK, SPARSE)]
    assert sizes == [8, 16, 128, 96, 16, 1]


def test_of_a_mask_only_its_elements_count() -> None:
    assert assigned(None, (SPARSE,)).params[0].mask == b"\x03"
    assert assigned(None, (ScalableMask(32),)).params[0].mask == b"\x0f"


def test_without_the_extension_there_are_no_such_types() -> None:
    answer = find_model("riscv64-lp64d").assign(Prototype("f", None, (Param("a", M1),)))
    assert not isinstance(answer, Assignment)


def test_what_is_preserved() -> None:
    from abiprobe.oracles.registry import find_target

    convention = find_target(TARGET).registers
    assert convention is not None
    kept = {item.register for item in convention.preserved if item.register.startswith("v")}
    assert kept == {f"v{number}" for number in (*range(1, 8), *range(24, 32))}
