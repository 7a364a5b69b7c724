"""WebAssembly as the runtime sees it: a register for each value type of each parameter, and of the result.

A function is called by its type, so nothing can enter or be entered by functions of every type. Each unit is linked with
code for the types that its functions have, and that its callers call by (`entries`).
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot
from abiprobe.oracles.text.place import RegisterFile

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
_FILES = {f"{value_type}.{place}": file for place in _PLACES for value_type, file in FILES.items()}
_STATE_BYTES = _SP_BYTES + _STRIDE * len(_PLACES)

WASM32 = Machine(
    name="wasm32",
    pointer=4,
    return_address=0,
    elf_machine=0,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType({"sp": Slot(0, 4), **_REGISTERS}),
    files=MappingProxyType({"sp": RegisterFile.GENERAL, **_FILES}),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp"}),
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
