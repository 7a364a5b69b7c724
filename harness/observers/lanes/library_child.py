"""Calls functions of a shared library with registers of our choosing: a program of its own, so that its death is not ours.

Reads JSON from standard input: the libraries, and calls with their state (hexadecimal), stack, patches and buffer. Writes
one JSON line for each call: the state and the buffer it left, and what the scalar function makes of the same numbers.
Imports nothing of abiprobe.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import cffi

STACK = 0x8000_0000


def call(ffi: Any, asked: dict[str, Any], one: dict[str, Any], libraries: dict[str, Any]) -> dict[str, Any]:
    """Make one call."""
    state = ffi.from_buffer("unsigned char[]", bytearray.fromhex(one["state"]), require_writable=True)
    stack = bytearray.fromhex(one["stack"])
    buffer = ffi.new("unsigned char[]", one["buffer"] or 1)
    base = int(ffi.cast("unsigned long", buffer))
    for where, offset in one["patches"]:
        address = (base + offset).to_bytes(8, "little")
        if where & STACK:
            at = (where & ~STACK) - asked["return_address"]
            stack[at : at + 8] = address
        else:
            ffi.buffer(state)[where : where + 8] = address
    target = ffi.cast("void (*)(void)", libraries["vector"][one["symbol"]])
    enter = getattr(libraries["stub"], f"enter_{one['width']}")
    enter(state, ffi.from_buffer("unsigned char[]", stack), len(stack), target)
    return {
        "state": bytes(ffi.buffer(state)).hex(),
        "buffer": bytes(ffi.buffer(buffer, one["buffer"])).hex(),
        "scalar": [scalar(ffi, libraries["scalar"], one, values) for values in one["values"]],
    }


def scalar(ffi: Any, library: Any, one: dict[str, Any], values: list[float]) -> list[float]:
    """Return the results of the scalar function for one lane's numbers, in order."""
    function = getattr(library, one["function"])
    if not one["outputs"]:
        return [function(*values)]
    outputs = [ffi.new(f"{one['kind']} *") for _ in range(one["outputs"])]
    function(*values, *outputs)
    return [output[0] for output in outputs]


def main() -> None:
    """Answer every call on standard input."""
    asked = json.load(sys.stdin)
    ffi: Any = cffi.FFI()
    ffi.cdef(asked["declarations"])
    for width in (16, 32, 64):
        ffi.cdef(f"void enter_{width}(unsigned char *, unsigned char *, unsigned long, void (*)(void));")
    scalars = ffi.dlopen(asked["scalar"])
    raw = ffi.dlopen(asked["vector"])
    symbols = {one["symbol"] for one in asked["calls"]}
    for symbol in symbols:
        ffi.cdef(f"void {symbol}(void);")
    vectors = {symbol: ffi.addressof(raw, symbol) for symbol in symbols}
    libraries = {"scalar": scalars, "vector": vectors, "stub": ffi.dlopen(asked["stub"])}
    for one in asked["calls"]:
        sys.stdout.write(json.dumps(call(ffi, asked, one, libraries)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
