"""Records of Windows as clang lays them out, with attributes on themselves, in one another and on nothing."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Layout


@pytest.mark.parametrize("target", ["i386-windows-msvc", "x86_64-windows-msvc", "aarch64-windows-msvc"])
@pytest.mark.parametrize(
    ("text", "size", "align"),
    [
        ("struct S { char a; int b; } __attribute__((aligned(16)));", 16, 16),
        ("struct S { struct { char a; } __attribute__((aligned(2))) b; } __attribute__((aligned(1)));", 2, 2),
        ("struct S { struct { char a; } __attribute__((aligned(8))) b[3]; char c; };", 32, 8),
        ("struct S { } __attribute__((aligned(8)));", 8, 8),
    ],
)
def test_a_record_with_an_attribute_has_a_layout(target: str, text: str, size: int, align: int) -> None:
    model = find_model(f"{target}@clang-reading")
    record = read(text, filename="t.h", triple="x86_64-pc-windows-msvc").records[-1]
    layout = model.layout(record)
    assert isinstance(layout, Layout)
    assert (layout.size, layout.align) == (size, align)


@pytest.mark.parametrize("target", ["i386-windows-gnu", "i386-windows-msvc", "x86_64-windows-gnu"])
def test_clang_makes_a_wide_bit_int_of_pieces_of_eight_bytes(target: str) -> None:
    """Measured with clang 14 to 22; gcc 12 has no `_BitInt`."""
    record = read(
        "struct S { int a; _BitInt(65) b; };", filename="t.h", triple="x86_64-pc-windows-gnu"
    ).records[-1]
    layout = find_model(f"{target}@clang-reading").layout(record)
    assert isinstance(layout, Layout)
    assert (layout.size, layout.align) == (24, 8)
