"""The Itanium C++ ABI above the C ABI of a target."""

from __future__ import annotations

from abiprobe.oracles.abis.itanium.call_model import CxxCallModel
from abiprobe.oracles.abis.itanium.model import CxxModel
from abiprobe.oracles.abis.itanium.targets import CALLS

__all__ = ["CALLS", "CxxCallModel", "CxxModel"]
