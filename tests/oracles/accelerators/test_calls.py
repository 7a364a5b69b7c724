"""Calls on the IPU and the DPU beyond the golden vectors: one row for each rule that those leave out.

The notation is that of `tests/oracles/conftest.py`; addresses have 4 bytes there, so they show as `&m0[0:4]`. The parameters of a second function
are unnamed arguments.
"""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.harness.declarations import read
from abiprobe.harness.toolchains.front_end import front_end
from abiprobe.oracles.place import Assignment, Passed, Passing, Register, Unspecified, Unsupported
from abiprobe.oracles.registry import find_model, find_target

IPU = "#include <ipudef.h>\n"
WORKER, SUPERVISOR, DPU = "colossus-ipu", "colossus-ipu-supervisor", "upmem-dpu"
ONE, TWO = "struct One { float a; };", "struct Two { int a, b; };"

ROWS = [
    # IPU, aggregates
    (WORKER, f"{ONE} struct One f(int, struct One);", "m0, a0 -> a0"),
    (f"{WORKER}@compiler", f"{ONE} struct One f(int, struct One);", "m1, &m2 -> *m0"),
    (WORKER, f"{TWO} struct Two f(struct Two, int);", "&m1, m2 -> *m0"),
    (WORKER, "void f(struct { struct { long long v; } w[1]; });", "m0[0:4] m1[4:8]"),
    (WORKER, "void f(struct { char : 3; int a; });", "m0[4:8]"),
    (WORKER, "void f(union { int a; });", "&m0"),
    (WORKER, "void f(struct { });", "&m0"),
    (WORKER, "void f(struct { int a : 5; });", "unspecified ipu:pass.single-bit-field"),
    (WORKER, "void f(double _Complex);", "&m0"),
    (WORKER, "void f(_BitInt(40), _BitInt(65), _BitInt(20));", "m0[0:4] m1[4:8], &m2, m3"),
    # IPU, pairs, quads and the registers that they skip
    (WORKER, "void f(int, double, float2, float);", "m0, a0[0:4] a1[4:8], a2[0:4] a3[4:8], a4"),
    (WORKER, "void f(float, float4, float);", "a0, stack+0, a1"),
    (WORKER, "void f(float4, float2, float4);", "a0[0:4] a1[4:8] a2[8:12] a3[12:16], a4[0:4] a5[4:8], stack+0"),
    (f"{WORKER}@compiler", "void f(float, half8, float);", "a0, a2[0:4] a3[4:8] a4[8:12] a5[12:16], a1"),
    (f"{WORKER}@compiler", "void f(int, int, int, long long, int);", "m0, m1, m2, m3[0:4] stack+0[4:8], stack+4"),
    (WORKER, "void f(int, int, int, long long, int);", "m0, m1, m2, stack+0, m3"),
    (WORKER, "void f(char4, char2);", "m0[0:2] m1[2:4], m2"),
    (WORKER, "void f(int8);", "unspecified ipu:pass.vector-wide"),
    # IPU, supervisor code
    (SUPERVISOR, "float f(float, half, int);", "m0, m1, m2 -> m0"),
    (f"{SUPERVISOR}@compiler", "double f(float, double);", "m0, m1[0:4] m2[4:8] -> m0[0:4] m1[4:8]"),
    (SUPERVISOR, "double f(float, double);", "m0, m2[0:4] m3[4:8] -> m0[0:4] m1[4:8]"),
    (f"{SUPERVISOR}@compiler", "void f(float2, int2, short);", "m0[0:4] m1[4:8], m2[0:4] m3[4:8], stack+0"),
    # IPU, variadic functions
    (WORKER, f"{TWO} struct Two f(int, ...); void g(double, struct Two);", "stack+4, stack+8[0:4] stack+12[4:8], &stack+16 -> *stack+0"),
    (WORKER, f"{ONE} void f(int, ...); void g(struct One);", "stack+0, stack+4"),
    (WORKER, "void f(int, ...); void g(float2);", "unspecified ipu:variadic.vector"),
    # IPU, vertices
    (WORKER, "__attribute__((colossus_vertex)) _Bool f(void);", " -> m0"),
    (WORKER, "__attribute__((colossus_vertex)) void f(int);", "unsupported"),
    (WORKER, "__attribute__((colossus_vertex)) float f(void);", "unsupported"),
    # DPU
    (DPU, "void f(int *, int *, unsigned, unsigned long, unsigned);", "r0, r1, r2, r5[0:4] r4[4:8], r3"),
    (DPU, "void f(long, long, long, int, long, int);", "r1[0:4] r0[4:8], r3[0:4] r2[4:8], r5[0:4] r4[4:8], r6, stack-16, r7"),
    (DPU, f"{TWO} struct Two f(double, struct Two);", "r3[0:4] r2[4:8], &r1 -> *r0"),
    (DPU, "void f(long, long, long, long, struct { int a; });", "r1[0:4] r0[4:8], r3[0:4] r2[4:8], r5[0:4] r4[4:8], r7[0:4] r6[4:8], &stack-12"),
    (f"{DPU}@compiler", "void f(long, long, long, long, struct { int a; });", "unspecified dpu:dialect.stacked-reference"),
    (DPU, "void f(int, ...); void g(int, double, struct { char a[12]; }, int);", "r0, stack-12, stack-24, stack-36, stack-40"),
    (f"{DPU}@compiler", "void f(int, ...); void g(struct { char a[12]; }, double);", "r0, &stack-12, stack-24"),
    (f"{DPU}@compiler", "void f(long, long, long, long, int, ...); void g(int);", "unspecified dpu:dialect.stacked-named"),
    (DPU, "void f(double _Complex, _BitInt(100), _BitInt(37), _BitInt(9));", "&r0, &r1, r3[0:4] r2[4:8], r4"),
    (DPU, "float f(_Bool, char, unsigned short);", "r0, r1, r2 -> r0"),
    (DPU, "void f(float v __attribute__((vector_size(8))));", "unspecified dpu:pass.vector"),
]  # fmt: skip


