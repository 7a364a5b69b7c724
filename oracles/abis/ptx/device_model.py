"""The model of PTX, which also says where a family of compilers has unnamed arguments."""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.abis.ptx.families import AS_WRITTEN, Family
from abiprobe.oracles.abis.ptx.unnamed import UnnamedMemory, unnamed_memory
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.model import Model


@dataclass(frozen=True)
class DeviceModel(Model):
    """A model with the departures of a `family`."""

    family: Family = AS_WRITTEN

    def unnamed(self, prototype: Prototype) -> UnnamedMemory | None:
        """Return the memory of the unnamed arguments of a call; `None` where nothing is known of it."""
        try:
            return unnamed_memory(self.types, self.family, prototype)
        except (AbsentError, SilentError):
            return None
