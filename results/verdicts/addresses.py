"""Addresses among what is seen of a call: of our own memory, and of compiled code and its constants.

Which address it is depends on what else a unit contains, and is no property of a compiler. So an address is told by what it
leads to, and never by its bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache

import msgspec

from abiprobe.oracles.text.place import ByteOrder
from abiprobe.results.verdicts.values import Address, Bytes, LeadsTo

REGION = 1 << 24
"""Our memory begins at a multiple of this, and ends before the next one (driver.c)."""
STACK = 1 << 19
"""Bytes on either side of the stack pointer that are stack; there is nothing else of ours within them that code is given."""
PROCESS = range(0x55 << 40, 0x80 << 40)
"""Where processes of 64-bit Linux have what is loaded anywhere: the runtime beside a library."""
HIDDEN, UNKNOWN = "@@", ".."
"""A byte of an address among bytes of other things, and one of which nothing counts."""
NEUTRAL = 0xCC
"""The stand-in for each byte of an address in the code where values are looked for."""


class Addresses(msgspec.Struct, frozen=True):
    """Recognition of addresses among the words of one operation: by its stack pointer, and the bounds of code and constants.

    `size` (bytes) and `order` are those of an address. `values` are those of the operation: a word that shows one of them is
    no address.
    """

    sp: int
    code: tuple[int, int]
    size: int
    order: ByteOrder
    values: tuple[bytes, ...] = ()

    def leads_to(self, word: bytes) -> LeadsTo | None:
        """Return the object that a word points into, if it is an address."""
        number = int.from_bytes(word, self.order)
        if -STACK <= number - self.sp < STACK:
            found: LeadsTo | None = LeadsTo.STACK
        elif self.sp in PROCESS:
            found = LeadsTo.BUFFER if number in PROCESS else None
        elif number // REGION == self.sp // REGION:
            found = LeadsTo.BUFFER
        else:
            found = LeadsTo.CODE if self._is_in_code(number) else None
        return None if found is None or self._is_value(word) else found

    def _is_in_code(self, number: int) -> bool:
        start, end = self.code
        return start <= number < end

    def _is_value(self, word: bytes) -> bool:
        shown = word.rstrip(b"\0") if self.order == "little" else word.lstrip(b"\0")
        forms = {shown, *_narrowed(word, self.order)}
        return any(form in value for value in self.values for form in forms)

    def among(self, data: bytes) -> dict[int, LeadsTo]:
        """The bytes of `data`, which begins where a word does, that are part of an address, with what this leads to."""
        found: dict[int, LeadsTo] = {}
        for at in range(0, len(data) - self.size + 1, self.size):
            leads_to = self.leads_to(data[at : at + self.size])
            if leads_to is not None:
                found |= dict.fromkeys(range(at, at + self.size), leads_to)
        return found

    def without_code(self, data: bytes) -> bytes:
        """`data`, which begins where a word does, with something neutral for every address in the code."""
        words = _words(self.order, self.size, len(data) // self.size)
        settled = bytearray(data)
        for number, word in enumerate(words.unpack_from(data)):
            at = number * self.size
            if self._is_in_code(word) and not self._is_value(data[at : at + self.size]):
                settled[at : at + self.size] = bytes([NEUTRAL]) * self.size
        return bytes(settled)


def _narrowed(word: bytes, order: ByteOrder) -> Iterator[bytes]:
    """The bytes that a word has with zeros above each, as a vector whose elements were widened has them."""
    lane = 2
    while lane < len(word):
        lowest = slice(0 if order == "little" else lane - 1, None, lane)
        if len(word) - word.count(0) == len(word[lowest]) - word[lowest].count(0):
            yield word[lowest]
        lane *= 2


def address_bits(addresses: Addresses | None, data: bytes, around: tuple[bytes, int] | None = None) -> int:
    """The bits of what was seen that are part of an address, `data` and `around` as `told` has them."""
    if addresses is None:
        return 0
    whole, start = around or (data, 0)
    found = addresses.among(whole)
    return int.from_bytes(bytes(0xFF if start + at in found else 0 for at in range(len(data))), "little")


@cache
def _words(order: ByteOrder, size: int, count: int) -> struct.Struct:
    return struct.Struct(
        f"{'<' if order == 'little' else '>'}{count}{'Q' if size == struct.calcsize('Q') else 'I'}"
    )


def spelled(bits: int, care: int, width: int) -> str:
    """Bytes in memory order in hexadecimal; a byte of which nothing counts is `..`."""
    values, cared = bits.to_bytes(max(width, 1) + 8, "little"), care.to_bytes(max(width, 1) + 8, "little")
    return " ".join(f"{values[i]:02x}" if cared[i] else UNKNOWN for i in range(width))


def told(
    addresses: Addresses | None, data: bytes, care: int | None = None, around: tuple[bytes, int] | None = None
) -> Bytes | Address:
    """Return the bytes seen, with addresses replaced by what they point into; all bits count if `care` is `None`.

    `around` is what `data` is a part of, from the beginning of a word on, and where in it.
    """
    whole_value = (1 << 8 * len(data)) - 1
    cared = whole_value if care is None else care & whole_value
    text = spelled(int.from_bytes(data, "little"), cared, len(data))
    if addresses is None:
        return Bytes(text)
    whole, start = around or (data, 0)
    found = addresses.among(whole)
    if not found:
        return Bytes(text)
    each = [(byte, found.get(start + at)) for at, byte in enumerate(text.split(" "))]
    counting = [leads_to for byte, leads_to in each if byte != UNKNOWN]
    if len(set(counting)) == 1 and counting[0] is not None:
        return Address(counting[0], len(counting) < addresses.size)
    return Bytes(
        " ".join(HIDDEN if leads_to is not None and byte != UNKNOWN else byte for byte, leads_to in each)
    )
