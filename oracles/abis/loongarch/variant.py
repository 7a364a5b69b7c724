"""What the base ABI variants LP64D and LP64S have different (The base ABI variants)."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.abis.loongarch.sheet import cite, implements
from abiprobe.oracles.model import Preserved

PRESERVED = cite("registers.preserved")
PRESERVED_FLOATING = cite("registers.preserved-floating")

STATIC = tuple(Preserved(f"s{number}", PRESERVED) for number in range(10))


class Variant(msgspec.Struct, frozen=True):
    """A base ABI variant.

    `floating` are its floating-point argument registers, and `preserved` what a function leaves as it found it. Where
    `words_are_signed`, an unsigned word in a general-purpose register is extended as a signed one is.
    """

    name: str
    floating: tuple[str, ...]
    preserved: tuple[Preserved, ...]
    words_are_signed: bool

    @property
    def title(self) -> str:
        """The name as people write it."""
        return f"LoongArch LA64 with the {self.name.upper()} calling convention"


@implements("registers.preserved", "registers.preserved-floating", "scalar.unsigned-word")
def variants() -> tuple[Variant, ...]:
    """The variants that the rules for passing arguments cover: FRLEN is 64 or 0."""
    # [lapcs:registers.preserved-floating]
    saved = tuple(Preserved(f"fs{number}", PRESERVED_FLOATING) for number in range(8))
    floating = tuple(f"fa{number}" for number in range(8))
    return (
        # [lapcs:scalar.unsigned-word]
        Variant("lp64d", floating, STATIC + saved, words_are_signed=True),
        # [lapcs:registers.preserved]
        Variant("lp64s", (), STATIC, words_are_signed=False),
    )
