"""Reading the constants of an object file."""

from __future__ import annotations

import struct

import pytest

from abiprobe.harness.observers.objects.layouts import LayoutPlan, bits_set, plan_layout, read_layouts
from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.registry import find_model

SET = [
    (b"\x01", (0, 1)),
    (b"\x00\x38\x00\x00", (11, 3)),
    (b"\xff" * 8, (0, 64)),
    (b"\x00" * 9 + b"\x80", (79, 1)),
    (b"\x05", (-1, 2)),
    (b"\x00\x00", (-1, 0)),
    (b"", (-1, 0)),
]


@pytest.mark.parametrize(("data", "expected"), SET)
def test_the_bits_that_are_set(data: bytes, expected: tuple[int, int]) -> None:
    assert bits_set(data) == expected


def plan() -> LayoutPlan:
    record = Record("S", (Member(Scalar(Kind.INT), "a"), Member(Scalar(Kind.LONG), "b", width=3)))
    return plan_layout(find_model("x86_64-sysv").types, "p", record)


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}Q", *values)


def test_sizes_offsets_and_bits_are_told_apart() -> None:
    symbols = {"abi_layout": words(8, 8, 0, 4, 0), "abi_bits_0_0": (7 << 32).to_bytes(8, "little")}
    (seen,) = read_layouts([plan()], symbols)
    assert (seen.size, seen.align, seen.places) == (8, 8, {"a": (0, 32), "b": (32, 3)})
    assert seen.alignments == {"_Alignof of the type of a": 4}


@pytest.mark.parametrize(
    "symbols",
    [
        {},
        {"abi_layout": b""},
        {"abi_layout": words(8)},
        {"abi_layout": words(8, 8)},
        {"abi_layout": words(8, 8, 0)},
        {"abi_layout": words(8, 8, 0, 4, 4)[:-1]},
    ],
    ids=["none", "empty", "a size alone", "no offset", "no alignments", "half a word"],
)
def test_constants_that_are_missing_are_one_kind_of_error(symbols: dict[str, bytes]) -> None:
    with pytest.raises((KeyError, ValueError)):
        list(read_layouts([plan()], symbols))
