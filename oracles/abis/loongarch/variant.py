"""The differences between the base ABI variants (The base ABI variants)."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.model import Preserved
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
PRESERVED = cite("registers.preserved")
PRESERVED_FLOATING = cite("registers.preserved-floating")

STATIC = tuple(Preserved(f"s{number}", PRESERVED) for number in range(10))


class Variant(msgspec.Struct, frozen=True):
    """A base ABI variant.

    General-purpose registers have `grlen` bytes; `floating` are its floating-point argument registers, of `frlen` bytes, and
    `preserved` what a function leaves as it found it. Where `words_are_signed`, an unsigned word in a general-purpose register is extended as a signed one is.
    """

    name: str
    grlen: int
    frlen: int
    floating: tuple[str, ...]
    preserved: tuple[Preserved, ...]
    words_are_signed: bool

    @property
    def title(self) -> str:
        """The name as people write it."""
        return f"LoongArch LA{8 * self.grlen} with the {self.name.upper()} calling convention"

    @property
    def target(self) -> str:
        """The name of the target."""
        return f"loongarch{8 * self.grlen}-{self.name}"


@implements("registers.preserved", "scalar.unsigned-word")
def variants() -> tuple[Variant, ...]:
    """The variants, but ILP32F, which nobody has been asked about yet."""
    floating = tuple(f"fa{number}" for number in range(8))
    return (
        # [lapcs:scalar.unsigned-word]
        Variant("lp64d", 8, 8, floating, STATIC + saved(), words_are_signed=True),
        Variant("lp64f", 8, 4, floating, STATIC + saved(4), words_are_signed=False),
        # [lapcs:registers.preserved]
        Variant("lp64s", 8, 0, (), STATIC, words_are_signed=False),
        Variant("ilp32d", 4, 8, floating, STATIC + saved(), words_are_signed=False),
        Variant("ilp32s", 4, 0, (), STATIC, words_are_signed=False),
    )


@implements("registers.preserved-floating")
def saved(size: int = 0) -> tuple[Preserved, ...]:
    """The static floating-point registers: their first `size` bytes, or all of them (0)."""
    # [lapcs:registers.preserved-floating]
    return tuple(Preserved(f"fs{number}", PRESERVED_FLOATING, size) for number in range(8))
