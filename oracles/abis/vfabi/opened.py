"""Vector functions of which nothing is decided, for promises: compilers are compared by the names and the lanes of variants."""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.abis.vfabi.model import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variants
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Unspecified, Unsupported


@dataclass(frozen=True)
class OpenedVectors(VectorModel):
    """A model that says `silence` of every function that has variants by its text."""

    silence: Unspecified

    def variants(self, prototype: Prototype) -> Variants | Unspecified | Unsupported:
        """See `VectorModel.variants`."""
        found = super().variants(prototype)
        return self.silence if isinstance(found, Variants) else found


def opened_vectors(text: AbiModel, silence: Unspecified) -> AbiModel:
    """Return the model that decides nothing of what a model of vector functions decides."""
    assert isinstance(text, VectorModel), "the text is that of vector functions"
    return OpenedVectors(text.scalar, text.dialect, silence)