def answer(target: str, source: str) -> Assignment | Unspecified | Unsupported:
    as_if = front_end(target)
    text = (
        IPU + "typedef int int8 __attribute__((vector_size(32)));\n"
        if target != DPU and "ipu" in target
        else ""
    ) + source
    prototype, *more = read(text, filename="row.h", triple=as_if.triple, options=as_if.options).functions
    if more:
        unnamed = tuple(param.type for param in more[0].params)
        prototype = msgspec.structs.replace(prototype, unnamed=unnamed)
    return find_model(target).assign(prototype)


def line(found: Assignment | Unspecified | Unsupported) -> str:
    match found:
        case Unspecified(clause=clause):
            return f"unspecified {clause}"
        case Unsupported():
            return "unsupported"
        case Assignment(params=params, result=result, hidden=hidden):
            told = ", ".join(map(passed, params))
            if result is None:
                return told
            if result.passing is Passing.INDIRECT:
                return f"{told} -> *{place(hidden[0].pieces[0].place)}"
            return f"{told} -> {passed(result)}"


def passed(value: Passed) -> str:
    mark = "&" if value.passing is Passing.INDIRECT else ""
    whole = bool(mark) or (
        len(value.pieces) == 1 and (value.pieces[0].start, value.pieces[0].end) == (0, value.size)
    )
    return " ".join(
        mark + place(piece.place) + ("" if whole else f"[{piece.start}:{piece.end}]")
        for piece in value.pieces
    )


def place(at: object) -> str:
    return at.name if isinstance(at, Register) else f"stack{at.offset:+}"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("target", "source", "expected"), ROWS)
def test_calls(target: str, source: str, expected: str) -> None:
    assert line(answer(target, source)) == expected


def test_a_vertex_starts_with_its_state_and_scratch_space() -> None:
    found = answer(WORKER, "__attribute__((colossus_vertex)) int f(void);")
    assert isinstance(found, Assignment)
    assert [(hidden.role, place(hidden.pieces[0].place)) for hidden in found.hidden] == [
        ("vertex state", "mvertex_base"),
        ("worker scratch space", "mworker_base"),
    ]


def test_characters_of_a_vector_are_widened() -> None:
    found = answer(WORKER, "void f(char4);")
    assert isinstance(found, Assignment)
    assert [(piece.start, piece.end, piece.lane) for piece in found.params[0].pieces] == [
        (0, 2, 2),
        (2, 4, 2),
    ]


@pytest.mark.parametrize(
    ("target", "preserved"),
    [
        (WORKER, ("m7", "m8", "m9", "a6", "a7")),
        (SUPERVISOR, ("m7", "m8", "m9")),
        (DPU, tuple(f"r{n}" for n in range(14, 22))),
    ],
)
def test_what_a_call_preserves(target: str, preserved: tuple[str, ...]) -> None:
    frame = find_target(target)[0].frame
    assert frame is not None
    assert frame.preserved == preserved
    assert frame.align == 8
