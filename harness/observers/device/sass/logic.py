"""Bitwise functions of bytes whose value is not known, by their truth tables."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.observers.device.sass.symbols import (
    Masked,
    Symbol,
    Word,
    address,
    known,
    pointer,
    word_of,
)

AND = 0xC0
"""The truth table of `a & b`."""
OR = 0xFC
"""The truth table of `a | b`."""
TRUSTED = 8
"""The alignment in bytes of every stack pointer."""


def logic(words: tuple[Word, Word, Word], table: int) -> Word:
    """A bitwise function of three words by its truth table."""
    where = pointer(words[0])
    mask = known(words[1])
    if where is not None and table == AND and mask is not None and mask >= 0xFFFFF000:
        # Rounded down: how far is not known, so what comes out is a place of its own.
        return address(f"{where[0]}{where[1]:+}&{mask:x}", 0)
    if (
        where is not None
        and table == OR
        and mask is not None
        and mask < alignment(where[0])
        and not where[1] & mask
    ):
        return address(where[0], where[1] + mask)
    return word_of([logic_byte(column, table) for column in zip(*words, strict=True)])


def alignment(base: str) -> int:
    """Return the alignment of a base in bytes: that of every stack pointer, or the one to which it was rounded down."""
    _, rounded, mask = base.rpartition("&")
    return max(TRUSTED, int(mask, 16) & -int(mask, 16)) if rounded else TRUSTED


def logic_byte(symbols: tuple[Symbol, ...], table: int) -> Symbol:
    """One byte of it: a constant, one of the inputs, or some bits of one of the inputs."""
    inputs = [symbol for symbol in dict.fromkeys(symbols) if not isinstance(symbol, int)]
    value = kept = 0
    chosen: Symbol = None
    for bit in range(8):
        outcome = bit_function(symbols, inputs, table, bit)
        if isinstance(outcome, int):
            value |= outcome << bit
        elif outcome is None or (chosen is not None and chosen != outcome[0]):
            return None
        else:
            chosen = outcome[0]
            kept |= 1 << bit
    if not kept:
        return value
    if value:
        return None
    return chosen if kept == 0xFF else Masked(chosen, kept)


def bit_function(
    symbols: tuple[Symbol, ...], inputs: Sequence[Symbol], table: int, bit: int
) -> int | tuple[Symbol] | None:
    """Return the value of one bit: a constant, the same bit of one input, or neither."""
    outcomes = []
    for assignment in range(1 << len(inputs)):
        index = 0
        for position, symbol in enumerate(symbols):
            own = symbol >> bit if isinstance(symbol, int) else assignment >> inputs.index(symbol)
            index |= (own & 1) << (2 - position)
        outcomes.append(table >> index & 1)
    if len(set(outcomes)) == 1:
        return outcomes[0]
    for number, symbol in enumerate(inputs):
        if symbol is not None and all(
            outcome == assignment >> number & 1 for assignment, outcome in enumerate(outcomes)
        ):
            return (symbol,)
    return None
