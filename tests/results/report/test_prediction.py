"""The JSON of a prediction, whole, for calls that reach the corners of both conventions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings

from abiprobe.generators.prototypes import prototypes
from abiprobe.oracles.language.lang import (
    Array,
    BitInt,
    Complex,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
)
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Assignment, Piece
from abiprobe.results.report.prediction import prediction

CHAR, INT, LONG = Scalar(Kind.CHAR), Scalar(Kind.INT), Scalar(Kind.LONG)
FLOAT, DOUBLE, LDOUBLE = Scalar(Kind.FLOAT), Scalar(Kind.DOUBLE), Scalar(Kind.LDOUBLE)
UINT = Scalar(Kind.UINT)
RISCV, X86 = "riscv64-lp64d", "x86_64-sysv"
TARGETS = (RISCV, X86)

BIG = Record("Big", tuple(Member(LONG, name) for name in "abcde"))
REALS = Record("S", (Member(FLOAT, "a"), Member(INT, width=0), Member(FLOAT, "b")))
REAL_AND_BITS = Record("Mixed", (Member(DOUBLE, "d"), Member(INT, "x", width=5)))
FIELDS = Record(
    "Fields",
    (Member(CHAR, "c"), Member(UINT, "x", width=3), Member(INT, width=5), Member(INT, "y", width=30)),
)
EITHER = Record("Either", (Member(INT, "i"), Member(Record("", (Member(DOUBLE, "d"),)))), union=True)
EMPTY = Record("Empty", ())
PADDED = Record("Padded", (Member(INT, width=7), Member(DOUBLE, "d")))


def function(target: str, result: Any, *types: Any, **more: Any) -> dict[str, Any]:
    """The prediction for one function, whose parameters are called `p0`, `p1`, ..."""
    params = tuple(Param(f"p{index}", c_type) for index, c_type in enumerate(types))
    answer: Any = prediction(target, find_model(target), (), (Prototype("f", result, params, **more),))
    assert answer["schema"] == 2
    assert answer["target"] == target
    assert answer["records"] == {}
    body: dict[str, Any] = answer["functions"]["f"]
    return body


def record(target: str, value: Record) -> dict[str, Any]:
    answer: Any = prediction(target, find_model(target), (value,), ())
    assert answer["functions"] == {}
    body: dict[str, Any] = answer["records"][f"{value.keyword} {value.tag}"]
    return body


def piece(start: int, end: int, at: str | int, clause: str, **more: Any) -> dict[str, Any]:
    """One piece, in a register (a name) or on the stack (an offset)."""
    place = {"stack" if isinstance(at, int) else "reg": at, "at": more.pop("begins", 0)}
    return {"bytes": [start, end], **place, **more, "clause": clause}


def direct(name: str, spelling: str, *pieces: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "type": spelling, "passing": "direct", "pieces": list(pieces)}


def test_lp64d_runs_out_of_integer_registers() -> None:
    answer = function(RISCV, BIG, *[LONG] * 7, Scalar(Kind.INT128), BIG, REALS)
    pointer = piece(0, 8, "a0", "riscv:int.result-memory")
    assert answer == {
        "params": [
            *(direct(f"p{i}", "long", piece(0, 8, f"a{i + 1}", "riscv:int.scalar")) for i in range(7)),
            direct("p7", "__int128", piece(0, 16, 0, "riscv:int.scalar-pair")),
            {
                "name": "p8",
                "type": "struct Big",
                "passing": "indirect",
                "pieces": [piece(0, 8, 16, "riscv:int.aggregate-reference")],
            },
            direct(
                "p9",
                "struct S",
                piece(0, 4, "fa0", "riscv:fp.flatten-zero-width", extension="nan-box"),
                piece(4, 8, "fa1", "riscv:fp.flatten-zero-width", extension="nan-box"),
            ),
        ],
        "result": {"type": "struct Big", "passing": "indirect", "pieces": []},
        "hidden": [{"role": "result pointer", "pieces": [pointer]}],
        "stack_bytes": 24,
        "variants": [],
    }


def test_sysv_runs_out_of_integer_registers() -> None:
    answer = function(X86, BIG, *[LONG] * 7, Scalar(Kind.INT128), BIG)
    registers = ("rsi", "rdx", "rcx", "r8", "r9")
    memory = "x86_64:result.memory"
    assert answer == {
        "params": [
            *(
                direct(f"p{i}", "long", piece(0, 8, name, "x86_64:pass.integer"))
                for i, name in enumerate(registers)
            ),
            direct("p5", "long", piece(0, 8, 8, "x86_64:pass.whole")),
            direct("p6", "long", piece(0, 8, 16, "x86_64:pass.whole")),
            direct("p7", "__int128", piece(0, 16, 24, "x86_64:pass.whole")),
            direct("p8", "struct Big", piece(0, 40, 40, "x86_64:pass.memory")),
        ],
        "result": {"type": "struct Big", "passing": "indirect", "pieces": [piece(0, 8, "rax", memory)]},
        "hidden": [{"role": "result pointer", "pieces": [piece(0, 8, "rdi", memory)]}],
        "stack_bytes": 72,
        "variants": [],
    }


@pytest.mark.parametrize(
    ("target", "result", "pieces"),
    [
        (RISCV, Complex(Kind.FLOAT), [("fa0", 0, 4, "nan-box"), ("fa1", 4, 8, "nan-box")]),
        (RISCV, DOUBLE, [("fa0", 0, 8, None)]),
        (RISCV, LDOUBLE, [("a0", 0, 8, None), ("a1", 8, 16, None)]),
        (RISCV, UINT, [("a0", 0, 4, "sign")]),
        (RISCV, BitInt(37), [("a0", 0, 8, "sign")]),
        (RISCV, BitInt(64), [("a0", 0, 8, None)]),
        (RISCV, EMPTY, []),
        (X86, Complex(Kind.FLOAT), [("xmm0", 0, 8, "any")]),
        (X86, LDOUBLE, [("st0", 0, 10, None)]),
        (X86, Complex(Kind.LDOUBLE), [("st0", 0, 10, None), ("st1", 16, 26, None)]),
        (X86, BitInt(37), [("rax", 0, 8, "any")]),
        (X86, BitInt(100), [("rax", 0, 8, None), ("rdx", 8, 16, "any")]),
        (X86, EITHER, [("rax", 0, 8, None)]),
    ],
)
def test_result(target: str, result: Any, pieces: list[tuple[Any, ...]]) -> None:
    found = function(target, result)["result"]["pieces"]
    assert [(item["reg"], *item["bytes"], item.get("extension")) for item in found] == pieces


@pytest.mark.parametrize(
    ("target", "register", "begins"), [("sparc64", "o0", 0), ("powerpc64-elfv1", "r3", 4)]
)
def test_a_value_says_where_in_its_register_it_begins(target: str, register: str, begins: int) -> None:
    word = Record("Word", (Member(Array(CHAR, 4), "c"),))
    ((found,),) = (one["pieces"] for one in function(target, None, word)["params"])
    assert (found["reg"], found["at"], found["bytes"]) == (register, begins, [0, 4])


def test_a_float_says_that_its_register_holds_a_double() -> None:
    ((found,),) = (one["pieces"] for one in function("powerpc64-elfv1", None, FLOAT)["params"])
    assert (found["reg"], found["form"]) == ("f1", "double")


def test_a_literal_reading_is_told_where_the_text_is_taken_to_be_silent() -> None:
    padded = Record("Padded", (Member(FLOAT, "a", align=8),))
    assert "literal" in function("s390x", None, padded)["unspecified"]


def test_a_lone_bit_field_says_which_bits_it_holds() -> None:
    rule = "riscv:fp.real-and-integer"
    assert function(RISCV, None, REAL_AND_BITS)["params"] == [
        direct(
            "p0",
            "struct Mixed",
            piece(0, 8, "fa0", rule),
            {"bits": [64, 69], "reg": "a0", "at": 0, "extension": "any", "clause": rule},
        )
    ]


def test_nothing_travels_for_an_empty_struct_or_a_void_result() -> None:
    answer = function(RISCV, None, EMPTY)
    assert answer["result"] is None
    assert answer["params"] == [{"name": "p0", "type": "struct Empty", "passing": "ignored", "pieces": []}]


def test_a_variadic_call_has_its_vector_count_and_unnamed_arguments() -> None:
    answer = function(X86, INT, CHAR, variadic=True, unnamed=(DOUBLE,))
    assert [hidden["role"] for hidden in answer["hidden"]] == ["vector count"]
    assert [(param["name"], param["pieces"][0]["reg"]) for param in answer["params"]] == [
        ("p0", "rdi"),
        ("...0", "xmm0"),
    ]


@pytest.mark.parametrize(("target", "packing"), [(RISCV, "packing"), (X86, "storage-unit")])
def test_members_are_the_named_leaves_in_bits(target: str, packing: str) -> None:
    sheet = find_sheet(target)
    fields = f"{sheet}:bits.{packing}"
    assert record(target, FIELDS) == {
        "size": 8,
        "align": 4,
        "members": [
            {"path": "c", "bit_offset": 0, "bit_width": 8, "clause": f"{sheet}:type.record"},
            {"path": "x", "bit_offset": 8, "bit_width": 3, "clause": fields},
            {"path": "y", "bit_offset": 32, "bit_width": 30, "clause": fields},
        ],
    }


def find_sheet(target: str) -> str:
    return {RISCV: "riscv", X86: "x86_64"}[target]


@pytest.mark.parametrize("target", TARGETS)
def test_leaves_of_arrays_and_nested_records_have_paths(target: str) -> None:
    outer = Record("Outer", (Member(Array(REALS, 2), "in"), Member(EITHER, "u")))
    paths = [member["path"] for member in record(target, outer)["members"]]
    assert paths == ["in[0].a", "in[0].b", "in[1].a", "in[1].b", "u.i", "u.d"]


@pytest.mark.parametrize("target", TARGETS)
def test_silence_of_the_text_is_told_with_its_clause(target: str) -> None:
    answer = function(target, None, PADDED)
    assert set(answer) == {"unspecified"}
    assert answer["unspecified"]["clause"].endswith("unnamed-bit-field")
    assert "unnamed bit-field" in answer["unspecified"]["why"]


@pytest.mark.parametrize("target", TARGETS)
@given(prototype=prototypes(max_params=6, max_members=5))
@example(prototype=Prototype("f", None, (Param("c", REAL_AND_BITS),)))
@settings(max_examples=25, deadline=None)
def test_every_piece_of_the_assignment_is_in_the_json(target: str, prototype: Prototype) -> None:
    model = find_model(target)
    answer: Any = prediction(target, model, (), (prototype,))
    assert json.loads(json.dumps(answer)) == answer
    body = answer["functions"][prototype.name]
    assignment = model.assign(prototype)
    if not isinstance(assignment, Assignment):
        assert set(body) in ({"unspecified"}, {"unsupported"})
        return
    for passed, shown in zip(assignment.params, body["params"], strict=True):
        assert shown["passing"] == passed.passing.value
        assert [(extent_of(item), item["clause"]) for item in shown["pieces"]] == [
            (extent(item), item.clause) for item in passed.pieces
        ]


def extent_of(shown: dict[str, Any]) -> tuple[str, list[int]]:
    """The unit that a piece of the JSON counts in, and its first and last one."""
    (unit,) = {"bits", "bytes"} & shown.keys()
    return unit, shown[unit]


def extent(piece: Piece) -> tuple[str, list[int]]:
    """The same of a piece of the assignment: bits where a bit-field travels alone."""
    if piece.bit is None or piece.bits is None:
        return "bytes", [piece.start, piece.end]
    return "bits", [piece.bit, piece.bit + piece.bits]
