"""Reading signatures: lines that clang 24 wrote for many targets, and lines that cannot be read."""

from __future__ import annotations

import pytest

from abiprobe.harness.lowerings.ir_sizes import Sizes
from abiprobe.harness.lowerings.ir_text import IrLine, Module, UnreadableError, lines, signature
from abiprobe.harness.lowerings.signature import Role

MODULE = """\
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.S = type { i64, %union.U }
%struct.B = type { [20 x i32] }
%union.U = type { double }
%"struct.a b" = type <{ i8, i32 }>
%struct.hidden = type opaque

@abi_area = external global [0 x i8], align 1

define dso_local void @call_0() #0 {
  %1 = alloca %struct.B, align 8
  %2 = load i64, ptr @abi_area, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %1, ptr align 1 @abi_area, i64 80, i1 false)
  %3 = call i32 @probe_0(i64 %2)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1
declare i32 @probe_0(i64) #2

attributes #0 = { noinline nounwind }
attributes #5 = { noundef "key"="value" align=8 }
"""
READ = [
    ("define dso_local void @callee_0() #0", "void ()"),
    (
        "define dso_local { i64, i64 } @callee_0(i64 %0, ptr noundef byval(%struct.B) align 8 %2, i8 noundef signext %3, ...) #0",
        "{ i64, i64 } (i64, ptr align 8 byval(80 bytes) noundef, i8 noundef signext, ...)",
    ),
    (
        "call { i64, i64 } (i64, ptr, i1, ...) @probe_0(i64 %3, ptr noundef byval(%struct.B) align 8 %1, i1 zeroext true, i32 3)",
        "{ i64, i64 } (i64, ptr align 8 byval(80 bytes) noundef, i1 zeroext, i32)",
    ),
    (
        "define dso_local [2 x i64] @callee_0([2 x i64] %0, ptr nofreeobj noundef align 4 dead_on_return dereferenceable(80) %1)",
        "[2 x i64] ([2 x i64], ptr align 4 dead_on_return dereferenceable(80) nofreeobj noundef)",
    ),
    (
        "define dso_local void @callee_0(ptr dead_on_unwind noalias writable sret(%struct.S) align 8 %0, ptr captures(none) %1)",
        "void (ptr align 8 dead_on_unwind noalias sret(16 bytes) writable, ptr captures(none))",
    ),
    (
        "define hidden %struct.S @callee_0(ptr addrspace(5) noundef byref(%struct.B) align 4 %2)",
        "{ i64, { double } } (ptr addrspace(5) align 4 byref(80 bytes) noundef)",
    ),
    (
        "call addrspace(1) %struct.S (i32, [20 x i16], ...) @probe_0(i32 %2, [20 x i16] %4, i16 noundef 3)",
        "{ i64, { double } } (i32, [20 x i16], i16 noundef)",
    ),
    (
        'define dso_local x86_fastcallcc void @"\\01@callee_0@8"(i32 inreg noundef %0, i32 inreg noundef %1) #0',
        "x86_fastcallcc void (i32 inreg noundef, i32 inreg noundef)",
    ),
    ("define dso_local x86_regcallcc void @__regcall3__callee_0(float inreg noundef %0) #0", "x86_regcallcc void (float inreg noundef)"),
    ("define dso_local win64cc signext i8 @callee_0(i8 signext %0)", "win64cc i8 signext (i8 signext)"),
    ("declare cc 10 void @probe_0(i32)", "cc 10 void (i32)"),
    ("define riscv_vls_cc(128) void @callee_0(<vscale x 2 x i32> noundef %0)", "riscv_vls_cc(128) void (<vscale x 2 x i32> noundef)"),
    ("define dso_local amdgpu_kernel void @callee_0(i65 noundef %0)", "amdgpu_kernel void (i65 noundef)"),
    ("call contract nsz float @probe_0(<4 x float> noundef <float 1.0, float undef, float 0.0, float 3.0>)", "float (<4 x float> noundef)"),
    ("tail call ccc noundef zeroext i1 @probe_0()", "i1 noundef zeroext ()"),
    ("define void @callee_0([2 x float] noundef alignstack(8) %1, i64 noundef range(i64 0, 5) %2)",
     "void ([2 x float] alignstack(8) noundef, i64 noundef range(i64 0, 5))"),
    ('declare void @probe_0(ptr byval(%"struct.a b") align 1, ptr sret(%struct.hidden))',
     "void (ptr align 1 byval(5 bytes), ptr sret(%struct.hidden))"),
    ('define void @callee_0(target("riscv.vector.tuple", <vscale x 8 x i8>, 2) %0, <{ i8, [3 x i8] }> %1)',
     'void (target("riscv.vector.tuple",<vscalex8xi8>,2), <{ i8, [3 x i8] }>)'),
    ("declare void @probe_0(i32 #5, {} poison, [0 x i8] zeroinitializer, { i64, ptr } { i64 1, ptr null })",
     "void (i32 align 8 key(value) noundef, {}, [0 x i8], { i64, ptr })"),
    ("call void @probe_0(ptr noundef addrspacecast (ptr addrspace(1) @abi_area to ptr), i8 splat (i8 1))", "void (ptr noundef, i8)"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), READ, ids=range(len(READ)))
