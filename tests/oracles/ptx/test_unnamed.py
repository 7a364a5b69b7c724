"""The memory of unnamed arguments, as clang 24 and 22 and nvcc were seen to have it (`clang -O1 -S`, 30 November 2026)."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.abis.ptx.device_model import DeviceModel
from abiprobe.oracles.registry import find_target

RECORDS = """
struct S { float a; double b; };
struct B { char a; int b : 5; short c; };
union U { short a; long b; };
struct P { char a; long b; } __attribute__((packed));
struct N { struct { char x; short y; } n; char z[3]; float _Complex c; __int128 i; };
struct X { char a; int b __attribute__((aligned(16))); };
struct E {};
"""
PLACES = [
    ("struct S", ((0, 4), (8, 0)), 8),
    ("struct B", ((0, 4),), 4),
    ("union U", ((0, 8),), 8),
    ("struct P", ((0, 4), (1, 7)), 4),
    ("struct N", ((0, 4), (16, 16)), 16),
    ("struct X", ((0, 4),), 16),
    ("struct E", (), 4),
    ("float _Complex", ((0, 4),), 4),
    ("double _Complex", ((0, 8),), 8),
    ("__int128", ((0, 16),), 16),
]
"""Where the parts of an argument behind an `int` are put, and where it is taken from."""


def model(dialect: str) -> DeviceModel:
    found = find_target(f"nvptx64-cuda@{dialect}").model()
    assert isinstance(found, DeviceModel)
    return found


@pytest.mark.parametrize(("c_type", "put", "taken"), PLACES)
def test_where_an_argument_is_put_and_taken(
    c_type: str, put: tuple[tuple[int, int], ...], taken: int
) -> None:
    text = f"{RECORDS} void f(int a, ...); static void g(void) {{ f(1, 2, *({c_type} *)0); }}"
    (function,) = (
        one for one in read(text, filename="t.h", triple="nvptx64-nvidia-cuda").functions if one.unnamed
    )
    found = model("clang-24").unnamed(function)
    assert found is not None
    assert (found.put[1], found.taken[1]) == (put, taken)


@pytest.mark.parametrize(("dialect", "space"), [("clang-24", "local"), ("clang-22", "generic"), ("nvcc", "")])
def test_what_the_address_leads_to(dialect: str, space: str) -> None:
    (function,) = read("void f(int a, ...);", filename="t.h", triple="nvptx64-nvidia-cuda").functions
    found = model(dialect).unnamed(function)
    assert found is not None
    assert found.space == space


def test_of_old_versions_and_the_text_nothing_is_known() -> None:
    (function,) = read("void f(int a, ...);", filename="t.h", triple="nvptx64-nvidia-cuda").functions
    text = find_target("nvptx64-cuda").model()
    assert isinstance(text, DeviceModel)
    assert text.unnamed(function) is None
    assert model("clang-16").unnamed(function) is None
