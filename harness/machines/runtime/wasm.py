"""WebAssembly as the runtime sees it: a register for each value type of each parameter, and of the result.

A function is called by its type, so nothing can enter or be entered by functions of every type. Each unit is linked with
code for the types that its functions have, and that its callers call by (`entries`).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from abiprobe.harness.machines.runtime.description import Machine, Slot
from abiprobe.oracles.text.place import RegisterFile

if TYPE_CHECKING:
    from collections.abc import Sequence

PARAMETERS = 40
"""How many parameters of one function are loaded and stored."""
SIZES = {"i32": 4, "i64": 8, "f32": 4, "f64": 8, "v128": 16}
FILES = {
    "i32": RegisterFile.GENERAL,
    "i64": RegisterFile.GENERAL,
    "f32": RegisterFile.FLOATING,
    "f64": RegisterFile.FLOATING,
    "v128": RegisterFile.VECTOR,
}
"""As what a parameter or a result of each value type counts."""
TYPES = "functype"
"""The entry of the state block beside values: the type of the function that was called, a byte for each parameter and result."""
CODES = {"i32": 0x7F, "i64": 0x7E, "f32": 0x7D, "f64": 0x7C, "v128": 0x7B}
"""The bytes by which the binary format names value types."""
RESULTS = 8
"""The bytes of it behind the parameters, for results."""
_PLACES = (*(f"p{number}" for number in range(PARAMETERS)), "r0")
_STRIDE = 48
_SP_BYTES = 16


def _slots(place: str, at: int) -> dict[str, Slot]:
    """A slot for each value type, side by side."""
    found = {}
    for value_type, size in reversed(SIZES.items()):
        found[f"{value_type}.{place}"] = Slot(at, size)
        at += size
    return found


_REGISTERS = {
    name: slot
    for number, place in enumerate(_PLACES)
    for name, slot in _slots(place, _SP_BYTES + _STRIDE * number).items()
}
_TYPES = Slot(_SP_BYTES + _STRIDE * len(_PLACES), PARAMETERS + RESULTS)
_FILES = {f"{value_type}.{place}": file for place in _PLACES for value_type, file in FILES.items()}
_STATE_BYTES = _TYPES.offset + _TYPES.width

WASM32 = Machine(
    name="wasm32",
    pointer=4,
    return_address=0,
    elf_machine=0,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType({"sp": Slot(0, 4), **_REGISTERS, TYPES: _TYPES}),
    files=MappingProxyType({"sp": RegisterFile.GENERAL, **_FILES, TYPES: RegisterFile.CONTROL}),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp", TYPES}),
    assembly="wasm.S",
    hosts=frozenset(),
    triple="wasm32-unknown-unknown",
    flags=("-mmultivalue", "-msimd128", "-mbulk-memory"),
    signatures=True,
    oldest_clang=14,
    gcc=(),
    ld=(),
    emulation="wasm32",
)
MACHINES = (WASM32,)


def encoded(parameters: Sequence[str], results: Sequence[str]) -> bytes:
    """The type of a function as a state block has it, as far as that has room."""
    first = bytes(CODES[one] for one in parameters[:PARAMETERS]).ljust(PARAMETERS, b"\0")
    return first + bytes(CODES[one] for one in results[:RESULTS]).ljust(RESULTS, b"\0")


def decoded(types: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The value types of parameters and results that are encoded so."""
    names = {code: name for name, code in CODES.items()}
    parts = types[:PARAMETERS], types[PARAMETERS:]
    parameters, results = (tuple(names[code] for code in part if code) for part in parts)
    return parameters, results
