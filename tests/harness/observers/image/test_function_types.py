"""A function of WebAssembly is told by its type: one parameter too few or too many, another value type, or another result."""

from __future__ import annotations

import pytest

from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.machines.runtime.machine import X86_64
from abiprobe.harness.machines.runtime.wasm import TYPES, WASM32, decoded, encoded
from abiprobe.harness.observers.image.function_types import mistyped
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Assignment

TARGET = find_target("wasm32")
WORDS = "struct S { int a, b; }; struct E {}; "


def places(declaration: str) -> Assignment:
    """Return the places of the function that is declared last."""
    (function,) = declared_in_ours(WORDS + declaration, TARGET).functions
    found = find_model("wasm32").assign(function)
    assert isinstance(found, Assignment)
    return found


def told(declaration: str, parameters: str, results: str = "") -> list[tuple[str, str]]:
    """Return the clauses and the words of what is told about a function of these value types."""
    block = bytearray(WASM32.initial)
    at, width = WASM32.registers[TYPES]
    block[at : at + width] = encoded(parameters.split(), results.split())
    found = mistyped("callee", places(declaration), bytes(block), WASM32, TARGET.registers)
    return [(one.clause, str(one)) for one in found]


@pytest.mark.parametrize(
    ("declaration", "parameters", "results"),
    [
        ("void f(int a, ...);", "i32 i32", ""),
        ("long long f(struct E a, double b);", "f64", "i64"),
        ("struct S f(struct S a, __int128 b);", "i32 i32 i64 i64", ""),
    ],
)
def test_the_type_that_the_places_ask_for_is_none_to_tell(
    declaration: str, parameters: str, results: str
) -> None:
    assert told(declaration, parameters, results) == []


@pytest.mark.parametrize(
    ("declaration", "parameters", "results", "clause"),
    [
        ("void f(int a, ...);", "i32", "", "wasm:variadic.buffer"),
        ("void f(int a, ...);", "i32 f32", "", "wasm:variadic.buffer"),
        ("void f(int a);", "i32 i32", "", "wasm:signature"),
        ("void f(struct E a);", "i32", "", "wasm:signature"),
        ("void f(struct S a, float b);", "i32 f64", "", "wasm:pass.scalar"),
        ("struct S f(int a);", "i32", "i64", "wasm:result.indirect"),
        ("int f(void);", "", "", "wasm:pass.scalar"),
        ("void f(void);", "", "i32", "wasm:signature"),
    ],
)
def test_any_other_type_breaks_the_clause_of_the_first_place_that_it_lacks(
    declaration: str, parameters: str, results: str, clause: str
) -> None:
    ((broken, words),) = told(declaration, parameters, results)
    assert broken == clause
    assert words.endswith(f"saw ({', '.join(parameters.split())}) -> ({', '.join(results.split())})")


def test_a_state_block_holds_types() -> None:
    assert decoded(encoded(("i32", "v128"), ("f64",))) == (("i32", "v128"), ("f64",))
    assert decoded(encoded(("f32",) * 99, ())) == (("f32",) * 40, ())


def test_functions_of_other_machines_have_no_types() -> None:
    block, call = bytes(X86_64.state_bytes), places("void f(int a, ...);")
    assert list(mistyped("caller", call, block, X86_64, TARGET.registers)) == []
