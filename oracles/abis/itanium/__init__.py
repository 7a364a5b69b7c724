"""The Itanium C++ ABI above the C ABI of a target."""

from __future__ import annotations

from abiprobe.oracles.abis.itanium.call_model import CxxCallModel
from abiprobe.oracles.abis.itanium.model import CxxModel

__all__ = ["CxxCallModel", "CxxModel"]
