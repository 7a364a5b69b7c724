"""Attributes are printed where the question has them, and mean the same to gcc and clang there."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from abiprobe.harness.machines.render.c import definitions
from abiprobe.oracles.language.lang import Kind, Member, Pointer, Position, Record, Scalar, Type, Vector

CHAR, INT = Scalar(Kind.CHAR), Scalar(Kind.INT)
POSITIONS = [
    (INT, Position.AFTER, "int a __attribute__((aligned(8)));"),
    (INT, Position.BEFORE, "__attribute__((aligned(8))) int a;"),
    (INT, Position.SPECIFIER, "int __attribute__((aligned(8))) a;"),
    (Pointer(), Position.AFTER, "void *a __attribute__((aligned(8)));"),
    (Pointer(), Position.SPECIFIER, "void __attribute__((aligned(8))) *a;"),
    (Pointer(), Position.POINTER, "void *__attribute__((aligned(8))) a;"),
    (Pointer(function=True), Position.AFTER, "void (*a)(void) __attribute__((aligned(8)));"),
    (Pointer(function=True), Position.POINTER, "void (*__attribute__((aligned(8))) a)(void);"),
    (
        Vector(Kind.INT, 8),
        Position.SPECIFIER,
        "int __attribute__((vector_size(8))) __attribute__((aligned(8))) a;",
    ),
]


@pytest.mark.parametrize(("c_type", "position", "text"), POSITIONS)
def test_an_attribute_stands_in_its_position(c_type: Type, position: Position, text: str) -> None:
    member = Member(c_type, "a", align=8, position=position)
    assert definitions((Record("S", (member,)),)) == f"struct S {{ {text} }};"


def test_alignas_comes_first_and_a_width_before_what_follows_the_declarator() -> None:
    members = (
        Member(INT, "a", packed=True, alignas=4, position=Position.BEFORE),
        Member(INT, "b", width=3, packed=True),
        Member(INT, width=5, align=8, position=Position.SPECIFIER),
    )
    assert definitions((Record("S", members),)) == (
        "struct S { _Alignas(4) __attribute__((packed)) int a; int b: 3 __attribute__((packed));"
        " int __attribute__((aligned(8))) : 5; };"
    )


@pytest.mark.parametrize(("ms_struct", "name"), [(True, "ms_struct"), (False, "gcc_struct")])
def test_attributes_of_a_record_follow_its_members(*, ms_struct: bool, name: str) -> None:
    record = Record("S", (Member(INT, "a"),), packed=True, align=2, ms_struct=ms_struct)
    assert definitions((record,)) == (f"struct S {{ int a; }} __attribute__((packed, aligned(2), {name}));")


PACKS = [(None, None), (None, 2), (2, None), (2, 2), (4, 1)]


@pytest.mark.parametrize(("outer", "inner"), PACKS)
@pytest.mark.parametrize("tool", ["gcc-12", "clang-22"])
def test_each_record_is_packed_as_it_says(tool: str, outer: int | None, inner: int | None) -> None:
    compiler = shutil.which(tool)
    if compiler is None:
        pytest.skip(f"{tool} is not installed")
    nested = Record("", (Member(CHAR, "a"), Member(INT, "b")), pack=inner)
    record = Record("S", (Member(CHAR, "c"), Member(nested), Member(CHAR, "d"), Member(INT, "e")), pack=outer)
    within, around = min(4, inner or 4), min(4, outer or 4)
    start = min(within, around)
    last = -(-(start + within + 4 + 1) // around) * around
    text = (
        f"{definitions((record,))}\n"
        f'_Static_assert(__builtin_offsetof(struct S, b) == {start + within}, "");\n'
        f'_Static_assert(__builtin_offsetof(struct S, e) == {last}, "");\n'
        '_Static_assert(_Alignof(struct { int a; }) == 4, "");\n'
    )
    words = (compiler, "-std=gnu11", "-fsyntax-only", "-x", "c", "-")
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, text + done.stderr
