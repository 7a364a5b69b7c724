"""Microsoft's x64 convention with the types of System V: memory, families, attributes; where arguments go is in `oracles/golden/ms.tsv`."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Convention, Prototype, Record
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.oracles.text.place import Assignment, Unsupported

TYPES = """
typedef int m64 __attribute__((vector_size(8)));
typedef float m128 __attribute__((vector_size(16)));
typedef char tiny __attribute__((vector_size(4)));
"""


@pytest.mark.parametrize(
    ("source", "align"),
    [
        ("void f(struct {char a[3];})", 16),
        ("void f(m128)", 16),
        ("void f(struct {char a[3];} __attribute__((aligned(64))))", 64),
        # The sentence is about aggregates.
        ("void f(long double)", 1),
    ],
)
def test_the_memory_of_an_argument_by_reference_is_aligned(source: str, align: int) -> None:
    function = read(f"{TYPES}{source};", filename="row.h", triple="x86_64-linux-gnu").functions[0]
    answer = find_model("x86_64-ms").assign(function)
    assert isinstance(answer, Assignment)
    assert answer.params[0].memory_align == align


def test_families_part_on_a_result_without_bytes() -> None:
    function = Prototype("f", Record("E", ()), ())
    gcc, clang = (
        TARGETS["x86_64-ms"].in_dialect(family).model().assign(function) for family in ("gcc", "clang")
    )
    assert isinstance(gcc, Assignment)
    assert isinstance(clang, Assignment)
    assert not gcc.hidden
    assert clang.hidden


def test_every_function_of_the_target_has_the_attribute() -> None:
    plain = Prototype("f", None, ())
    model = find_model("x86_64-ms")
    asked = Prototype("f", None, (), convention=Convention.MS_ABI)
    assert model.declared(plain) == asked
    assert model.assign(plain) == model.assign(asked)
    assert find_model("x86_64-sysv").declared(plain) == plain
    assert isinstance(find_model("x86_64-sysv").assign(asked), Unsupported)
