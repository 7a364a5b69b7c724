"""Parameters and results of a function of WebAssembly, and the buffer of unnamed arguments.

A place is named by its value type and its number: `i32.p2` is parameter 2, an i32, and `f64.r0` the result. A value that
is passed as another value type is in another place.
"""

from __future__ import annotations

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Kind, Scalar, Type
from abiprobe.oracles.text.place import Register

VALUES = {"i32": 4, "i64": 8, "f32": 4, "f64": 8, "v128": 16}
"""The value types, and their sizes in bytes."""
ADDRESS = VALUES["i32"]
"""Bytes of an address, which is an i32."""
REALS = {Kind.FLOAT: "f32", Kind.DOUBLE: "f64"}


class WasmSignature:
    """The parameters that a function has so far."""

    def __init__(self) -> None:
        self.count = 0

    def take(self, value_type: str) -> Register:
        """The next parameter, of a value type."""
        self.count += 1
        return Register(f"{value_type}.p{self.count - 1}")


def result_place(value_type: str) -> Register:
    """The result of a function, of a value type."""
    return Register(f"{value_type}.r0")


def value_types(types: TypeTable, scalar: Type) -> tuple[str, ...]:
    """The value types of a scalar: one, or two for what has 16 bytes."""
    if isinstance(scalar, Enum):
        scalar = Scalar(types.enum_kind(scalar))
    if isinstance(scalar, Scalar) and scalar.kind in REALS:
        return (REALS[scalar.kind],)
    size = types.extent(scalar).size
    return ("i32",) if size <= VALUES["i32"] else ("i64",) * -(-size // VALUES["i64"])
