"""Sizes of the types of LLVM IR, from a module's data layout (language reference, "Data Layout")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abiprobe.oracles.engine.records import round_up

REALS = {
    "half": 16,
    "bfloat": 16,
    "float": 32,
    "double": 64,
    "x86_fp80": 80,
    "fp128": 128,
    "ppc_fp128": 128,
}
"""Bits of the types of reals."""
SPECIFICATION = re.compile(r"([ifvap])(\d*):(\d+)(?::\d+)*")
POINTER = re.compile(r"p(\d*):(\d+):(\d+)(?::\d+)*")
DEFAULTS = {
    ("i", 8): 8,
    ("i", 16): 16,
    ("i", 32): 32,
    ("i", 64): 32,
    ("f", 16): 16,
    ("f", 32): 32,
    ("f", 64): 64,
    ("f", 128): 128,
    ("v", 64): 64,
    ("v", 128): 128,
}
"""Alignments in bits where a data layout says nothing else."""


class Sizes:
    """Sizes and alignments by a data layout."""

    def __init__(self, layout: str) -> None:
        self._aligns = dict(DEFAULTS)
        self._pointers = {0: (64, 64)}
        for item in layout.split("-"):
            if pointer := POINTER.fullmatch(item):
                self._pointers[int(pointer[1] or 0)] = int(pointer[2]), int(pointer[3])
            elif (found := SPECIFICATION.fullmatch(item)) and found[1] in "ifv" and found[2]:
                self._aligns[found[1], int(found[2])] = int(found[3])

    def extent(self, text: str) -> tuple[int, int] | None:
        """The allocation size and the alignment of a type in bytes; `None` for one that has none here."""
        if text.startswith("<{"):
            return self._struct(text[2:-2], packed=True)
        if text.startswith("{"):
            return self._struct(text[1:-1], packed=False)
        if text.startswith("["):
            count, _, element = text[1:-1].partition(" x ")
            inner = self.extent(element)
            return None if inner is None else (int(count) * inner[0], inner[1])
        bits = self._bits(text)
        if bits is None:
            return None
        align = max(bits[1] // 8, 1)
        return round_up(round_up(bits[0], 8) // 8, align), align

    def _bits(self, text: str) -> tuple[int, int] | None:
        """The size and the alignment of a type without members, in bits."""
        if found := re.fullmatch(r"i(\d+)", text):
            return int(found[1]), self._integer(int(found[1]))
        if text in REALS:
            return REALS[text], self._aligns.get(("f", REALS[text]), 128)
        if found := re.fullmatch(r"ptr(?: addrspace\((\d+)\))?", text):
            return self._pointers.get(int(found[1] or 0), self._pointers[0])
        if found := re.fullmatch(r"<(\d+) x (.*)>", text):
            element = self._bits(found[2])
            if element is None:
                return None
            size = int(found[1]) * element[0]
            return size, self._aligns.get(("v", size), 1 << (size - 1).bit_length())
        return None

    def _integer(self, bits: int) -> int:
        """The alignment of an integer: that of the next larger one, or else of the largest."""
        known = sorted(size for kind, size in self._aligns if kind == "i")
        return self._aligns["i", next((size for size in known if size >= bits), known[-1])]

    def _struct(self, members: str, *, packed: bool) -> tuple[int, int] | None:
        end, most = 0, 1
        for member in split(members):
            extent = self.extent(member)
            if extent is None:
                return None
            align = 1 if packed else extent[1]
            end = round_up(end, align) + extent[0]
            most = max(most, align)
        return round_up(end, most), most


def split(members: str) -> Iterator[str]:
    """The types between the braces of a struct."""
    depth, start = 0, 0
    for at, character in enumerate(members):
        depth += (character in "{[<(") - (character in "}]>)")
        if character == "," and not depth:
            yield members[start:at].strip()
            start = at + 1
    if members[start:].strip():
        yield members[start:].strip()
