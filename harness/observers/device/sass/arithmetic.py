"""Effects of instructions on bytes of unknown value: they are moved, or become unknown."""

from __future__ import annotations

from abiprobe.harness.observers.device.sass.logic import AND, logic_byte
from abiprobe.harness.observers.device.sass.symbols import (
    UNKNOWN,
    Partial,
    Sign,
    Symbol,
    Word,
    address,
    constant,
    known,
    pointer,
    word_of,
)


def plus(*words: Word) -> Word:
    """A sum, where it is known: of constants, of an address and a constant, or of words that share no byte."""
    numbers = [known(word) for word in words]
    rest = [word for word, number in zip(words, numbers, strict=True) if number is None]
    total = sum(number for number in numbers if number is not None) & 0xFFFFFFFF
    if not rest:
        return constant(total)
    if len(rest) == 1 and not total:
        return rest[0]
    if len(rest) == 1 and (where := pointer(rest[0])):
        base, offset = where
        return address(base, offset + total - (total >> 31 << 32))
    return joined(*rest, constant(total))


def joined(*words: Word) -> Word:
    """Words added that share no byte; a byte in which two of them are not zero is unknown, and so are those above it."""
    result: list[Symbol] = []
    clear = True
    for column in zip(*words, strict=True):
        there = [symbol for symbol in column if symbol != 0]
        clear = clear and len(there) <= 1
        result.append((there[0] if there else 0) if clear else None)
    return word_of(result)


def shifted(word: Word, bits: int) -> Word:
    """A word moved up by whole bytes."""
    if bits % 8:
        return UNKNOWN if known(word) is None else constant(known(word) << bits)  # type: ignore[operator]  # not None
    return word_of([*[0] * min(4, bits // 8), *word[: max(0, 4 - bits // 8)]])


def times(a: Word, b: Word, c: Word) -> Word:
    """`a * b + c`, where a factor is a power of two that moves whole bytes."""
    for word, factor in ((a, known(b)), (b, known(a))):
        if factor == 0:
            return c
        if factor is not None and factor & (factor - 1) == 0:
            return plus(shifted(word, factor.bit_length() - 1), c)
    return UNKNOWN


def wide(a: Word, b: Word, c: tuple[Word, Word], *, signed: bool) -> tuple[Word, Word]:
    """`a * b + c` in 64 bits, where a factor is a power of two that moves whole bytes and no two bytes meet."""
    for word, factor in ((a, known(b)), (b, known(a))):
        if factor == 0:
            return c
        if factor is None or factor & (factor - 1) or (bits := factor.bit_length() - 1) % 8:
            continue
        above = fill(word[3]) if signed else 0
        moved = [*[0] * (bits // 8), *word, *[above] * 4][:8]
        pair = [
            first if second == 0 else second if first == 0 else None
            for first, second in zip(moved, (*c[0], *c[1]), strict=True)
        ]
        if None in pair:
            clear = pair.index(None)
            pair[clear:] = [None] * (8 - clear)
        return word_of(pair[:4]), word_of(pair[4:])
    return UNKNOWN, UNKNOWN


def funnel(low: Word, high: Word, bits: int, *, right: bool, upper: bool, signed: bool) -> Word:
    """One word of the pair `high:low` moved by whole bytes."""
    if bits % 8:
        return UNKNOWN
    count = min(bits // 8, 8)
    pair: list[Symbol] = [*low, *high]
    filler: Symbol = fill(pair[7]) if signed else 0
    moved = [*pair[count:], *[filler] * count] if right else [*[0] * count, *pair[: 8 - count]]
    return word_of(moved[4:8] if upper else moved[:4])


def fill(symbol: Symbol) -> Symbol:
    """Return the symbol above a byte that is extended by its sign."""
    if isinstance(symbol, int):
        return 0xFF if symbol & 0x80 else 0
    if symbol is None or isinstance(symbol, Partial):
        return None
    if isinstance(symbol, Sign):
        return symbol
    return Sign(symbol)


def permuted(a: Word, c: Word, selector: int) -> Word:
    """Four bytes picked out of eight; bit 3 of a choice replicates the sign instead."""
    pair = (*a, *c)
    picks = [selector >> 4 * index & 0xF for index in range(4)]
    return word_of([fill(pair[pick & 7]) if pick & 8 else pair[pick & 7] for pick in picks])


def extended(word: Word, bits: int, *, signed: bool) -> Word:
    """The low bits of a word, extended by their highest or by zeros."""
    if not 0 < bits <= 32:
        return UNKNOWN
    number = known(word)
    if number is not None:
        sign = (number & 1 << bits - 1) if signed else 0
        return constant((number & (1 << bits) - 1) - 2 * sign)
    kept, rest = list(word[: bits // 8]), bits % 8
    above = 0 if not signed else None if rest else fill(kept[-1])
    if rest:
        kept.append(cut(word[len(kept)], rest, signed=signed))
    return word_of([*kept, *[above] * (4 - len(kept))])


def cut(symbol: Symbol, bits: int, *, signed: bool) -> Symbol:
    """The low bits of a byte; those above them are zero, or its sign and so not known."""
    mask = (1 << bits) - 1
    if signed and not isinstance(symbol, int):
        return None if symbol is None else Partial(symbol, mask)
    return logic_byte((symbol, mask, 0), AND)
