"""Records as nvcc and NVRTC 13.0 lay them out, measured from initialised objects on the device."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Param, Prototype
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.oracles.text.place import Assignment, Layout, Unspecified

TRIPLE = "nvptx64-nvidia-cuda"
# A record with a member q, and for nvcc and NVRTC the bit at which q starts, the size and the alignment in bytes.
MEASURED = [
    ("struct { char p : 3; char q : 7; } __attribute__((packed))", (3, 2, 1), (3, 2, 1)),
    ("#pragma pack(1)\nstruct { char p : 3; char q : 7; }", (3, 2, 1), (8, 2, 1)),
    ("#pragma pack(1)\nstruct { char p : 3; int q : 31; }", (3, 5, 1), (8, 5, 1)),
    ("#pragma pack(2)\nstruct { char p : 3; int q : 30 __attribute__((packed)); }", (3, 6, 2), (8, 5, 1)),
    ("#pragma pack(2)\nstruct { char p : 3; int q : 30 __attribute__((aligned(4))); }", (32, 8, 4), (16, 6, 2)),
    ("struct { char p : 3; char q : 1 __attribute__((aligned(8))); } __attribute__((packed))", (64, 16, 8), (8, 2, 1)),
    ("struct { char p : 3; int q : 1 __attribute__((aligned(2))); }", (32, 8, 4), (16, 4, 2)),
    ("struct { char p : 3; int : 0; char q : 2; } __attribute__((packed))", (3, 1, 1), (3, 1, 1)),
    ("#pragma pack(2)\nstruct { char p : 3; int : 0; char q : 2; }", (16, 3, 1), (16, 3, 1)),
    ("#pragma pack(1)\nstruct { char p; double q __attribute__((aligned(8))); }", (64, 16, 8), (8, 9, 1)),
    ("struct { char p; double q __attribute__((aligned(4))); } __attribute__((packed))", (32, 12, 4), (32, 12, 4)),
    ("struct { struct { } e[33]; struct { int : 0; } f; short q; }", (272, 36, 2), (272, 36, 2)),
]  # fmt: skip
MISMATCHED = [
    "struct S { long double d; char c; };",
    "typedef int T __attribute__((aligned(2))); struct S { char p; T q; };",
]


@pytest.mark.parametrize("dialect", ["nvcc", "nvrtc"])
@pytest.mark.parametrize(("text", "nvcc", "nvrtc"), MEASURED)
def test_members_are_where_the_front_end_puts_them(
    text: str, nvcc: tuple[int, int, int], nvrtc: tuple[int, int, int], dialect: str
) -> None:
    record = read(text.replace("struct {", "struct S {", 1) + ";", filename="f.h", triple=TRIPLE).records[-1]
    layout = TARGETS["nvptx64-cuda"].in_dialect(dialect).model().layout(record)
    assert isinstance(layout, Layout)
    start = next(member.bit_offset for member in layout.members if member.path == "q")
    assert (start, layout.size, layout.align) == (nvcc if dialect == "nvcc" else nvrtc)


@pytest.mark.parametrize("text", MISMATCHED)
def test_a_record_that_is_stored_elsewhere_than_it_says_has_no_answer(text: str) -> None:
    record = read(text, filename="f.h", triple=TRIPLE).records[-1]
    model = find_model("nvptx64-cuda@nvcc")
    for answer in (model.layout(record), model.assign(Prototype("f", None, (Param("a", record),)))):
        assert isinstance(answer, Unspecified)
        assert answer.clause == "ptx_guide:dialect.torn"


@pytest.mark.parametrize(("highest", "above"), [(1, "sign"), (127, "sign"), (128, "zero"), (255, "zero")])
def test_a_packed_enumeration_is_signed_if_its_values_fit(highest: int, above: str) -> None:
    text = f"enum E {{ A = 0, B = {highest} }} __attribute__((packed)); void f(enum E a);"
    answer = find_model("nvptx64-cuda@nvcc").assign(read(text, filename="f.h", triple=TRIPLE).functions[-1])
    assert isinstance(answer, Assignment)
    extension = answer.params[0].pieces[0].extension
    assert extension is not None
    assert extension.value == above
