"""WebAssembly objects: the types of functions in a table, and damage."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from abiprobe.harness.machines.readers.wasm import NOTHING, FunctionType, Listed, constants, listed

from .test_objects import DAMAGES, compiled

UNIT = """\
extern void *abi_target;
extern void elsewhere(float);
struct pair { int a, b; };
static void caller(void) { ((double (*)(int, long long, struct pair))abi_target)(1, 2, (struct pair){3, 4}); }
static float callee(double a, unsigned char b) { return a + b; }
const int before = 5;
void (*const abi_functions[])(void) = {(void (*)(void))caller, (void (*)(void))callee, 0, (void (*)(void))elsewhere};
"""
CALLED = FunctionType(("i32", "i64", "i32"), ("f64",))


@pytest.fixture
def unit(tmp_path: Path) -> bytes:
    return compiled(tmp_path, "wasm32-unknown-unknown", UNIT).read_bytes()


def test_functions_of_a_table_have_types(unit: bytes) -> None:
    assert listed(unit, "abi_functions") == (
        Listed(FunctionType((), ()), CALLED),
        Listed(FunctionType(("f64", "i32"), ("f32",)), None),
        NOTHING,
        Listed(FunctionType(("f32",), ()), None),
    )


def test_a_table_that_is_not_there_is_a_value_error(unit: bytes) -> None:
    with pytest.raises(ValueError, match="it has no others"):
        listed(unit, "others")


def test_damage_is_a_value_error_or_harmless(unit: bytes) -> None:
    dice = random.Random("wasm32")
    for _ in range(DAMAGES):
        data = bytearray(unit)
        data[dice.randrange(len(data))] = dice.choice((0, 1, 0x7F, 0xFF))
        for read in (constants, lambda damaged: listed(damaged, "abi_functions")):
            try:
                read(bytes(data))
            except ValueError:
                continue


def test_what_ends_too_early_is_a_value_error(unit: bytes) -> None:
    # Sections at the end, of which some need not be there, come after the symbols.
    for length in range(unit.index(b"linking")):
        with pytest.raises(ValueError, match=r"."):
            listed(unit[:length], "abi_functions")
