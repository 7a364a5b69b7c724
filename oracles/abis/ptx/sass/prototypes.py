"""Prototype strings: what an object says about a function, and the linker compares."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
CODES = {1: "b", 2: "h", 4: "i", 8: "l", 16: "x"}
FLOATS = {"f32": "f", "f64": "d"}

STRING = cite("link.prototype")


def code(param: Parameter) -> str:
    """One parameter: `i` for 4 bytes, `f` for `.f32`, `b12` for 12 of `.b8`, `b0` for an array without a size."""
    element = CODES[param.natural] if param.vector > 1 else FLOATS.get(param.type) or CODES[param.natural]
    return element if param.length is None else f"{element}{param.length}"


@implements("link.prototype")
def prototype_string(params: Sequence[Parameter], result: Parameter | None) -> str:
    """The string of `.nv.prototype`: `#iib12l`."""
    return "#" + ("v" if result is None else code(result)) + "".join(map(code, params))