def test_a_line_is_read(line, expected):
    keyword = line.removeprefix("tail ").split()[0]
    role = Role(keyword)
    found = signature(IrLine(role, "", line.removeprefix("tail ")), Module.of(MODULE))
    assert str(found) == expected


@pytest.mark.parametrize(
    "line",
    [
        "define dso_local",
        "define void callee_0()",
        "define void @callee_0(i32 %0",
        "define void @callee_0(%0)",
        "define nonsense ( void @callee_0()",
        "declare void @probe_0([2 i64])",
        "declare void @probe_0({ i32 ",
    ],
)
def test_another_line_is_not_taken_for_one(line):
    with pytest.raises(UnreadableError):
        signature(IrLine(Role.DEFINITION, "", line), Module.of(MODULE))


def test_only_functions_that_are_asked_for_are_found_with_their_calls():
    found = list(lines(MODULE, lambda name: name in {"probe_0", "call_0"}))
    assert [(one.role, one.name) for one in found] == [
        (Role.DEFINITION, "call_0"),
        (Role.CALL, "probe_0"),
        (Role.DECLARATION, "probe_0"),
    ]
    assert found[1].text == "call i32 @probe_0(i64 %2)"


SIZES = [
    ("i1", (1, 1)),
    ("i65", (16, 16)),
    ("i24", (4, 4)),
    ("x86_fp80", (16, 16)),
    ("ptr", (8, 8)),
    ("ptr addrspace(270)", (4, 4)),
    ("<4 x float>", (16, 16)),
    ("<3 x float>", (16, 16)),
    ("[3 x { i8, i32 }]", (24, 4)),
    ("<{ i8, [3 x i16], double }>", (15, 1)),
    ("{ float, [12 x i8], float, [4 x i8], ptr }", (32, 8)),
    ("{ float, [12 x i8], float, ptr }", (32, 8)),
    ("{}", (0, 1)),
    ("{ { {} }, i8 }", (1, 1)),
    ("%struct.hidden", None),
    ("{ i8, void }", None),
    ("<vscale x 2 x i32>", None),
    ("[2 x label]", None),
]


@pytest.mark.parametrize(("text", "expected"), SIZES, ids=[row[0] for row in SIZES])
def test_sizes_follow_the_data_layout(text, expected):
    assert Sizes(Module.of(MODULE).layout).extent(text) == expected


def test_a_data_layout_decides():
    assert Sizes("e-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8").extent("{ i8, i64, ptr, double }") == (19, 1)
    assert Sizes("E-S64-f128:64-v128:64").extent("{ i8, fp128 }") == (24, 8)
    assert Sizes("").extent("{ i8, i64 }") == (12, 4)
