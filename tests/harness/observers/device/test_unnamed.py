"""The memory of unnamed arguments, followed through PTX as compilers write it."""

from __future__ import annotations

import pytest

from abiprobe.harness.observers.device.unit import Copied
from abiprobe.harness.observers.device.unnamed import Area, passed, taken

WORD, LONG = Copied(4, 4, 8), Copied(8, 8, 16)
CLANG_24 = """
.visible .func f_0(
\tld.param::func.b64 \t%rd1, [f_0_param_1];
\tadd.s64 \t%rd2, %rd1, 3;
\tand.b64 \t%rd3, %rd2, -4;
\tld.local.b32 \t%r2, [%rd3];
\tmov.b32 \t%r1, 14344;
\tst.volatile.shared.b32 [%r1], %r2;
\tadd.s64 \t%rd4, %rd3, 11;
\tand.b64 \t%rd5, %rd4, -8;
\tld.local.b64 \t%rd6, [%rd5];
\tcvt.u32.u64 \t%r4, %rd6;
\tmov.b32 \t%r3, 14352;
\tst.volatile.shared.b32 [%r3], %r4;
\tmov.b64 \t{_, %r6}, %rd6;
\tmov.b32 \t%r5, 14356;
\tst.volatile.shared.b32 [%r5], %r6;
"""
CLANG_22 = CLANG_24.replace("::func", "").replace("ld.local", "ld")
CAST = CLANG_24.replace(
    "\tadd.s64 \t%rd2, %rd1, 3;", "\tcvta.to.local.u64 %rd9, %rd1;\n\tadd.s64 %rd2, %rd9, 3;"
)
NVCC = """
\tmov.u64 \t%rd3, %VAParam;
\tld.local.u32 \t%r2, [%rd3];
\tmov.u32 \t%r1, 14344;
\tst.volatile.shared.b32 [%r1], %r2;
\tld.local.v2.u32 \t{%r4, %r6}, [%rd3+8];
\tmov.u32 \t%r3, 14352;
\tst.volatile.shared.b32 [%r3], %r4;
\tmov.u32 \t%r5, 14356;
\tst.volatile.shared.b32 [%r5], %r6;
"""


@pytest.mark.parametrize(
    ("body", "space"), [(CLANG_24, "local"), (CLANG_22, "generic"), (CAST, "generic"), (NVCC, "")]
)
def test_where_a_callee_takes_arguments_from(body: str, space: str) -> None:
    assert taken(body, "f_0_param_1", (WORD, LONG)) == Area(space, (0, 8))


LOADED = """
\tmov.b32 \t%r2, 8;
\tld.volatile.shared.b32 %r1, [%r2];
\tmov.b32 \t%r4, 16;
\tld.volatile.shared.b32 %r3, [%r4];
\tmov.b32 \t%r6, 20;
\tld.volatile.shared.b32 %r5, [%r6];
\tcvt.u64.u32 \t%rd1, %r3;
\tcvt.u64.u32 \t%rd2, %r5;
\tshl.b64 \t%rd3, %rd2, 32;
\tor.b64 \t%rd4, %rd3, %rd1;
"""
FRAME = "\tmov.b64 \t%SPL, __local_depot1;\n"
BY_LOCAL = f"""{FRAME}{LOADED}
\tst.local.b32 \t[%SPL+16], %r1;
\tst.local.b64 \t[%SPL+24], %rd4;
\tadd.u64 \t%rd7, %SPL, 16;
\tst.param::func.b64 \t[param1], %rd7;
"""
BY_GENERIC = f"""{FRAME}\tcvta.local.u64 \t%SP, %SPL;{LOADED}
\tst.b32 \t[%SP], %r1;
\tst.b64 \t[%SP+8], %rd4;
\tadd.u64 \t%rd7, %SP, 0;
\tst.param.b64 \t[param1], %rd7;
"""
AS_ARRAY = f"{LOADED}\tst.param.b32 \t[param1+0], %r1;\n\tst.param.b64 \t[param1+8], %rd4;\n"


@pytest.mark.parametrize(("body", "space"), [(BY_LOCAL, "local"), (BY_GENERIC, "generic"), (AS_ARRAY, "")])
def test_where_a_caller_puts_arguments(body: str, space: str) -> None:
    assert passed(body, 1, (WORD, LONG)) == Area(space, (0, 8))


def test_what_cannot_be_followed_is_not_told() -> None:
    branching = CLANG_24.replace("\tadd.s64", "$L1:\n\t@%p1 bra $L1;\n\tadd.s64", 1)
    assert taken(branching, "f_0_param_1", (WORD, LONG)) == Area("", (None, None))
    unknown = BY_LOCAL.replace("or.b64 \t%rd4, %rd3, %rd1", "xor.b64 \t%rd4, %rd3, %rd1")
    assert passed(unknown, 1, (WORD, LONG)) == Area("local", (0, None))
    elsewhere = BY_LOCAL.replace("st.local.b64 \t[%SPL+24]", "st.local.b64 \t[%SPL+40]")
    assert passed(elsewhere, 1, (WORD, LONG)).offsets == (0, 24)


