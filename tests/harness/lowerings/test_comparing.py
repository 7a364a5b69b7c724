"""Comparing lowerings: IR that clang 24 wrote, and mutants of its text."""

from __future__ import annotations

import re

import pytest

from abiprobe.harness.lowerings.comparing import Difference, differences
from abiprobe.harness.lowerings.ir_text import Module, lines
from abiprobe.harness.lowerings.lowering import Lowered
from abiprobe.harness.lowerings.unit import NAMED

X86 = """\
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.B = type { [20 x i32] }
%struct.S = type { i64, i64 }
define dso_local { i64, i64 } @callee_0(i64 %0, i64 %1, ptr noundef byval(%struct.B) align 8 %2, i8 noundef signext %3, float noundef %4, ...) #0 {
  ret { i64, i64 } zeroinitializer
}
define dso_local void @call_0() #0 {
  %5 = call { i64, i64 } (i64, i64, ptr, i8, float, ...) @probe_0(i64 %3, i64 %4, ptr noundef byval(%struct.B) align 8 %1, i8 noundef signext 1, float noundef 2.000000e+00, i32 noundef 3) #2
  ret void
}
declare { i64, i64 } @probe_0(i64, i64, ptr noundef byval(%struct.B) align 8, i8 noundef signext, float noundef, ...) #2
"""
BPF = """\
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
%struct.S = type { i64, i64 }
define dso_local [2 x i64] @callee_0() #0 {
}
  %1 = call [2 x i64] @probe_0() #2
declare dso_local [2 x i64] @probe_0() #1
"""


def lowered(text: str) -> Lowered:
    """What a module has of its only prototype."""
    return Lowered(
        {one.role: one.text for one in lines(text, NAMED.fullmatch) if one.name != "call_0"}, Module.of(text)
    )


def abi(where: str, left: str, right: str) -> Difference:
    """A difference in how something is passed."""
    return Difference(where, left, right, abi=True)


SRET = (
    BPF.replace(
        "[2 x i64] @callee_0()",
        "void @callee_0(ptr dead_on_unwind noalias writable sret(%struct.S) align 8 %0)",
    )
    .replace(
        "%1 = call [2 x i64] @probe_0()",
        "call void @probe_0(ptr dead_on_unwind writable sret(%struct.S) align 8 %1)",
    )
    .replace("[2 x i64] @probe_0()", "void @probe_0(ptr dead_on_unwind writable sret(%struct.S) align 8)")
)
MUTANTS = [
    ("an attribute dropped", X86, X86.replace(" signext", ""), [abi("argument", "integer signext", "integer")]),
    ("an attribute dropped at the call only", X86, X86.replace("signext 1", "1"), [abi("argument", "integer signext", "integer")]),
    ("another attribute", X86, X86.replace("signext", "zeroext"), [abi("argument", "integer signext", "integer zeroext")]),
    ("a type coerced otherwise", X86, re.sub(r"\((i64[ %\w]*), i64", r"(\1, double", X86), [abi("argument", "integer", "real")]),
    ("a wider type", X86, re.sub(r"\((i64[ %\w]*), i64", r"(\1, i32", X86), [abi("argument", "i64", "i32")]),
    ("another struct returned", X86, X86.replace("{ i64, i64 }", "{ i64, i8 }"), [abi("result", "struct", "another struct")]),
    ("byval for direct", X86, re.sub(r"ptr noundef byval\(%struct.B\) align 8", "%struct.B noundef", X86), [abi("argument", "byval", "struct")]),
    ("an address for byval", X86, X86.replace(" byval(%struct.B) align 8", ""), [abi("argument", "byval", "pointer")]),
    ("byval with another alignment", X86, X86.replace("align 8", "align 16"), [abi("argument", "byval align", "byval another align")]),
    ("byval of another size", X86, X86.replace("[20 x i32]", "[21 x i32]"), [abi("argument", "byval byval", "byval another byval")]),
    ("byval of another type of that size", X86, X86.replace("[20 x i32]", "[10 x i64]"), []),
    ("a promise dropped", X86, X86.replace("float noundef", "float"), [Difference("argument", "real noundef", "real", abi=False)]),
    ("another convention", X86, X86.replace("dso_local {", "dso_local win64cc {").replace("call {", "call win64cc {").replace("declare {", "declare win64cc {"),
     [abi("calling convention", "default", "win64cc")]),
    ("no variable arguments", X86, X86.replace(", ...", ""), [abi("variable arguments", "...", "nothing")]),
    ("an argument more", X86, X86.replace("i32 noundef 3", "i32 noundef 3, i32 noundef 4"), [abi("argument", "nothing", "integer")]),
    ("an argument less", X86, re.sub(r"\(i64[ %\w]*, i64", "(i64", X86), [abi("argument", "integer", "nothing")]),
    ("a result in memory", BPF, SRET, [abi("result", "array", "sret")]),
    ("where the result in memory is, promised otherwise", SRET, SRET.replace("align 8", "align 4"),
     [Difference("result", "sret align", "sret another align", abi=False)]),
    ("another name of a type", X86, X86.replace("%struct.B", "%struct.C"), []),
    ("other attributes of functions", X86, X86.replace("#0", "#7").replace("dso_local ", ""), []),
    ("nothing", X86, X86, []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "mutant", "expected"), MUTANTS, ids=[row[0] for row in MUTANTS])
def test_a_mutant_is_seen(name, text, mutant, expected):
    assert (text != mutant) == (name != "nothing")
    assert list(differences(lowered(text), lowered(mutant))) == expected


@pytest.mark.parametrize(("name", "text", "mutant", "expected"), MUTANTS, ids=[row[0] for row in MUTANTS])
def test_as_much_differs_the_other_way_round(name, text, mutant, expected):
    back = differences(lowered(mutant), lowered(text))
    assert sorted((one.where, one.abi) for one in back) == sorted((one.where, one.abi) for one in expected)
