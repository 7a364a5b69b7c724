"""External names of C++ entities, by section 5.1 of the Itanium C++ ABI: what the text says, and what families do where it is silent."""

from __future__ import annotations

from abiprobe.oracles.abis.itanium.names.model import MangledName, mangle

__all__ = ["MangledName", "mangle"]
