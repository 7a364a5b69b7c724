"""Declarations where compiler families part, as each was measured to write them."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.oracles.text.place import Assignment, Unspecified

TRIPLE = "nvptx64-nvidia-cuda"
TYPEDEF = "typedef struct D { double a; } T __attribute__((aligned(2)));"
MS_UNION = "typedef union U { char a : 1; unsigned long o : 29; } T __attribute__((ms_struct));"
MS_PACKED = (
    "typedef struct M { char a; long c : 2; long d : 60; char f; } __attribute__((ms_struct, packed)) T;"
)
MS_RUN = "typedef struct M { short a : 1; short b : 3; char c : 2; int d : 3; } __attribute__((ms_struct)) T;"
DECLARED = [
    (TYPEDEF, "clang", ".param .align 8 .b8", "R6"),
    (TYPEDEF, "clang-14", ".param .align 8 .b8", "R6"),
    (TYPEDEF, "nvcc", ".param .align 2 .b8", "R5"),
    (TYPEDEF, "nvrtc", ".param .align 2 .b8", "R5"),
    (MS_UNION, "clang", ".param .align 8 .b8", "R6"),
    (MS_UNION, "clang-16", ".param .align 8 .b8", "R6"),
    (MS_RUN, "clang", ".param .align 4 .b8", "R5"),
    (MS_PACKED, "clang", ".param .align 1 .b8", "R5"),
    (MS_PACKED, "clang-16", ".param .align 8 .b8", "R6"),
]


def answer(text: str, target: str) -> Assignment | Unspecified:
    function = read(f"{text} void f(float a, T b);", filename="f.h", triple=TRIPLE).functions[-1]
    found = find_model(target).assign(function)
    assert isinstance(found, Assignment | Unspecified)
    return found


@pytest.mark.parametrize(("text", "dialect", "declared", "register"), DECLARED)
def test_each_family_declares_its_own_alignment(
    text: str, dialect: str, declared: str, register: str
) -> None:
    found = answer(text, TARGETS["nvptx64-cuda"].in_dialect(dialect).spelling)
    assert isinstance(found, Assignment)
    passed = found.params[1]
    assert passed.param is not None
    assert passed.param.declaration.startswith(f"{declared} ")
    assert getattr(passed.pieces[0].place, "name", "") == register


def test_the_guide_is_silent_about_a_typedef() -> None:
    found = answer(TYPEDEF, "nvptx64-cuda")
    assert isinstance(found, Unspecified)
    assert found.clause == "ptx_guide:pass.typedef"