# `f(int, ...)` called with `unsigned` and `struct { float m; double n; }`: callers lay out the members one by one.
MEMBERS = Copied(16, 8, 16)
TEARING = {
    "nvcc": """
\tld.volatile.shared.b32 %r3, [8];
\tmov.u32 \t%r6, 16;
\tld.volatile.shared.b32 %r5, [%r6];
\tmov.b32 \t%f1, %r5;
\tmov.u32 \t%r10, 24;
\tld.volatile.shared.b32 %r9, [%r10];
\tmov.u32 \t%r12, 28;
\tld.volatile.shared.b32 %r11, [%r12];
\tmov.b64 \t%fd1, {%r9, %r11};
\tst.param.f32 \t[param1+4], %f1;
\tst.param.f64 \t[param1+8], %fd1;
""",
    "clang": """
\tmov.b64 \t%SPL, __local_depot1;
\tcvta.local.u64 \t%SP, %SPL;
\tmov.b32 \t%r6, 16;
\tld.volatile.shared.b32 %r5, [%r6];
\tmov.b32 \t%r10, 24;
\tld.volatile.shared.b32 %r9, [%r10];
\tcvt.u64.u32 \t%rd1, %r9;
\tmov.b32 \t%r12, 28;
\tld.volatile.shared.b32 %r11, [%r12];
\tcvt.u64.u32 \t%rd2, %r11;
\tshl.b64 \t%rd3, %rd2, 32;
\tor.b64 \t%rd4, %rd3, %rd1;
\tst.b32 \t[%SP+4], %r5;
\tst.b64 \t[%SP+8], %rd4;
\tadd.u64 \t%rd5, %SP, 0;
\tst.param.b64 \t[param1], %rd5;
""",
}


@pytest.mark.parametrize("body", TEARING.values(), ids=TEARING)
def test_an_argument_that_a_caller_tears_has_parts(body: str) -> None:
    found = passed(body, 1, (MEMBERS,))
    assert (found.offsets, found.in_parts) == ((None,), (((0, 4), (8, 0)),))
    assert found.parts(0) == ((0, 4), (8, 0))


def test_an_argument_is_not_said_to_begin_where_only_its_end_is_known() -> None:
    body = TEARING["clang"].replace("\tst.b32 \t[%SP+4], %r5;\n", "")
    found = passed(body, 1, (MEMBERS,))
    assert (found.offsets, found.parts(0)) == ((None,), ((8, 0),))


def test_clang_19_adds_to_an_address_by_or() -> None:
    added = "\tadd.u64 \t%rd8, %SP, 0;\n\tor.b64 \t%rd9, %rd8, 4;\n\tst.b32 \t[%rd9], %r5;\n"
    body = TEARING["clang"].replace("\tst.b32 \t[%SP+4], %r5;\n", added)
    assert passed(body, 1, (MEMBERS,)).parts(0) == ((0, 4), (8, 0))


def test_of_a_copy_in_the_frame_no_byte_tells_which_is_the_argument() -> None:
    copied = "\tst.b32 \t[%SP+64], %r5;\n\tst.b64 \t[%SP+72], %rd4;\n"
    assert passed(TEARING["clang"] + copied, 1, (MEMBERS,)) == Area("generic", (None,))


def test_bytes_are_put_together_and_taken_apart() -> None:
    body = """
\tmov.b32 \t%r5, 16;
\tld.volatile.shared.b8 %rs1, [%r5];
\tmov.b32 \t%r6, 17;
\tld.volatile.shared.b8 %rs2, [%r6];
\tand.b16 \t%rs6, %rs1, 255;
\tshl.b16 \t%rs7, %rs2, 8;
\tor.b16 \t%rs8, %rs7, %rs6;
\tst.param.b16 \t[param1+6], %rs8;
"""
    assert passed(body, 1, (Copied(2, 1, 16),)).offsets == (6,)
    assert passed(body.replace("255", "127"), 1, (Copied(2, 1, 16),)).parts(0) == ((1, 6),)
    parted = """
\tld.local.u32 \t%r10, [%VAParam+4];
\tshr.u32 \t%r11, %r10, 16;
\tmov.u32 \t%r1, 14352;
\tst.volatile.shared.b8 [%r1], %r11;
"""
    assert taken(parted, "f_0_param_1", (Copied(1, 1, 16),)).offsets == (6,)
